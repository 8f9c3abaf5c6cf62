import type { Changes, Entry, Report } from "./operation.ts";

/** Returns a text such as `2 create, 1 update`. */
export const changesText = (changes: Changes = {}): string =>
  Object.entries(changes)
    .map(([op, count]) => `${count} ${op}`)
    .join(", ");

/** Returns the state of one stack in a few words. */
export function stateText({ state, changes, reason, attempts }: Entry): string {
  const again = attempts > 1 ? `, attempt ${attempts}` : "";
  if (state === "done") return `${reason ?? (changesText(changes) || "unchanged")}${again}`;
  return reason === undefined ? `${state}${again}` : `${state}${again}: ${reason}`;
}

/** Returns a line for every stack, and the totals below. */
export function reportText(report: Report): string {
  const rows = report.stacks.map((each) => [each.name, each.frontDoor, each.wave, stateText(each)]);
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join("  "));
  return [...lines, summary(report)].join("\n");
}

/** Returns a text such as `up of 30 stacks: 27 done, 3 failed`. */
export function summary({ stacks, operation }: Report): string {
  const states = ["done", "failed", "skipped", "cancelled", "running", "waiting"] as const;
  const counts = states.map((state) => [stacks.filter((each) => each.state === state).length, state] as const);
  const shown = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return `${operation} of ${stacks.length} stacks: ${shown.join(", ")}`;
}

/** Returns 0 if all stacks are done. Returns 1 otherwise, or if `drift` found a difference. */
export function exitCode({ operation, stacks }: Report): number {
  if (stacks.some(({ state }) => state !== "done")) return 1;
  return operation === "drift" && stacks.some(({ changes }) => changesText(changes) !== "") ? 1 : 0;
}
