import type { Entry } from "../harness/state";
import type { Args, Program, SetArgs } from "./schedule";

/** What a share of a set goes by here, in programs and in the state. */
export const memberName = (set: string, key: string): string => `${set}[${key}]`;

/** The program with each tunnel and each share, those of sets too, as `change` makes it. */
export function mapped({ tunnels, shares, sets }: Program, change: (name: string, args: Args) => Args): Program {
  const each = (all: Record<string, Args>, called = (name: string) => name) =>
    Object.fromEntries(Object.entries(all).map(([name, args]) => [name, change(called(name), args)]));
  const ofSet = ([set, args]: [string, SetArgs]): [string, SetArgs] => [
    set,
    { ...args, shares: each(args.shares, (key) => memberName(set, key)) },
  ];
  return {
    ...{ tunnels: each(tunnels), shares: each(shares) },
    ...(sets && { sets: Object.fromEntries(Object.entries(sets).map(ofSet)) }),
  };
}

/** The program with the shares of its sets among the others, each with what it has from its set. */
export function flat({ tunnels, shares, sets = {} }: Program): Program {
  const members = Object.entries(sets).flatMap(([set, args]) =>
    Object.entries(args.shares).map(([key, part]): [string, Args] => [
      memberName(set, key),
      member(set, args, key, part),
    ]),
  );
  return { tunnels, shares: { ...shares, ...Object.fromEntries(members) } };
}

/** The program with `retain: true` on these keys, which are given as members. */
export const retaining = (program: Program, members: string[]): Program =>
  mapped(program, (name, args) => (members.includes(name) ? { ...args, retain: true } : args));

/** The program once what it imports is there. */
export const withoutImport = (program: Program): Program =>
  mapped(program, (_name, args) =>
    args.opts?.import === undefined ? args : { ...args, opts: { ...args.opts, import: undefined } },
  );

function member(set: string, { ipsecTunnelId, envZId, locationId, opts }: SetArgs, key: string, part: Args): Args {
  const was = opts?.was?.map(({ name = set, place }) => ({ name: memberName(name, key), place }));
  return {
    ipsecTunnelId,
    ...(part["envId"] === undefined && { envZId }),
    ...(locationId !== undefined && { locationId }),
    ...part,
    opts: { ...opts, ...(was && { was }) },
  };
}

/** An entry of the state; a share of a set has one too. */
export interface Unfolded extends Entry {
  /** The state says `retain: true` for the key. */
  isRetained?: boolean;
}

/** The shares that the state holds of a set as entries, each with the id in the set's `ids`. */
export function unfolded(entry: Entry): Unfolded[] {
  if (!/IpsecShareSet::[^:]*$/.test(entry.urn)) return [entry];
  const {
    shares = {},
    ids = {},
    __notes = {},
  } = entry.outputs as {
    shares?: Record<string, Record<string, unknown>>;
    ids?: Record<string, string>;
    __notes?: Record<string, { __retain?: boolean }>;
  };
  return [...new Set([...Object.keys(shares), ...Object.keys(ids)])].map((key) => ({
    ...entry,
    ...{ urn: memberName(entry.urn, key), id: ids[key] ?? `${key} without an id`, outputs: shares[key] ?? {} },
    isRetained: __notes[key]?.__retain === true,
  }));
}
