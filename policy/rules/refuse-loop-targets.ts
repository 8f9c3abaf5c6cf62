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
      "A target in the network behind the tunnel's own peer, or one that is a tunnel's load balancer, sends what a site asks for back to where it came from: it fails at best, and at worst goes round until something gives in, or publishes one host of a site to all the others without anyone's consent there.",
    fix: "set target to a host on your own side, reached by the hosting agent without the tunnel.",
    unknowns:
      "Unknown targets, networks and addresses are passed over until they are known; the load balancer's are once the tunnel is deployed. Names are not looked up. A share whose tunnel cannot be told or is in another stack is held against the load balancers of this one alone.",
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
