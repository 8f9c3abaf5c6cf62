import { nameOf } from "../harness/state";
import { type Kind, type Registration, typeTokens } from "../model/program";
import type { Kept } from "../model/state";
import type { Item } from "./service";

export type Program = readonly Registration[];
export type Args = Registration["args"];

/** One change of a program, as a user makes it between two runs. */
export interface Edit {
  name: string;
  program: Program;
  /** Slots for `--replace`. */
  replaced?: readonly string[];
  /** Slots whose resources get new ids or are deleted. */
  renews?: readonly string[];
  /** The run may fail, for example because a port is in use. */
  isRefusable?: true;
  /** Another owner creates this before the run. */
  stranger?: Item;
  /** After an interruption, the user can only run the same program again (docs/reliability.md). */
  isOneWay?: true;
  /** The deadline is shorter than what a fault may take. */
  isHurried?: true;
  /** The arguments of `getShares`, which the program calls first. */
  asks?: object;
}

const component = "prove:index:Component$";

export const urnOf = (kind: Kind, name: string, parents = ""): string =>
  `urn:pulumi:test::prove::${parents}${typeTokens[kind]}::${name}`;

export const declared = (kind: Kind, slot: string, args: Args, on?: string): Registration => ({
  ...{ slot, kind, urn: urnOf(kind, slot), aliases: [], args },
  ...(on !== undefined && { on }),
});

export const without = (args: Args, ...keys: string[]): Args =>
  Object.fromEntries(Object.entries(args).filter(([key]) => !keys.includes(key)));

/** The program without `adopt` and aliases, which count for one run only. */
export const plain = (program: Program): Program =>
  program.map((one) => {
    const { shares, ...args } = without(one.args, "adopt") as { shares?: Record<string, Args> } & Args;
    const parts = shares && Object.entries(shares).map(([key, part]) => [key, without(part, "adopt")]);
    return { ...one, aliases: [], args: { ...args, ...(parts && { shares: Object.fromEntries(parts) as unknown }) } };
  });

/** The program with one of its resources changed. */
export const changed = (
  program: Program,
  slot: string,
  change: (one: Registration) => Partial<Registration>,
): Program => plain(program).map((one) => (one.slot === slot ? { ...one, ...change(one) } : one));

export const withArgs = (program: Program, slot: string, args: Args): Program =>
  changed(program, slot, (one) => ({ args: { ...one.args, ...args } }));

/** A resource with parts arguments. In a set, the arguments of each share change. */
export function withEach(one: Program[number], change: (args: Args, slot: string) => Args): Program[number] {
  const { shares, ...rest } = one.args as { shares?: Record<string, Args> } & Args;
  if (!shares) return { ...one, args: change(one.args, one.slot) };
  const parts = Object.entries(shares).map(([key, args]): [string, Args] => [key, change(args, key)]);
  return { ...one, args: { ...rest, shares: Object.fromEntries(parts) } };
}

/** The program with another target of each share. */
export const retargeted = (program: Program): Program =>
  program.map((one) =>
    one.kind === "tunnels" ? one : withEach(one, (args) => ({ ...args, target: "retargeted.internal:1" })),
  );

/** The slots of shares and sets on a tunnel, with the keys of the sets. */
export const dependents = (program: Program, tunnel: string): string[] =>
  program.filter(({ on }) => on === tunnel).flatMap((one) => [one.slot, ...keysOf(one)]);

export const keysOf = ({ args }: Registration): string[] => Object.keys((args["shares"] as object | undefined) ?? {});

/** Edits of a resource's name and parent, and `--replace`. */
export function identityEdits(program: Program, one: Registration, adopting: Args | undefined): Edit[] {
  const { slot, kind, urn } = one;
  const name = nameOf(urn);
  const isInside = urn.includes(component);
  const renamed = urnOf(kind, name === slot ? `${slot}b` : slot, isInside ? component : "");
  const moved = urnOf(kind, name, isInside ? "" : component);
  const renews = [slot, ...keysOf(one), ...(kind === "tunnels" ? dependents(program, slot) : [])];
  const now = (change: Partial<Registration>) => changed(program, slot, () => change);
  return [
    { name: `rename ${slot} with alias`, program: now({ urn: renamed, aliases: [urn] }), isOneWay: true },
    { name: `move ${slot} with alias`, program: now({ urn: moved, aliases: [urn] }), isOneWay: true },
    { name: `rename ${slot}`, program: now({ urn: renamed }), renews, isRefusable: true },
    { name: `--replace ${slot}`, program: plain(program), replaced: [slot], renews, isRefusable: true },
    ...(adopting ? [{ name: `rename ${slot} with adopt`, program: now({ urn: renamed, args: adopting }) }] : []),
  ];
}

