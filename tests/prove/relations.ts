import { setMaxListeners } from "node:events";
import { Random } from "../harness/random";
import { type OpenAdapter, partUrn, type Registration, typeTokens, flatState, type Kept } from "../model/program";
import { type Args, type Edit, plain, type Program, withEach } from "./alphabet";
import { heldOf } from "./checks";
import { faultKinds } from "./faults";
import { adapters, alphabets, choices } from "./jobs";
import { type Command, type Ran, run, type Setting, type Snapshot } from "./run";
import { start } from "./walk";

export interface Played {
  steps: readonly Step[];
  random: Random;
}

/** A second way to the same end: the first side runs the steps one after another, the second side runs `play`. */
export interface Relation {
  only?: keyof typeof alphabets;
  /** True for edits after which the two sides may end differently. */
  leavesOut?: (edit: string, program: Program) => boolean;
  /** The setting of the second side, from that of the first. */
  setting?: (setting: Setting) => Setting;
  play: Play;
}

type Play = (side: Side, played: Played) => Promise<unknown>;

type Change = (program: Program, random: Random) => Program;

/** Runs every program of the history in another form, or after another command. */
const each =
  (change: Change, first?: Partial<Command>): Play =>
  async (side, { steps, random }) => {
    for (const step of steps) {
      const program = change(side.of(step), random);
      if (first) await side.up(program, first);
      await side.up(program);
    }
  };
const same: Change = (program) => program;

/** Runs `between` after a random step. The programs after that step have another form. */
const once =
  (between: (side: Side, played: Played) => Promise<unknown>, after: Change = same): Play =>
  async (side, played) => {
    const { steps, random } = played;
    const at = random.upTo(steps.length - 1);
    for (const [nth, step] of steps.entries()) {
      await side.up(nth > at ? after(side.of(step), random) : side.of(step));
      if (nth === at) await between(side, played);
    }
  };

/** Runs only the last program, from nothing. */
const atOnce =
  (up: (side: Side, program: Program, random: Random) => Promise<unknown>): Play =>
  (side, { steps, random }) =>
    up(side, plain(steps.at(-1)?.program ?? []), random);

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, by: random.next() }))
    .sort((one, other) => one.by - other.by)
    .map(({ item }) => item);

/** The resources in another order, and also the keys of sets. */
const reordered: Change = (program, random) =>
  shuffled(program, random).map((one) => {
    const { shares, ...rest } = one.args;
    const parts = shares && Object.fromEntries(shuffled(Object.entries(shares), random));
    return shares ? { ...one, args: { ...rest, shares: parts } } : one;
  });

const renamed = (urn: string) => `${urn}-renamed`;
const around = (urn: string) => urn.replace("::prove::", "::prove::prove:index:Outer$");
const elsewhere = (urn: string) => urn.replace("urn:pulumi:test::", "urn:pulumi:second::");

const called =
  (name: (urn: string) => string) =>
  (program: Program): Program =>
    program.map((one) => ({ ...one, urn: name(one.urn), aliases: one.aliases.map(name) }));

/** The same program under other names. One run has the old names as aliases. */
const aliased = (name: (urn: string) => string) =>
  once(
    (side) => side.up(plain(side.program).map((one) => ({ ...one, urn: name(one.urn), aliases: [one.urn] }))),
    called(name),
  );

/** The program with each share of a set declared as a single share. */
const singly: Change = (program) =>
  program.flatMap((one): Registration[] => {
    if (one.kind !== "sets") return [one];
    const { shares, ...rest } = one.args as { shares: Record<string, Args> };
    const urnOf = (urn: string, key: string) =>
      partUrn(urn, key).replace(typeTokens.sets, typeTokens.shares).replace("#", "-");
    return Object.entries(shares).map(([key, { retain: _, ...args }]) => ({
      ...{ ...one, kind: "shares", slot: key, args: { ...rest, ...args } },
      ...{ urn: urnOf(one.urn, key), aliases: one.aliases.map((alias) => urnOf(alias, key)) },
    }));
  });

