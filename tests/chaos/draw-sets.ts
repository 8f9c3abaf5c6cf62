import type { Draft, Edit } from "./draft";
import type { Random } from "../harness/random";
import type { Args, Program, SetArgs } from "./schedule";

export const mostKeys = 30;

/** No share by itself is given a port of these. */
export const firstPort = 5_000;

/** Adds a key on a free port; its name. */
export function addKey(random: Random, { shares }: SetArgs): string {
  const ports = Object.values(shares).map(({ ingressPort }) => ingressPort);
  let n: number;
  do n = random.upTo(4_000);
  while (shares[`k${n}`] || ports.includes(firstPort + n));
  shares[`k${n}`] = {
    ...{ target: `in-set-${n}.internal:443`, ingressPort: firstPort + n },
    ...(random.chance(0.1) && { envZId: "env-9" }),
    ...(random.chance(0.2) && { locationId: "loc-9" }),
    ...(random.chance(0.1) && { name: `in-set-${n}` }),
    ...(random.chance(0.25) && { retain: true }),
  };
  return `k${n}`;
}

/** Puts a set of 1 to 30 shares on one of the program's tunnels. */
export function addSet(random: Random, program: Program): void {
  const tunnel = random.pick(Object.keys(program.tunnels));
  const set: SetArgs = {
    ...{ ipsecTunnelId: { tunnel }, envZId: "env-1", shares: {} },
    ...(random.chance(0.3) && { locationId: "loc-7" }),
    ...(random.chance(0.3) && { nlbDnsName: "nlb-1.example" }),
  };
  for (let count = random.pick([1, 2, 3, 5, 8, 13, mostKeys]); count > 0; count--) addKey(random, set);
  program.sets = { ...program.sets, [`g${random.upTo(999)}`]: set };
}

export function pickSet(random: Random, { sets = {} }: Program): [string, SetArgs] | undefined {
  const all = Object.entries(sets);
  return all.length === 0 ? undefined : random.pick(all);
}

export const onSet =
  (change: (set: SetArgs, random: Random, program: Program) => unknown): Edit["make"] =>
  (random, { program }) => {
    const picked = pickSet(random, program);
    return picked !== undefined && change(picked[1], random, program) !== false;
  };

export const onKey = (change: (share: Args, random: Random) => void): Edit["make"] =>
  onSet(({ shares }, random) => {
    change(random.pick(Object.values(shares)), random);
  });

/** The keys of a set that the last up has made, with `retain` or without it; whatever the program says of them now. */
export function madeKeys({ before }: Draft, name: string, isRetained: boolean): string[] {
  const made = Object.entries(before.sets?.[name]?.shares ?? {});
  return made.flatMap(([key, { retain }]) => ((retain === true) === isRetained ? [key] : []));
}

/** Takes a key out of the program, and the set with its last key. */
export function removeKey({ sets = {} }: Program, name: string, key: string): void {
  const { shares = {} } = sets[name] ?? {};
  Reflect.deleteProperty(shares, key);
  if (Object.keys(shares).length === 0) Reflect.deleteProperty(sets, name);
}

/** Takes out one of these keys that the program still has; false if there is none. */
export function removeOneOf(random: Random, program: Program, name: string, keys: string[]): boolean {
  const there = keys.filter((key) => program.sets?.[name]?.shares[key]);
  if (there.length === 0) return false;
  removeKey(program, name, random.pick(there));
  return true;
}
