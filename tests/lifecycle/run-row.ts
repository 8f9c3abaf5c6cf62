import type { Emulator } from "../../emulator";
import type { Driver, Held, Outcome, Row, Seen, Step } from "./row";
import { addresses } from "./rows/addresses";
import { adoption } from "./rows/adoption";
import { changes, drift } from "./rows/changes";
import { connections } from "./rows/connections";
import { errors, interrupts } from "./rows/errors";
import { identity } from "./rows/identity";
import { sets } from "./rows/sets";
import { timeouts } from "./rows/timeouts";

type State = Record<string, Held>;

/** Runs a row from an empty stack on, and expects of every step what it has to show. */
export async function runRow(driver: Driver, { settings = {}, steps }: Row): Promise<void> {
  await driver.begin(settings);
  for (const [number, step] of steps.entries()) {
    try {
      await runStep(driver, step);
      if (step.does === "up" && !step.sees.errors && (driver.isVirtual || step === steps.at(-1)))
        await expectQuiet(driver, step);
    } catch (error) {
      (error as Error).message = `step ${number + 1}, ${step.does}: ${(error as Error).message}`;
      throw error;
    }
  }
}

async function runStep(driver: Driver, step: Step): Promise<void> {
  const { emulator } = driver;
  const before = driver.held();
  step.before?.(emulator, (name) => unfolded(before)[name]?.id ?? "(none)");
  emulator.requests.length = 0;
  const state = driver.stateText();
  const others = liveIn(emulator).filter((id) => !new RegExp(`"id": ?"${id}"`).test(state));

  const outcome = await driver.run(step);

  const after = driver.held();
  const { sees } = step;
  const named = naming(before, after);
  const ordered = (writes: string[]) => (sees.inAnyOrder ? writes.sort() : writes);
  expect({ ...outcome, writes: ordered(writesOf(emulator).map(named)) }).toMatchObject({
    ...(sees.errors ? { isDone: false } : { isDone: true, errors: [] }),
    ...(isOpen(driver, step, outcome) ? {} : { effects: expectedEffects(driver, sees) }),
    writes: ordered([...(sees.writes ?? [])]),
  });
  for (const error of sees.errors ?? []) expect(named(outcome.errors.join("\n"))).toMatch(error);
  for (const line of sees.says ?? []) expect(named(outcome.said)).toMatch(line);
  expectKept(sees, before, after);
  expectIds(sees, outcome, before, after);
  expectRequests(sees, emulator);
  const retained = (sees.leaves ?? []).map((name) => unfolded(before)[name]?.id);
  if (outcome.isDone && step.does !== "preview")
    expect(liveIn(emulator)).toEqual([...new Set([...others, ...idsOf(after), ...retained])].sort());
  for (const secret of secretsOf(step, emulator)) {
    expect(driver.stateText()).not.toContain(secret);
    expect(outcome.said).not.toContain(secret);
  }
}

/**
 * True if the engine may show other effects: a refused preview may have begun with others, a wait may have ended before the command, and
 * a refresh shows no change where diff finds none. What it read is in the state all the same.
 */
function isOpen({ isVirtual }: Driver, { does, sees }: Step, { effects }: Outcome): boolean {
  if (isVirtual) return false;
  if (sees.errors) return does === "preview";
  return effects.length === 0 && (does === "refresh" || (does === "up" && !sees.writes));
}

const expectedEffects = ({ isVirtual }: Driver, { effects = [], effectsOnPulumi = effects }: Seen): string[] =>
  isVirtual ? effects : effectsOnPulumi;

async function expectQuiet(driver: Driver, { program }: Step & { does: "up" }): Promise<void> {
  driver.emulator.requests.length = 0;
  const outcome = await driver.again(program);
  const quiet = { isDone: true, effects: [], errors: [], writes: [] };
  expect({ again: { ...outcome, writes: writesOf(driver.emulator) } }).toMatchObject({ again: quiet });
}

/** The state with the shares of a set in its place, such as `services[web]`. */
const unfolded = (state: State): State =>
  Object.fromEntries(
    Object.entries(state).flatMap(([name, held]): [string, Held][] => {
      const { ids } = held.outputs;
      if (typeof ids !== "object") return [[name, held]];
      return Object.entries(ids as Record<string, string>).map(([key, id]) => [`${name}[${key}]`, { id, outputs: {} }]);
    }),
  );

