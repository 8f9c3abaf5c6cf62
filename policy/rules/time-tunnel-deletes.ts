import { z } from "zod";
import { durationSeconds } from "../../provider/dynamic/timeouts";
import { read } from "../known";
import { isInProduction } from "../names";
import { resourceRule } from "../rule";
import { production, strictProduction } from "../settings";

const seconds = (initial: number) => z.int().min(1).max(86_400).default(initial);

/** What the provider takes where nothing is set. */
const byDefault = 1800;

export const timeTunnelDeletes = resourceRule(
  {
    name: "time-tunnel-deletes",
    topic: "Life cycle",
    description: "Tunnels of production stacks must have time for their delete, and not too much.",
    reason:
      "A replaced tunnel is deleted first. With a timeout that is too short the update gives up halfway and leaves the site without a tunnel; with one that is too long a stuck teardown blocks the stack for hours.",
    fix: 'set customTimeouts: { delete: "30m" } where the tunnel is made, or another time within the limits, or leave it out for the default of 30 minutes.',
    unknowns:
      "Options are always known. Where the constructor and a transform set different timeouts both have to be within the limits, as which of them counts depends on the host.",
    severity: "medium",
    settings: {
      ...production,
      minSeconds: seconds(600).describe("Shortest delete timeout."),
      maxSeconds: seconds(7200).describe("Longest delete timeout; not under minSeconds."),
    },
    problem: ({ minSeconds, maxSeconds }) =>
      minSeconds > maxSeconds ? "minSeconds: must not be above maxSeconds" : undefined,
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", ...strictProduction, maxSeconds: 3600 },
  },
  "tunnel",
  ({ urn, opts, props }, settings, report) => {
    if (!isInProduction(urn, settings)) return;
    const { deleteSeconds } = opts.customTimeouts;
    const set = [...(deleteSeconds === 0 ? [] : [deleteSeconds]), ...notedSeconds(props)];
    const timeouts = set.length === 0 ? [byDefault] : set;
    if (timeouts.some((each) => each < settings.minSeconds))
      report(`Its delete timeout is under ${settings.minSeconds} seconds.`);
    else if (timeouts.some((each) => each > settings.maxSeconds))
      report(`Its delete timeout is over ${settings.maxSeconds} seconds.`);
  },
);

/** What the class has noted for the dynamic provider, of the constructor's options: for the engine `0s` is none, there it is one. */
function notedSeconds(props: object): number[] {
  const noted = read(props, "__timeouts");
  if (typeof noted !== "object" || noted === null) return [];
  const seconds = durationSeconds(read(noted, "delete"));
  return seconds === undefined ? [] : [seconds];
}
