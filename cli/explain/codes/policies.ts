// Generated from policy/rules by "npm run docs": change that, not this.
import type { Entry } from "./entry";

/** The policies: a policy's name is its code. */
export const policies: readonly Entry[] = [
  {
    "code": "use-public-peers",
    "meaning": "A tunnel's peer must have a publicly routable address.",
    "cause": "Frontdoor reaches the remote site's device over the internet. If the internet does not route the address, the tunnel deploys, but its connection never comes up.",
    "remedies": [
      "Set peerPublicIp to the public address of the remote site's device. Ask the site: its LAN settings do not show it. For a lab or a private peering, add an exception with that reason."
    ]
  },
  {
    "code": "limit-peer-networks",
    "meaning": "The network behind a tunnel's peer must be private and no wider than needed.",
    "cause": "peerCidr becomes a route: the traffic from your side to the whole block goes to the remote site. A wide block also takes the traffic of other sites, and 0.0.0.0/0 takes all traffic. A public block takes traffic for other people's addresses.",
    "remedies": [
      "Set peerCidr to the block that the site really uses. A public block that the site owns must be in allowedPublicNetworks."
    ]
  },
  {
    "code": "separate-peer-networks",
    "meaning": "The networks behind the peers of a stack's tunnels must not overlap.",
    "cause": "If two sites, or a site and your own cloud, claim the same addresses, traffic reaches only one of them. The other is cut off, often only after the next rekey or restart.",
    "remedies": [
      "Use separate blocks for the sites (renumber or NAT at one site)."
    ]
  },
  {
    "code": "keep-targets-private",
    "meaning": "A share's target must be a private address or a name in your own domains.",
    "cause": "A share lets a remote site reach its target through your hosting agent. With a public target, the site reaches the internet from your address. The owner of the name then decides where the traffic ends.",
    "remedies": [
      "Publish a private address, or add the target's domain to allowedSuffixes, or its network to allowedNetworks."
    ]
  },
  {
    "code": "refuse-metadata-targets",
    "meaning": "A share must not publish its agent's own machine, metadata endpoint or cluster API.",
    "cause": "The hosting agent connects to the target from its own machine. Its loopback and link-local addresses, its cloud's metadata endpoint and its cluster's API trust the agent. Everyone who reaches one of them through a share acts with the agent's credentials.",
    "remedies": [
      "Publish the application by its address on its network. For an application on the agent's machine, use that machine's address."
    ]
  },
  {
    "code": "refuse-loop-targets",
    "meaning": "A share must not lead back into its own tunnel.",
    "cause": "A target behind the tunnel's own peer, or a tunnel's load balancer, sends the traffic back to its site, where it fails or loops. The share can also publish a host of one site to all others without that site's consent.",
    "remedies": [
      "Set target to a host on your own side that the hosting agent reaches without the tunnel."
    ]
  },
  {
    "code": "limit-ingress-ports",
    "meaning": "A share's ingress port must be in the ranges agreed with the sites.",
    "cause": "Remote sites open their firewalls for agreed ranges. A port outside them deploys without an error, but the site cannot reach it, or opens more than it should.",
    "remedies": [
      "Choose an ingressPort in one of allowedRanges, or agree on the range and add it."
    ]
  },
  {
    "code": "guard-dangerous-ports",
    "meaning": "Administration and database ports must be published only by exception.",
    "cause": "These ports lead straight to logins and data. If you publish one on a tunnel, anyone at the remote site can try it, including an intruder.",
    "remedies": [
      "Publish a bastion or an application in front of the port, or add an exception with a reason and an end date."
    ]
  },
  {
    "code": "keep-ingress-ports-unique",
    "meaning": "Each share of a tunnel must have its own ingress port.",
    "cause": "We assume that a tunnel's load balancer has one listener for each port, and that Frontdoor refuses a second share on it. Otherwise the second share could take the traffic of the first.",
    "remedies": [
      "Change the ingressPort of one of the two shares."
    ]
  },
  {
    "code": "avoid-duplicate-targets",
    "meaning": "A target must be published only once per tunnel and environment.",
    "cause": "The second share is often a copy whose target nobody changed. If it is intended, remember that you have two shares to change when the application moves or is attacked.",
    "remedies": [
      "Correct the target, or use the existing share."
    ]
  },
  {
    "code": "refuse-unknown-types",
    "meaning": "Every resource of this provider must have a type that these policies know.",
    "cause": "Policies skip unknown types. Such a type is from a newer version of the package, or the program made it up to reach the provider.",
    "remedies": [
      "Use the classes of this package, or update the policy pack to a version that knows the type."
    ]
  },
  {
    "code": "protect-production-tunnels",
    "meaning": "Tunnels of production stacks must be protected.",
    "cause": "A replaced tunnel gets a new key and a new address, and most changes replace it. The remote site is cut off until someone there changes its device. With `protect`, a delete or a replacement fails in the preview.",
    "remedies": [
      "Add protect: true to the tunnel's options. Before you delete or replace the tunnel, give it an exception in the pack's configuration, and remove this option in a separate change."
    ]
  },
  {
    "code": "time-tunnel-deletes",
    "meaning": "The delete timeout of a tunnel in a production stack must be neither too short nor too long.",
    "cause": "Most replacements of a tunnel delete it first. If the timeout is too short, the update stops halfway and leaves the site without a tunnel. If it is too long, a stuck teardown blocks the stack for hours.",
    "remedies": [
      "Set customTimeouts: { delete: \"60m\" } on the tunnel, or another time within the limits. The default is 60 minutes."
    ]
  },
  {
    "code": "guard-life-cycle-options",
    "meaning": "Pulumi options and `adopt` must not bypass the policies on a tunnel or share.",
    "cause": "With ignoreChanges on a checked property, the old value stays, whatever the program says. Reviewers see one network or port, and another one is live. An adopted resource comes with all the settings that someone else made.",
    "remedies": [
      "Remove the property from ignoreChanges. An omitted input is not managed anyway. Review an adopted resource, and add its id to approvedAdoptions."
    ]
  },
  {
    "code": "require-locations",
    "meaning": "Tunnels and shares must be in locations and on front doors that are allowed for their stack.",
    "cause": "The location of a tunnel decides which country its traffic goes through. If Frontdoor chooses, any location is possible. One copied id sends a stack's traffic through another stack's front door.",
    "remedies": [
      "Set locationId and frontdoorId to values that `allowed` lists for the stack, or add them to `allowed`."
    ]
  },
  {
    "code": "require-two-tunnels",
    "meaning": "A site with critical applications must have two tunnels, in two locations.",
    "cause": "With one tunnel, a replacement, maintenance or a failed line cuts the site off from every application. The policy checks nothing until `critical` names applications or tunnels.",
    "remedies": [
      "Declare the site a second time, under another name and in another location. Give each of its tunnels an IpsecTunnelConnection, or none of them."
    ]
  },
  {
    "code": "match-share-locations",
    "meaning": "A share must be in the location of its tunnel.",
    "cause": "A share listens on its tunnel's load balancer. We assume that a share in another location fails to deploy, or that its traffic takes a detour.",
    "remedies": [
      "Set the share's locationId to the location of its tunnel (locationId: tunnel.locationId)."
    ]
  },
  {
    "code": "follow-naming-convention",
    "meaning": "Tunnels and shares must follow the naming convention.",
    "cause": "Frontdoor has no tags, so only the name can tell which stack a tunnel belongs to. Without a convention, nobody finds an abandoned tunnel.",
    "remedies": [
      "Omit name (the provider derives it from project, stack and resource name), or choose a name that fits the pattern."
    ]
  },
  {
    "code": "limit-shares-per-tunnel",
    "meaning": "A tunnel must not carry too many shares.",
    "cause": "A tunnel is one load balancer and one VPN connection, so all its shares fail together. A delete or a replacement of the tunnel waits for every share.",
    "remedies": [
      "Spread the shares over several tunnels, or raise maxShares."
    ]
  },
  {
    "code": "keep-sample-config-secret",
    "meaning": "A tunnel's sample configuration must stay secret.",
    "cause": "The sample configuration contains the pre-shared key, and with it anyone can pose as the remote site. As a plain output, or a plain input of another resource, it is unencrypted in the state, in previews and in logs. Every stack that refers to this one also has it.",
    "remedies": [
      "Remove pulumi.unsecret, or mark the value with pulumi.secret(...). If anyone may have seen the text, rotate the key."
    ]
  },
  {
    "code": "encrypt-pre-shared-keys",
    "meaning": "Pre-shared keys must not be plain inputs of a resource.",
    "cause": "A plain input is unencrypted in the state and in previews. Unlike keep-sample-config-secret, this policy checks every resource before it is created. It also finds keys in configurations of other tunnels.",
    "remedies": [
      "Wrap the value in pulumi.secret(...), or keep it in secret configuration (pulumi config set --secret)."
    ]
  },
  {
    "code": "avoid-stored-keys",
    "meaning": "A tunnel's sample configuration must not be kept in the state.",
    "cause": "The sample configuration contains the pre-shared key. The state encrypts it, but everyone who may decrypt the stack's secrets can read it, even in old checkpoints and exports.",
    "remedies": [
      "Set storeSampleConfig: false, and read the text with getSampleConfig when you hand it over."
    ]
  },
  {
    "code": "keep-credentials-secret",
    "meaning": "Frontdoor's credentials must be secret configuration.",
    "cause": "If you set a credential without --secret, Pulumi writes it unencrypted to Pulumi.<stack>.yaml, which is usually in a repository. The dynamic provider then also has it unencrypted in the state.",
    "remedies": [
      "Set it again with pulumi config set --secret, remove it from the repository's history, and replace it in Frontdoor. For an API account, set frontdoor:credentialsFile to the path of its file."
    ]
  },
  {
    "code": "refuse-weak-crypto",
    "meaning": "A tunnel must not offer weak cryptography.",
    "cause": "A peer may choose any algorithm that a tunnel offers, and an attacker in the middle tries to make it choose the weakest. Traffic that is recorded today can be read once the algorithm is broken. Without a group in phase 2 (forward secrecy), one key opens all of it.",
    "remedies": [
      "Ask NetFoundry to remove these algorithms from the tunnel's proposals. Until then, allow only strong ones on the remote device: both sides must agree."
    ]
  },
  {
    "code": "limit-key-lifetimes",
    "meaning": "The keys of a tunnel must be renewed often and with forward secrecy.",
    "cause": "Someone who gets a key can read everything that was sent under it. A short lifetime limits the amount. A group in phase 2 (forward secrecy) makes each key independent of the previous one.",
    "remedies": [
      "Ask NetFoundry to shorten the lifetimes and to offer a group in phase 2. Until then, set shorter lifetimes on the remote device: the shorter lifetime wins."
    ]
  },
  {
    "code": "check-the-pack",
    "meaning": "The pack must be able to check what its configuration asks for.",
    "cause": "An exception for a resource that the stack does not have excuses nothing: it is misspelled, its resource is gone, or another stack has it. If @pulumi/policy hides which values are secret, keep-sample-config-secret, encrypt-pre-shared-keys and keep-credentials-secret can find nothing.",
    "remedies": [
      "Correct or remove the exception. If another stack has the resource, name it by its URN. Run npm dedupe, or install the minor version of @pulumi/policy that the pack's package.json names."
    ]
  }
];
