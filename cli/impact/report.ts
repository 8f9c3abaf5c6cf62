import type { Change, Effect } from "./changes";
import { changesIn } from "./changes";
import type { Durations } from "./durations";
import type { Preview } from "./preview";
import { scheduleOf, type Span } from "./schedule";

/** A change with its place in the run. */
export interface Item extends Change {
  typical: Span;
  worst: Span;
}

export interface Report {
  counts: Record<Effect, number>;
  /** In order of time. */
  items: Item[];
  /** The longest time, in seconds, from the first to the last interruption, and to its end from the begin of the run. */
  worst: { lasts: number; ends: number };
  typical: { lasts: number; ends: number };
  /** False if shares that leave the program can be missing. */
  isComplete: boolean;
}

/** Returns what a preview changes, and when. @throws Misuse for a preview that is not understood. */
export function reportOf(preview: Preview, durations: Durations): Report {
  const changes = changesIn(preview);
  const [typical, worst] = (["typical", "worst"] as const).map((measure) =>
    scheduleOf(preview, changes, durations, measure),
  );
  const none: Span = { begins: 0, ends: 0 };
  const items = changes
    .map((change) => ({ ...change, typical: typical?.get(change) ?? none, worst: worst?.get(change) ?? none }))
    .sort((a, b) => a.typical.begins - b.typical.begins);
  const counts = { created: 0, interrupted: 0, moved: 0, removed: 0 };
  for (const { effect } of items) counts[effect] += 1;
  return {
    counts,
    items,
    isComplete: preview.isComplete,
    typical: outage(items, "typical"),
    worst: outage(items, "worst"),
  };
}

/** The number of tunnels and shares that users cannot reach for a while, or never again. */
export const disturbed = ({ counts: { interrupted, moved, removed } }: Report): number => interrupted + moved + removed;

function outage(items: Item[], measure: "typical" | "worst"): { lasts: number; ends: number } {
  const spans = items.filter(({ effect }) => effect !== "created").map((item) => item[measure]);
  let [begins, last] = [Infinity, 0];
  for (const { begins: from, ends } of spans) {
    begins = Math.min(begins, from);
    last = Math.max(last, ends === Infinity ? from : ends);
  }
  return spans.length === 0 ? { lasts: 0, ends: 0 } : { lasts: last - begins, ends: last };
}