const idsOf = (state: State) => Object.values(unfolded(state)).map(({ id }) => id);

const liveIn = (service: Emulator) =>
  [...service.tunnels(), ...service.shares()].flatMap(({ id, status }) => (status === "DELETED" ? [] : id)).sort();

const writesOf = ({ requests }: Emulator) =>
  requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, body }) => `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`);

/** Ids by the names of the row. */
function naming(before: State, after: State): (text: string) => string {
  const names = new Map<string, string>();
  const now = unfolded(after);
  // A connection has the id of its tunnel, which comes first and is set last.
  const all = (state: State) => Object.entries(unfolded(state)).reverse();
  for (const [name, { id }] of all(before)) names.set(id, now[name] ? `<old ${name}>` : `<${name}>`);
  for (const [name, { id }] of all(after)) names.set(id, `<${name}>`);
  return (text) => text.replace(/\b(tnl|shr)-[\w-]+/g, (id) => names.get(id) ?? id);
}

/** The state without the time from which a reading is the truth. */
const withoutTimes = (state: State): State =>
  Object.fromEntries(
    Object.entries(state).map(([name, { id, outputs }]) => {
      const others = Object.entries(outputs).filter(([output]) => output !== "__settlesAt");
      return [name, { id, outputs: Object.fromEntries(others) }];
    }),
  );

function expectKept({ kept }: Seen, before: State, after: State): void {
  if (!kept) expect(withoutTimes(after)).toEqual(withoutTimes(before));
  else {
    expect(Object.keys(after).sort()).toEqual(Object.keys(kept).sort());
    for (const [name, outputs] of Object.entries(kept)) expect(after[name]?.outputs).toMatchObject(outputs);
  }
}

function expectIds({ writes = [] }: Seen, { effects }: Outcome, before: State, after: State): void {
  const old = unfolded(before);
  /** A key of a set that is updated, as the row says. */
  const isMadeAnew = (name: string) => writes.some((write) => JSON.stringify(write).includes(`<old ${name}>`));
  for (const [name, { id }] of Object.entries(unfolded(after))) {
    if (old[name] && !isMadeAnew(name) && !effects.includes(`replace ${name.replace(/\[.*/, "")}`))
      expect({ name, id }).toEqual({ name, id: old[name].id });
  }
}

/** The status of a request in the log whose answer is lost. */
const noAnswer = 0;

function expectRequests({ isSilent, mostReads = Infinity, errors, waitsMs = 0 }: Seen, { requests }: Emulator): void {
  if (isSilent) expect(requests).toEqual([]);
  const writes = requests.filter(({ method }) => method !== "GET");
  expect(requests.length - writes.length).toBeLessThanOrEqual(mostReads);
  if (!errors) expect(writes.filter(({ status }) => status !== 202 && status !== noAnswer)).toEqual([]);
  const moments = [...writes, ...requests.slice(-1)].map(({ at }) => at);
  const pauses = writes.map(({ at }, number) => (moments[number + 1] ?? at) - at);
  expect(Math.min(Infinity, ...pauses)).toBeGreaterThanOrEqual(waitsMs);
}

/** The token, the pre-shared keys, and what the program calls secret. */
function secretsOf(step: Step, emulator: Emulator): string[] {
  const program = "program" in step ? JSON.stringify(step.program) : "";
  const declared = [...program.matchAll(/{"secret":"([^"]+)"}/g)].flatMap(([, value]) => value ?? []);
  return [...declared, emulator.token, ...emulator.tunnels().map(({ id }) => emulator.samplePsk(id))];
}

/** The lifecycle, row by row: every adapter shows all of it, in virtual time and on the engine. */
const rows: Row[] = [
  ...changes,
  ...identity,
  ...adoption,
  ...drift,
  ...errors,
  ...timeouts,
  ...interrupts,
  ...sets,
  ...connections,
  ...addresses,
];

/** The rows of an adapter. */
export const rowsOf = (name: "dynamic" | "plugin"): Row[] => rows.filter(({ adapter = name }) => adapter === name);
