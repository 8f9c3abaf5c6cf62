import { edits } from "./edits";
import { setMoves } from "./edits-set-moves";
import { setEdits } from "./edits-sets";
import type { Cancel, Kill, PlannedFault, Schedule, SetArgs, Step } from "./schedule";

type Counts = Map<string, number>;

const count = (counts: Counts, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

const told = (counts: Counts) =>
  [...counts]
    .sort(([a, n], [b, m]) => m - n || a.localeCompare(b))
    .map(([key, n]) => `${key} ${n}`)
    .join(", ");

const faultName = (fault: PlannedFault) => ("op" in fault ? `${fault.fault} ${fault.op}` : fault.fault);
const sizeOf = ({ shares }: SetArgs) => Object.keys(shares).length;
const killName = ({ who }: Kill) => `${who} killed`;
const cancelName = ({ againMs }: Cancel) => (againMs === undefined ? "once" : "twice");

/** Columns are few enough for a page: related faults go together. */
const columns: Record<string, (step: Step) => boolean> = {
  nothing: ({ faults, kill, cancel }) => faults.length === 0 && !kill && !cancel,
  lost: hasFault("drop", "cut", "late", "delay", "trickle", "endless"),
  refused: hasFault("answer", "limit", "redirect"),
  broken: hasFault("html", "garbage", "shape"),
  failed: hasFault("fail", "stick"),
  engine: hasKill("engine"),
  provider: hasKill("provider"),
  both: hasKill("both"),
  cancel: ({ cancel }) => cancel !== undefined,
};

function hasFault(...kinds: string[]) {
  return ({ faults }: Step) => faults.some(({ fault }) => kinds.includes(fault));
}
function hasKill(who: Kill["who"]) {
  return ({ kill }: Step) => kill?.who === who;
}

/** How much of everything the generator has drawn. */
export function drawn(schedules: Schedule[]): string[] {
  const runs: Counts = new Map();
  const made: Counts = new Map();
  const faults: Counts = new Map();
  const kills: Counts = new Map();
  const cancels: Counts = new Map();
  for (const { run, edits: names = [], faults: planned, kill, cancel } of schedules.flatMap(({ steps }) => steps)) {
    count(runs, run);
    for (const name of names) count(made, name);
    for (const fault of planned) count(faults, faultName(fault));
    if (kill) count(kills, `${killName(kill)} ${kill.when}`);
    if (cancel) count(cancels, cancelName(cancel));
  }
  const weights = Object.entries({ ...edits, ...setEdits, ...setMoves }).map(
    ([name, { weight }]) => `${name} ${weight}`,
  );
  const sizes = schedules.map(({ steps }) =>
    Math.max(...steps.flatMap(({ program: { sets = {} } }) => [0, ...Object.values(sets).map(sizeOf)])),
  );
  const withSets = sizes.filter((size) => size > 0);
  return [
    `weights: ${weights.join(", ")}`,
    `runs: ${told(runs)}`,
    `edits: ${told(made)}`,
    `sets: in ${withSets.length} of ${schedules.length} schedules, the largest of ${Math.max(0, ...withSets)} shares`,
    `faults: ${told(faults)}`,
    `kills: ${told(kills)}`,
    `cancels: ${told(cancels)}`,
  ];
}

/** Which edit met which fault or kill in the steps of these schedules, and how often it was refused. */
export function coverage(schedules: Schedule[], refusals: string[]): string[] {
  const steps = schedules.flatMap((schedule) => schedule.steps);
  const names = [...new Set(steps.flatMap((step) => step.edits ?? ["(none)"]))].sort();
  const widest = Math.max(0, ...names.map((name) => name.length));
  const row = (name: string, cells: (string | number)[]) =>
    `${name.padEnd(widest)} ${cells.map((cell) => String(cell).padStart(8)).join(" ")}`;
  return [
    row("", [...Object.keys(columns), "not done"]),
    ...names.map((name) => {
      const own = steps.filter((step) => (step.edits ?? ["(none)"]).includes(name));
      const refused = refusals.filter((line) => line.split(": ")[0]?.split(" + ").includes(name)).length;
      return row(name, [...Object.values(columns).map((isMet) => own.filter(isMet).length), refused]);
    }),
  ];
}

/** The reasons of refusals with ids and names taken out, most frequent first. */
export function reasons(refusals: string[]): string[] {
  const counts: Counts = new Map();
  for (const line of refusals) {
    count(
      counts,
      line
        .replace(/\b(?:shr|tnl)-[\w-]+/g, "ID")
        .replace(/"[^"]*"/g, "NAME")
        .replace(/\b[st]\d[\w-]*/g, "X"),
    );
  }
  return [...counts].sort(([, n], [, m]) => m - n).map(([line, n]) => `${n} × ${line}`);
}
