import { z } from "zod";
import { isInStack } from "../names";
import { resourceRule } from "../rule";
import { productionStacks } from "../settings";

const seconds = (initial: number) => z.int().min(1).max(86_400).default(initial);

export const timeTunnelDeletes = resourceRule(
  {
    name: "time-tunnel-deletes",
    topic: "Life cycle",
    description: "Tunnels of production stacks must have a delete timeout.",
    reason:
      "A replaced tunnel is deleted first. With a timeout that is too short the update gives up halfway and leaves the site without a tunnel; with one that is too long a stuck teardown blocks the stack for hours.",
    fix: 'set customTimeouts: { delete: "30m" }, or another time within the limits, in the tunnel\'s options.',
    unknowns: "Options are always known.",
    severity: "medium",
    settings: {
      productionStacks,
      minSeconds: seconds(600).describe("Shortest delete timeout."),
      maxSeconds: seconds(7200).describe("Longest delete timeout."),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", maxSeconds: 3600 },
  },
  "tunnel",
  ({ urn, opts }, settings, report) => {
    if (!isInStack(urn, settings.productionStacks)) return;
    const { deleteSeconds } = opts.customTimeouts;
    if (deleteSeconds === 0) report("It is in a production stack and has no delete timeout.");
    else if (deleteSeconds < settings.minSeconds) report(`Its delete timeout is under ${settings.minSeconds} seconds.`);
    else if (deleteSeconds > settings.maxSeconds) report(`Its delete timeout is over ${settings.maxSeconds} seconds.`);
  },
);