/** The adapter with one call at a time, as with `--parallel 1`. */
const singleFile =
  (open: OpenAdapter): OpenAdapter =>
  (service, setting) => {
    const adapter = open(service, setting);
    let last: Promise<unknown> = Promise.resolve();
    const queued = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
      const answer = last.then(call);
      last = answer.catch(() => undefined);
      return answer;
    };
    return {
      ...adapter,
      check: (...given) => queued(() => adapter.check(...given)),
      diff: (...given) => queued(() => adapter.diff(...given)),
      create: (...given) => queued(() => adapter.create(...given)),
      read: (...given) => queued(() => adapter.read(...given)),
      update: (...given) => queued(() => adapter.update(...given)),
      delete: (...given) => queued(() => adapter.delete(...given)),
    };
  };

/** Moves some resources to a second stack, and back. */
async function splitAndJoined(side: Side, { random }: Played): Promise<void> {
  const program = plain(side.program);
  const ids = side.ids();
  const tunnels = program.filter(({ kind }) => kind === "tunnels" && random.chance(0.4)).map(({ slot }) => slot);
  const leaves = ({ slot, on }: Registration) =>
    tunnels.includes(slot) || (on !== undefined && (tunnels.includes(on) || random.chance(0.6)));
  const leaving = program.filter(leaves);
  const there = called(elsewhere)(leaving);
  side.forget("test", leaving);
  await side.up(apart(adopting(there, ids), ids), {}, "second");
  const staying = program.filter((one) => !leaving.includes(one));
  await side.up(apart(staying, ids));
  side.forget("second", there);
  await side.up([], {}, "second");
  await side.up(program.map((one) => (leaving.includes(one) ? (adopting([one], ids)[0] ?? one) : one)));
  await side.up(program);
}

async function failedAndRecovered(side: Side, { steps, random }: Played): Promise<void> {
  const at = random.upTo(steps.length - 1);
  for (const [nth, step] of steps.entries()) {
    const program = side.of(step);
    const fault = { at: random.upTo(Math.max(0, step.requests - 1)), kind: random.pick(faultKinds) };
    const { error } = await side.up(program, nth === at ? { fault } : {});
    if (nth === at && error !== undefined) await side.up(program, { isRefreshed: true });
  }
}

/** A share that leaves its set with `retain` stays at the service, in no state. */
const leavesShare = (edit: string, program: Program): boolean =>
  edit.includes("remove") && JSON.stringify(program).includes("retain");

/** Pairs of histories that must end in the same state of the service. */
export const relations: Readonly<Record<string, Relation>> = {
  "declarations in another order": { play: each(reordered) },
  "everything renamed with aliases": { play: aliased(renamed) },
  "everything renamed with adopt": {
    play: once((side) => side.up(adopting(called(renamed)(side.program), side.ids())), called(renamed)),
  },
  "a component around everything": { play: each(called(around)) },
  "everything moves into a component": { play: aliased(around) },
  "single shares for a set": {
    only: "sets",
    leavesOut: (edit, program) => leavesShare(edit, program) || edit.includes("takes the port"),
    play: each(singly),
  },
  "plugin for dynamic provider": {
    setting: (one) => ({ ...one, adapter: one.adapter === adapters.plugin ? adapters.dynamic : adapters.plugin }),
    play: each(same),
  },
  "a service that chooses differently": {
    setting: (one) => ({ ...one, choices: one.choices === choices.plain ? choices.other : choices.plain }),
    play: each(same),
  },
  "--parallel 1 for no limit": { setting: (one) => ({ ...one, adapter: singleFile(one.adapter) }), play: each(same) },
  "each up twice": { play: each(same, {}) },
  "refresh, then up": { play: each(same, { does: "refresh" }) },
  "a preview before each up": { play: each(same, { does: "preview" }) },
  "another machine, without the records": {
    play: once(async (side) => {
      side.forgetRecords();
      await side.up(side.program);
    }),
  },
  "a fault that is recovered": { play: failedAndRecovered },
  "split into two stacks and joined": { play: once(splitAndJoined) },
  "two stacks from the start": {
    leavesOut: leavesShare,
    play: atOnce(async (side, program) => {
      const [tunnels, others] = [true, false].map((is) => program.filter(({ kind }) => (kind === "tunnels") === is));
      await side.up(called(elsewhere)(tunnels ?? []), {}, "second");
      await side.up(apart(others ?? [], side.ids()));
    }),
  },
  "the last program only": { leavesOut: leavesShare, play: atOnce((side, program) => side.up(program)) },
  "the program in two runs": {
    leavesOut: leavesShare,
    play: atOnce(async (side, program, random) => {
      await side.up(program.filter(({ kind }) => kind === "tunnels" || random.chance(0.5)));
      await side.up(program);
    }),
  },
  "everything destroyed and created again": {
    play: once(async (side) => {
      const program = plain(side.program);
      await side.up([]);
      await side.up(program);
    }),
    leavesOut: leavesShare,
  },
};

