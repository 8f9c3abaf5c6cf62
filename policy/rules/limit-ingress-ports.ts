import { z } from "zod";
import { number } from "../known";
import { resourceRule } from "../rule";

const isRange = (range: string) => {
  const [from = 0, to = from] = range.split("-").map(Number);
  return from >= 1 && from <= to && to <= 65535;
};

export const limitIngressPorts = resourceRule(
  {
    name: "limit-ingress-ports",
    topic: "Services",
    description: "A share's ingress port must be in the ranges agreed with the sites.",
    reason:
      "Remote sites open their firewalls for agreed ranges. A port outside them deploys without an error, but the site cannot reach it, or opens more than it should.",
    fix: "choose an ingressPort in one of allowedRanges, or agree on the range and add it.",
    unknowns: "The policy skips an unknown ingressPort until it is known.",
    severity: "medium",
    settings: {
      allowedRanges: z
        .array(
          z
            .string()
            .regex(/^\d{1,5}(-\d{1,5})?$/, { error: 'must be a port or a range such as "443" or "8000-8999"' })
            .refine(isRange, { error: "must go upwards within 1 to 65535" }),
        )
        .min(1)
        .default(["1-65535"])
        .describe("Ports and ranges of ports that shares may use."),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", allowedRanges: ["80", "443", "1024-65535"] },
  },
  "share",
  ({ props }, { allowedRanges }, report) => {
    const port = number(props, "ingressPort");
    if (port === undefined) return;
    const allowed = allowedRanges.some((range) => {
      const [from = 0, to = from] = range.split("-").map(Number);
      return from <= port && port <= to;
    });
    if (!allowed) report(`ingressPort is outside allowedRanges (${allowedRanges.join(", ")}).`);
  },
);
