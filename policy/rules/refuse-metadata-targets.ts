import { isOwn, targetOf } from "../hosts";
import { resourceRule } from "../rule";

export const refuseMetadataTargets = resourceRule(
  {
    name: "refuse-metadata-targets",
    topic: "Services",
    description: "A share must not publish its agent's own machine, metadata service or cluster API.",
    reason:
      "The hosting agent connects to the target from its own place. Services on its loopback address, on its link, in its cloud's metadata service and in its cluster's API trust the agent itself. Everyone who reaches one of them through a share acts with the agent's credentials.",
    fix: "publish the service by its address on its network. For a service on the agent's machine, use that machine's address.",
    unknowns:
      "The policy skips an unknown target until it is known. No setting allows such a target, but an exception with a reason and a last day excuses one share. The policy does not look names up, so it does not see that a name of yours leads to such an address. It also does not see a cluster's API by its address, or a metadata service with another address.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
    sources: [
      {
        title: "RFC 3927",
        url: "https://www.rfc-editor.org/rfc/rfc3927",
        says: "IPv4 link-local space, where most clouds have their metadata service (169.254.169.254)",
      },
      { title: "RFC 6761", url: "https://www.rfc-editor.org/rfc/rfc6761", says: "`localhost` and what lies under it" },
    ],
  },
  "share",
  ({ props }, _settings, report) => {
    const host = targetOf(props)?.host;
    if (host !== undefined && isOwn(host))
      report("target is the agent's own machine, a metadata service or the API of a cluster.");
  },
);
