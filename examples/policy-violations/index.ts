import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";

// Everything here breaks a policy, as the comments say; policies.json has the settings, expected.json the violations.

// limit-peer-networks: a /8 is more than a site has.
// avoid-stored-keys: the sample configuration, with the key, is kept in the state.
const lisbon = new IpsecTunnel(
  "lisbon",
  { peerPublicIp: "203.0.113.7", peerCidr: "10.0.0.0/8", locationId: "lisbon" },
  { protect: true, customTimeouts: { delete: "30m" } },
);

// use-public-peers: the address is one of the company's own (refusedNetworks).
// separate-peer-networks: its network lies in lisbon's.
// protect-production-tunnels: it is not protected.
// time-tunnel-deletes: a minute is too short.
// require-locations: the company is in Lisbon and Coimbra.
// require-two-tunnels: a critical site has no second tunnel.
new IpsecTunnel(
  "porto",
  {
    peerPublicIp: "198.51.100.20",
    peerCidr: "10.20.0.0/16",
    locationId: "porto",
    storeSampleConfig: false,
  },
  { customTimeouts: { delete: "1m" } },
);

const place = { ipsecTunnelId: lisbon.id, envZId: "env-agent-1" };

new IpsecShare("intranet", { ...place, target: "intranet.corp.example:443", ingressPort: 443 });

// keep-targets-private: the site would go out to the internet under our address.
new IpsecShare("resolver", { ...place, target: "192.0.2.53:853", ingressPort: 8053 });

// limit-ingress-ports: not one of the ports agreed with the sites.
new IpsecShare("wiki", { ...place, target: "wiki.corp.example:80", ingressPort: 81 });

// guard-dangerous-ports: remote desktops need an exception.
new IpsecShare("desktop", { ...place, target: "desktop.corp.example:3389", ingressPort: 8389 });

// keep-ingress-ports-unique: 443 is the intranet's.
new IpsecShare("mail", { ...place, target: "mail.corp.example:443", ingressPort: 443 });

// avoid-duplicate-targets: this is published as "intranet".
new IpsecShare("intranet-again", { ...place, target: "Intranet.corp.example:443", ingressPort: 8444 });

// match-share-locations: its tunnel is in lisbon.
new IpsecShare("files", { ...place, target: "files.corp.example:443", ingressPort: 8445, locationId: "coimbra" });

// follow-naming-convention: nobody can tell from the name whose it is.
new IpsecShare("printer", { ...place, name: "printer", target: "printer.corp.example:631", ingressPort: 8631 });

// refuse-metadata-targets: whoever reaches it gets the credentials of the agent's machine. (keep-targets-private says so, too.)
new IpsecShare("metadata", { ...place, target: "metadata.google.internal:80", ingressPort: 8080 });

// refuse-loop-targets: the camera is behind lisbon's own peer.
new IpsecShare("camera", { ...place, target: "10.8.0.40:8554", ingressPort: 8554 });

// guard-life-cycle-options: whatever target the program has, the first one stays.
new IpsecShare(
  "tickets",
  { ...place, target: "tickets.corp.example:443", ingressPort: 8446 },
  { ignoreChanges: ["target"] },
);

// limit-shares-per-tunnel: eleven shares are on lisbon, ten may be.

// refuse-unknown-types: no policy knows what this is.
new pulumi.ComponentResource("frontdoor:index:Gateway", "gateway");

/** Makes a share with code of its own, past the policies on shares. */
class Publication extends pulumi.dynamic.Resource {
  constructor(name: string, args: { ipsecTunnelId: pulumi.Input<string>; target: string; ingressPort: number }) {
    super({ create: () => Promise.resolve({ id: "publication" }) }, name, args);
  }
}

// refuse-unknown-types: a dynamic resource has the inputs of a share.
new Publication("publication", { ipsecTunnelId: lisbon.id, target: "db.corp.example:5432", ingressPort: 8432 });

/** Whatever sets up the device at a site. */
class SiteDevice extends pulumi.ComponentResource {
  constructor(name: string, args: { settings: string }) {
    super("company:site:Device", name, args);
  }
}

// encrypt-pre-shared-keys: settings with a key, as a plain input.
new SiteDevice("router", { settings: "crypto ikev2 keyring old\n pre-shared-key Example7only+key\n" });

// keep-sample-config-secret: unsecret makes a plain output of it. (It shows once the tunnel exists.)
export const forTheSite = pulumi.unsecret(lisbon.sampleConfig);

// refuse-weak-crypto: the company wants more than group 14, which the emulator's tunnels offer. (It shows once the tunnels exist.)
// limit-key-lifetimes: it wants new keys of phase 1 every four hours, and they last for eight. (Likewise.)
// keep-credentials-secret: see Pulumi.demo.yaml.
