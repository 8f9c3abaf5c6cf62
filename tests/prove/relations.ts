import type { Random } from "../chaos/random";
import { partUrn, type Registration, typeTokens } from "../model/program";
import { type Args, type Edit, plain, type Program } from "./alphabet";
import { adapters, alphabets, choices } from "./jobs";
import { faultKinds } from "./run";
import { adopting, apart, Side, type Step } from "./side";

export interface Played {
  steps: readonly Step[];
  random: Random;
  /** What could be edited now. */
  editsOf: (side: Side) => Edit[];
}

/** Two ways to the same end: the steps one after another, and this one. */
export interface Relation {
  only?: keyof typeof alphabets;
  /** Edits after which the two ways may end differently. */
  leavesOut?: (edit: string, program: Program) => boolean;
  setting?: Partial<Side["setting"]>;
  play: (side: Side, played: Played) => Promise<unknown>;
}

type Change = (program: Program, played: Played) => Program;

/** Every program of the history in another form. */
const each =
  (change: Change, how: Parameters<Side["up"]>[1] = {}): Relation["play"] =>
  async (side, played) => {
    for (const step of played.steps) await side.up(change(side.of(step), played), how);
  };
const same: Change = (program) => program;

/** Something else happens after one of the steps. */
const once =
  (between: (side: Side, played: Played, step: Step) => Promise<unknown>, after: Change = same): Relation["play"] =>
  async (side, played) => {
    const at = played.random.upTo(played.steps.length - 1);
    for (const [nth, step] of played.steps.entries()) {
      await side.up(nth > at ? after(side.of(step), played) : side.of(step));
      if (nth === at) await between(side, played, step);
    }
  };

/** Something happens after each step. */
const always =
  (between: (side: Side) => Promise<unknown>): Relation["play"] =>
  async (side, { steps }) => {
    for (const step of steps) {
      await side.up(side.of(step));
      await between(side);
    }
  };

/** From nothing to the last program. */
const atOnce =
  (up: (side: Side, program: Program, played: Played) => Promise<unknown>): Relation["play"] =>
  (side, played) =>
    up(side, plain(played.steps.at(-1)?.program ?? []), played);

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, by: random.next() }))
    .sort((one, other) => one.by - other.by)
    .map(({ item }) => item);

const renamed = (urn: string) => `${urn}-renamed`;
const around = (urn: string) => urn.replace("::prove::", "::prove::prove:index:Outer$");
const elsewhere = (urn: string) => urn.replace("urn:pulumi:test::", "urn:pulumi:second::");

const called =
  (name: (urn: string) => string): Change =>
  (program) =>
    program.map((one) => ({ ...one, urn: name(one.urn), aliases: one.aliases.map(name) }));

/** The same program under other names, in a run that is told what it was called. */
const aliased = (name: (urn: string) => string) =>
  once(
    (side) => side.up(plain(side.program).map((one) => ({ ...one, urn: name(one.urn), aliases: [one.urn] }))),
    called(name),
  );

/** The shares of a set, each declared by itself. */
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

/** Some resources leave for a second stack, and come back. */
async function splitAndJoined(side: Side, { random }: Played): Promise<void> {
  const program = plain(side.program);
  const ids = side.ids();
  const tunnels = program.filter(({ kind }) => kind === "tunnels" && random.chance(0.4)).map(({ slot }) => slot);
  const leaves = ({ slot, on }: Registration) =>
    tunnels.includes(slot) || (on !== undefined && (tunnels.includes(on) || random.chance(0.6)));
  const leaving = program.filter(leaves);
  const there = called(elsewhere)(leaving, {} as Played);
  side.forget("test", leaving);
  await side.up(apart(adopting(there, ids), ids), {}, "second");
  await side.up(
    apart(
      program.filter((one) => !leaving.includes(one)),
      ids,
    ),
  );
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

async function editedAndReverted(side: Side, { random, editsOf }: Played): Promise<void> {
  const before = plain(side.program);
  const isUndone = ({ name, isOneWay, isRefusable }: Edit) => !isOneWay && !isRefusable && !/retain|adopt/.test(name);
  const edits = editsOf(side).filter(isUndone);
  if (edits.length > 0) await side.up(random.pick(edits).program);
  await side.up(before);
}

/** A share that leaves its set with `retain` stays at the service, in no state. */
const leavesShare = (edit: string, program: Program): boolean =>
  edit.includes("remove") && JSON.stringify(program).includes("retain");

/** Pairs of histories that must end in the same state of the service. */
export const relations: Readonly<Record<string, Relation>> = {
  "declarations in another order": { play: each((program, { random }) => shuffled(program, random)) },
  "everything renamed with aliases": { play: aliased(renamed) },
  "everything renamed with adopt": {
    play: once(async (side) => {
      const program = adopting(called(renamed)(side.program, {} as Played), side.ids());
      await side.up(program);
    }, called(renamed)),
  },
  "a component around everything": { play: each(called(around)) },
  "everything moves into a component": { play: aliased(around) },
  "single shares for a set": {
    only: "sets",
    leavesOut: (edit, program) => leavesShare(edit, program) || edit.includes("takes the port"),
    play: each(singly),
  },
  "plugin for dynamic provider": { setting: { host: adapters.plugin }, play: each(same) },
  "a service that chooses differently": { setting: { choices: choices.other }, play: each(same) },
  "--parallel 1 for no limit": { setting: { parallel: 1 }, play: each(same) },
  "each up twice": { play: always((side) => side.up(side.program)) },
  "up --refresh for up": { play: each(same, { isRefreshed: true }) },
  "a preview before each up": { play: each(same, { isPreviewed: true }) },
  "each run on another machine": { play: always((side) => Promise.resolve(side.forgetRecords())) },
  "a fault that is recovered": { play: failedAndRecovered },
  "an edit that is reverted": { leavesOut: leavesShare, play: once(editedAndReverted) },
  "split into two stacks and joined": { play: once(splitAndJoined) },
  "two stacks from the start": {
    leavesOut: leavesShare,
    play: atOnce(async (side, program) => {
      await side.up(
        called(elsewhere)(
          program.filter(({ kind }) => kind === "tunnels"),
          {} as Played,
        ),
        {},
        "second",
      );
      await side.up(
        apart(
          program.filter(({ kind }) => kind !== "tunnels"),
          side.ids(),
        ),
      );
    }),
  },
  "the last program only": { leavesOut: leavesShare, play: atOnce((side, program) => side.up(program)) },
  "the program in two runs": {
    leavesOut: leavesShare,
    play: atOnce(async (side, program, { random }) => {
      const first = program.filter(({ kind }) => kind === "tunnels" || random.chance(0.5));
      await side.up(first);
      await side.up(program);
    }),
  },
  "everything destroyed and created again": {
    play: once(async (side) => {
      const { program } = side;
      await side.up([]);
      await side.up(plain(program));
    }),
    leavesOut: leavesShare,
  },
};