/** A pair whose sides did not end in the same state. */
export interface Difference {
  seed: number;
  relation: string;
  edits: string[];
  lines: string[];
}

const mostEdits = 3;

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

/** Plays the pair of a seed. Returns undefined if both sides end in the same state. */
export async function pair(name: string, seed: number): Promise<Difference | undefined> {
  const random = new Random(seed);
  const relation = relations[name];
  if (!relation) throw new Error(`${name} is no relation`);
  const alphabet = alphabets[relation.only ?? random.pick(["singles", "sets"] as const)];
  const setting: Setting = {
    choices: choices[random.pick(["plain", "other"] as const)],
    adapter: adapters[random.pick(["dynamic", "plugin"] as const)],
  };
  const editsOf = (side: Side): Edit[] =>
    alphabet
      .editsOf(side.program, side.now.stacks.test.state)
      .filter(({ stranger, replaced }) => !stranger && !replaced)
      .filter((edit) => relation.leavesOut?.(edit.name, side.program) !== true);
  const one = new Side(setting);
  const start = alphabet.start.map((each) =>
    withEach(each, (args, slot) => (random.chance(0.2) ? { ...args, name: `own-${slot}` } : args)),
  );
  const steps = await drawn(one, start, editsOf, random);
  const other = new Side(relation.setting?.(setting) ?? setting);
  await relation.play(other, { steps, random });
  const [ends, others] = [one.end(), other.end()];
  const lines = [
    ...ends.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
    ...others.filter((line) => !ends.includes(line)).map((line) => `+ ${line}`),
  ];
  return lines.length === 0 && ends.length === others.length
    ? undefined
    : { seed, relation: name, edits: steps.map(({ edit }) => edit), lines };
}

/** Draws and plays a history of `up` and a few edits. */
async function drawn(side: Side, start: Program, editsOf: (side: Side) => Edit[], random: Random): Promise<Step[]> {
  const steps: Step[] = [];
  for (let left = random.upTo(mostEdits); left >= 0; left--) {
    const edit = steps.length === 0 ? { name: "up", program: start } : random.pick(editsOf(side));
    const slots = new Map([...side.ids()].map(([slot, id]) => [id, slot]));
    const { now } = side;
    const { requests, error } = await side.up(edit.program);
    // The program asks for something impossible, such as one port twice.
    if (error !== undefined) side.now = now;
    else steps.push({ edit: edit.name, program: edit.program, slots, requests: requests.length });
  }
  if (steps.length === 0) throw new Error("the program is refused from the start");
  return steps;
}

type Stack = "test" | "second";

/** One run of a history: its program, and the slot of each id before the run. */
export interface Step {
  edit: string;
  program: Program;
  slots: ReadonlyMap<string, string>;
  requests: number;
}

/** The world after a run of a history. */
interface Moment {
  world: Omit<Snapshot, "state">;
  stacks: Readonly<Record<Stack, { program: Program; state: readonly Kept[] }>>;
  /** Message of the first run that failed. */
  error: string | undefined;
}

const nothing: Moment = {
  world: start,
  stacks: { test: { program: [], state: [] }, second: { program: [], state: [] } },
  error: undefined,
};

