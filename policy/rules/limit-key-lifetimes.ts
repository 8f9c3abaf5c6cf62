import { z } from "zod";
import { items, number, read } from "../known";
import { ofKind } from "../resources";
import { stackRule } from "../rule";

const seconds = (initial: number) => z.int().min(300).max(604_800).default(initial);

export const limitKeyLifetimes = stackRule(
  {
    name: "limit-key-lifetimes",
    topic: "Cryptography",
    description: "The keys of a tunnel must be renewed often and with forward secrecy.",
    reason:
      "Someone who gets a key can read everything that was sent under it. A short lifetime limits the amount. A group in phase 2 (forward secrecy) makes each key independent of the previous one.",
    fix: "have the operator of the service shorten the lifetimes and offer a group in phase 2. Until then, set shorter lifetimes on the remote device: the shorter lifetime ends a key.",
    unknowns:
      "tunnelConfig is known once the tunnel is deployed. As with refuse-weak-crypto, you see later changes of the service only with `--refresh`. The policy skips a lifetime that the service does not report.",
    severity: "medium",
    settings: {
      maxPhase1Seconds: seconds(86_400).describe("Longest lifetime of the keys of phase 1 (IKE), in seconds."),
      maxPhase2Seconds: seconds(28_800).describe("Longest lifetime of the keys of phase 2 (ESP), in seconds."),
      forwardSecrecy: z
        .boolean()
        .default(true)
        .describe("If true, the policy refuses a tunnel that allows phase 2 without a group."),
    },
    problem: ({ maxPhase1Seconds, maxPhase2Seconds }) =>
      maxPhase2Seconds > maxPhase1Seconds ? "maxPhase2Seconds: must not be above maxPhase1Seconds" : undefined,
    baseline: "advisory",
    strict: { enforcementLevel: "mandatory" },
    sources: [
      {
        title: "NIST SP 800-77 Rev. 1, Guide to IPsec VPNs",
        url: "https://csrc.nist.gov/pubs/sp/800/77/r1/final",
        says: "keys of limited life in both phases, and forward secrecy",
      },
      {
        title: "DISA, VPN Security Requirements Guide",
        url: "https://public.cyber.mil/stigs/",
        says: "24 hours for phase 1, 8 hours for phase 2",
      },
    ],
  },
  (resources, { maxPhase1Seconds, maxPhase2Seconds, forwardSecrecy }, report) => {
    for (const tunnel of ofKind(resources, "tunnel")) {
      const config = read(tunnel.props, "tunnelConfig");
      if (typeof config !== "object" || config === null) continue;
      const groups = read(config, "phase2DHGroupNumbers");
      const isBare =
        Array.isArray(groups) && (groups.length === 0 || items(config, "phase2DHGroupNumbers").includes("0"));
      const problems = [
        ...((number(config, "phase1LifetimeSeconds") ?? 0) > maxPhase1Seconds
          ? [`phase1LifetimeSeconds is over ${maxPhase1Seconds}`]
          : []),
        ...((number(config, "phase2LifetimeSeconds") ?? 0) > maxPhase2Seconds
          ? [`phase2LifetimeSeconds is over ${maxPhase2Seconds}`]
          : []),
        ...(forwardSecrecy && isBare ? ["phase2DHGroupNumbers does not ask for forward secrecy"] : []),
      ];
      if (problems.length > 0) report(`In tunnelConfig ${problems.join("; ")}.`, tunnel);
    }
  },
);
