import type { Random } from "../harness/random";
import type { OpenAdapter } from "../model/adapter";
import { partUrn, type Registration, typeTokens } from "../model/program";
import { type Args, plain, type Program } from "./alphabet";
import { adapters, alphabets, choices } from "./jobs";
import { faultKinds } from "./faults";
import type { Command, Setting } from "./run";
import { adopting, apart, Side, type Step } from "./side";

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
