import { z } from "zod";
import { durationSeconds } from "../../provider/dynamic/timeouts";
import { read } from "../known";
import { isInProduction } from "../names";
import { resourceRule } from "../rule";
import { production, strictProduction } from "../settings";

const seconds = (initial: number) => z.int().min(1).max(86_400).default(initial);

/** The provider's default. */
const byDefault = 3600;

export const timeTunnelDeletes = resourceRule(
  {
    name: "time-tunnel-deletes",
    topic: "Life cycle",
    description: "The delete timeout of a tunnel in a production stack must be neither too short nor too long.",
    reason:
      "Most replacements of a tunnel delete it first. If the timeout is too short, the update stops halfway and leaves the site without a tunnel. If it is too long, a stuck teardown blocks the stack for hours.",
    fix: 'set customTimeouts: { delete: "60m" } on the tunnel, or another time within the limits. The default is 60 minutes.',
    unknowns:
      "Options are always known. If the constructor and a transform set different timeouts, both must be within the limits. The dynamic provider and the plugin need not use the same one of the two.",
    severity: "medium",
    settings: {
      ...production,
      minSeconds: seconds(600).describe("Shortest delete timeout."),
      maxSeconds: seconds(7200).describe("Longest delete timeout, at least minSeconds."),
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

/** Returns the delete timeout that the constructor passed to the dynamic provider. The engine ignores `0s`, but the dynamic provider does not. */
function notedSeconds(props: object): number[] {
  const noted = read(props, "__timeouts");
  if (typeof noted !== "object" || noted === null) return [];
  const seconds = durationSeconds(read(noted, "delete"));
  return seconds === undefined ? [] : [seconds];
}
