import { number } from "../known";
import { placedShares } from "../resources";
import { stackRule } from "../rule";

export const keepIngressPortsUnique = stackRule(
  {
    name: "keep-ingress-ports-unique",
    topic: "Services",
    description: "Each share of a tunnel must have an ingress port of its own.",
    reason:
      "We assume that a tunnel's load balancer has one listener for each port. Then the second share fails to deploy, or takes the traffic of the first, in the middle of an update.",
    fix: "give one of the two another ingressPort.",
    unknowns:
      "Tunnels that do not exist yet are told apart by what ipsecTunnelId depends on. A share whose tunnel or port cannot be told is passed over. Shares of other stacks are not seen.",
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