export function tunnelEdits(program: Program, { slot, args }: Registration): Edit[] {
  const renews = [slot, ...dependents(program, slot)];
  const peerCidr = args["peerCidr"] === "10.30.0.0/16" ? "10.31.0.0/16" : "10.30.0.0/16";
  const locationId = args["locationId"] === `loc-${slot}` ? `loc-${slot}-b` : `loc-${slot}`;
  const moved = withArgs(program, slot, { locationId });
  return [
    { name: `replace ${slot} delete-first`, program: withArgs(program, slot, { peerCidr }), renews },
    { name: `replace ${slot} create-first`, program: moved, renews: [slot], isOneWay: true },
    {
      ...{ name: `remove ${slot} with its shares`, renews },
      program: plain(program).filter((one) => one.slot !== slot && one.on !== slot),
    },
  ];
}

export function shareEdits(program: Program, { slot, args, on: tunnel }: Registration): Edit[] {
  const ingressPort = args["ingressPort"] === 8443 ? 8080 : 8443;
  const target = args["target"] === "new.internal:1" ? "newer.internal:1" : "new.internal:1";
  const other = program.find((one) => one.kind === "tunnels" && one.slot !== tunnel)?.slot;
  const isTaken = (on: string | undefined, port: unknown) =>
    program.some((one) => one.slot !== slot && one.on === on && one.args["ingressPort"] === port);
  const refusable = (on: string | undefined, port: unknown) =>
    isTaken(on, port) ? { isRefusable: true as const } : {};
  const old = program.find((one) => one.slot === tunnel);
  const moved = (at: Program, to: string) => ({
    program: changed(at, slot, () => ({ on: to })),
    ...refusable(to, args["ingressPort"]),
  });
  const replaced = old && tunnelEdits(program, old).find(({ name }) => name.endsWith("delete-first"));
  return [
    { name: `remove ${slot}`, program: plain(program).filter((one) => one.slot !== slot), renews: [slot] },
    { name: `change target of ${slot}`, program: withArgs(program, slot, { target }) },
    {
      name: `change port of ${slot}`,
      program: withArgs(program, slot, { ingressPort }),
      ...refusable(tunnel, ingressPort),
    },
    args["locationId"] === undefined
      ? { name: `set location of ${slot}`, program: withArgs(program, slot, { locationId: "loc-1" }) }
      : {
          name: `clear location of ${slot}`,
          program: changed(program, slot, (one) => ({ args: without(one.args, "locationId") })),
        },
    ...(other === undefined ? [] : [{ name: `move ${slot} to ${other}`, ...moved(program, other) }]),
    // The engine may delete the share with the old tunnel, because the state says that the share depends on it.
    ...(other === undefined || !replaced
      ? []
      : [{ ...replaced, name: `move ${slot} to ${other}, ${replaced.name}`, ...moved(replaced.program, other) }]),
  ];
}

/** Edits that declare a removed resource again. */
export const addEdits = (program: Program, all: Program): Edit[] =>
  all
    .filter(({ slot }) => !program.some((one) => one.slot === slot))
    .filter(({ on }) => on === undefined || program.some(({ slot }) => slot === on))
    .map((one) => ({ name: `add ${one.slot}`, program: [...plain(program), one], renews: [one.slot] }));

export const idOf = (state: readonly Kept[], { urn }: Registration): string | undefined =>
  state.find((each) => each.urn === urn && !each.delete)?.id;

/** The program as it was before the last edit, as an edit of its own. */
export const revertEdit = (program: Program, before: Program): Edit => ({
  name: "revert the last edit",
  program: before,
  renews: [...program, ...before].flatMap((one) => [one.slot, ...keysOf(one)]),
  isRefusable: true,
  isOneWay: true,
});
