import type { PolicyResource } from "@pulumi/policy";
import { targetOf } from "../hosts";
import { text } from "../known";
import { blockOf, isWithin } from "../networks";
import { ofKind, placedShares } from "../resources";
import { stackRule } from "../rule";

export const refuseLoopTargets = stackRule(
  {
    name: "refuse-loop-targets",
    topic: "Services",
    description: "A share must not lead back into its own tunnel.",
    reason:
      "The target can be in the network behind the tunnel's own peer, or be the load balancer of a tunnel. The traffic of a site then returns to its origin. At best it fails, and at worst it circles until something breaks. It can also publish a host of one site to all other sites without the site's consent.",
    fix: "set target to a host on your own side that the hosting agent reaches without the tunnel.",
    unknowns:
      "The policy skips unknown targets, networks and addresses until they are known. The load balancer's addresses are known once the tunnel is deployed. The policy does not look names up. If the tunnel of a share is unknown or in another stack, the policy compares the target only with this stack's load balancers.",
    severity: "high",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, _settings, report) => {
    const balancers = new Map<string, PolicyResource>();
    for (const tunnel of ofKind(resources, "tunnel")) {
      for (const host of [text(tunnel.props, "nlbPrivateIp"), text(tunnel.props, "nlbDnsName")])
        if (host !== undefined && host !== "") balancers.set(host.toLowerCase().replace(/\.$/, ""), tunnel);
    }
    for (const { share, tunnel } of placedShares(resources)) {
      const host = targetOf(share.props)?.host;
      if (host === undefined) continue;
      const balanced = balancers.get(host);
      const [address, behind] = [blockOf(host), tunnel && blockOf(text(tunnel.props, "peerCidr") ?? "")];
      if (balanced) report(`target is the load balancer of tunnel "${balanced.name}".`, share);
      else if (tunnel && address && behind && isWithin(address, [behind]))
        report(`target is in the network behind the peer of its own tunnel "${tunnel.name}".`, share);
    }
  },
);