/** One of the two histories of a pair, while it is played. */
export class Side {
  /** The world now. Set an earlier one to go back. */
  now = nothing;

  constructor(readonly setting: Setting) {}

  get program(): Program {
    return this.now.stacks.test.program;
  }

  /** Runs `up` of a program, or the command of `how`. */
  async up(program: Program, how: Partial<Command> = {}, stack: Stack = "test"): Promise<Ran> {
    const { world, stacks, error } = this.now;
    const snapshot = { ...world, state: stacks[stack].state };
    const ran = await run(this.setting, snapshot, { isRefreshed: false, ...how, program });
    this.now = {
      world: ran.after,
      stacks: { ...stacks, [stack]: { program: how.does ? stacks[stack].program : program, state: ran.after.state } },
      error: error ?? (how.fault ? undefined : ran.error),
    };
    return ran;
  }

  /** A step's program with the ids of this side's resources. */
  of({ program, slots }: Step): Program {
    const ids = this.ids();
    const own = (args: Args): Args =>
      args["adopt"] === undefined ? args : { ...args, adopt: ids.get(slots.get(args["adopt"] as string) ?? "") };
    return program.map((one) => withEach(one, own));
  }

  /** Ids by slot, those of keys included. */
  ids(): Map<string, string> {
    return new Map(Object.values(this.now.stacks).flatMap(({ program, state }) => [...heldOf(program, state)]));
  }

  /** Loses the provider's files. */
  forgetRecords(): void {
    this.now = { ...this.now, world: { ...this.now.world, records: new Map() } };
  }

  /** `pulumi state delete`. */
  forget(stack: Stack, program: Program): void {
    const { stacks } = this.now;
    const state = stacks[stack].state.filter(({ urn }) => !program.some((one) => one.urn === urn));
    this.now = { ...this.now, stacks: { ...stacks, [stack]: { program: stacks[stack].program, state } } };
  }

  /** The lines that must be identical on both sides: everything at the service and in the states, without ids and derived names. */
  end(): string[] {
    const { world, stacks, error } = this.now;
    const slots = new Map([...this.ids()].map(([slot, id]) => [id, slot]));
    const nameOf = (name: string) => (name.startsWith("prove-") ? "derived" : name);
    const idOf = (id: string) => slots.get(id) ?? (id.includes("stranger") ? id : "in no state");
    const items = world.items
      .filter(({ status }) => status !== "DELETED")
      .map(({ id, kind, status, fields }) => {
        const { name, ipsecTunnelId: on, ...rest } = fields;
        const told = { name: nameOf(String(name)), ...(on !== undefined && { on: idOf(String(on)) }), ...rest };
        return `at the service: ${kind} ${idOf(id)} ${status} ${JSON.stringify(Object.entries(told).sort())}`;
      });
    const kept = Object.values(stacks).flatMap(({ state }) => flatState([...state]));
    const held = kept.map(({ id, outputs, isPartial, delete: isDoomed = false }) =>
      ["in the state:", idOf(id), outputs["status"], isPartial && "partial", isDoomed && "to be deleted"].join(" "),
    );
    // A record of a delete may stay for days.
    const creates = [...world.records.values()].filter((text) => text.includes("postedAtMs"));
    const records = creates.map(() => "a record of an unfinished create");
    return [...items, ...held, ...records, ...(error === undefined ? [] : [`failed: ${error}`])].sort();
  }
}

export const adopting = (program: Program, ids: ReadonlyMap<string, string>): Program =>
  plain(program).map((one) => withEach(one, (args, slot) => ({ ...args, adopt: ids.get(slot) })));

/** The program of one of two stacks. A share names its tunnel by id if the other stack declares the tunnel. */
export const apart = (program: Program, ids: ReadonlyMap<string, string>): Program =>
  program.map(({ on, ...one }) =>
    on === undefined || program.some(({ slot }) => slot === on)
      ? { ...one, ...(on !== undefined && { on }) }
      : { ...one, args: { ...one.args, ipsecTunnelId: ids.get(on) } },
  );
