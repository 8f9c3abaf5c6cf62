import { number } from "../known";
import { placedShares } from "../resources";
import { stackRule } from "../rule";

export const keepIngressPortsUnique = stackRule(
  {
    name: "keep-ingress-ports-unique",
    topic: "Services",
    description: "Each share of a tunnel must have its own ingress port.",
    reason:
      "We assume that a tunnel's load balancer has one listener for each port. A second share on the port fails to deploy, or an update of it takes the traffic of the first share.",
    fix: "give one of the two shares another ingressPort.",
    unknowns:
      "A new tunnel has no id yet. The policy then finds it by the resource that ipsecTunnelId depends on. It skips a share whose tunnel or port it cannot determine. It does not see shares of other stacks.",
    severity: "high",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, _settings, report) => {
    const taken = new Map<string, string>();
    for (const { share, place } of placedShares(resources)) {
      const port = number(share.props, "ingressPort");
      if (place === undefined || port === undefined) continue;
      const listener = JSON.stringify([place, port]);
      const first = taken.get(listener);
      if (first === undefined) taken.set(listener, share.name);
      else report(`ingressPort is the same as that of share "${first}" on the same tunnel.`, share);
    }
  },
);
