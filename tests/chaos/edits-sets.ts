import type { Draft, Edit } from "./draft";
import { isInSite, pickShare } from "./edits-fields";
import type { Random } from "./random";
import { type Args, type Program, type SetArgs, without } from "./schedule";
import { flat, memberName } from "./sets";

const toggle = (args: Args, key: string, value: unknown) => {
  if (args[key] === undefined) args[key] = value;
  else Reflect.deleteProperty(args, key);
};

const mostKeys = 30;

/** No share by itself is given a port of these. */
const firstPort = 5_000;

function addKey(random: Random, { shares }: SetArgs): void {
  const ports = Object.values(shares).map(({ ingressPort }) => ingressPort);
  let n: number;
  do n = random.upTo(4_000);
  while (shares[`k${n}`] || ports.includes(firstPort + n));
  shares[`k${n}`] = {
    ...{ target: `in-set-${n}.internal:443`, ingressPort: firstPort + n },
    ...(random.chance(0.1) && { envZId: "env-9" }),
    ...(random.chance(0.2) && { locationId: "loc-9" }),
    ...(random.chance(0.1) && { name: `in-set-${n}` }),
  };
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

function pickSet(random: Random, { sets = {} }: Program): [string, SetArgs] | undefined {
  const all = Object.entries(sets);
  return all.length === 0 ? undefined : random.pick(all);
}

const onSet =
  (change: (set: SetArgs, random: Random, program: Program) => unknown): Edit["make"] =>
  (random, { program }) => {
    const picked = pickSet(random, program);
    return picked !== undefined && change(picked[1], random, program) !== false;
  };

const onKey = (change: (share: Args, random: Random) => void): Edit["make"] =>
  onSet(({ shares }, random) => {
    change(random.pick(Object.values(shares)), random);
  });

/** An empty set is none. */
function removeKey({ sets = {} }: Program, name: string, key: string): void {
  const { shares = {} } = sets[name] ?? {};
  Reflect.deleteProperty(shares, key);
  if (Object.keys(shares).length === 0) Reflect.deleteProperty(sets, name);
}

/** A share by itself goes on as one of a set. */
function moveIn(random: Random, { program, before }: Draft): boolean {
  const [, set] = pickSet(random, program) ?? [];
  const [name = "", share] = pickShare(random, program) ?? [];
  if (!set || !share || !before.shares[name] || isInSite(share) || Object.keys(set.shares).length >= mostKeys)
    return false;
  Reflect.deleteProperty(program.shares, name);
  set.shares[`in-${name}`] = { ...without(share, "opts", "ipsecTunnelId"), adopt: { own: name } };
  return true;
}

/**
 * One of a set goes on as a share by itself, which is there before the set leaves it out, or when that has happened; on its port, on
 * another one while a new key takes that, or on that of a key that takes its own.
 */
function moveOut(random: Random, { program, before }: Draft): boolean {
  const [name = "", set] = pickSet(random, program) ?? [];
  if (!set) return false;
  const key = random.pick(Object.keys(set.shares));
  const own = memberName(name, key);
  const { tunnel } = set["ipsecTunnelId"] as { tunnel: string };
  if (!before.sets?.[name]?.shares[key] || isInSite(program.tunnels[tunnel] ?? {})) return false;
  const share = `o${1000 + random.upTo(8999)}`;
  const single: Args = { ...without(flat(program).shares[own] ?? {}, "opts"), adopt: { own } };
  program.shares[share] = single;
  const port = single["ingressPort"];
  const others = Object.keys(set.shares).filter((each) => each !== key && before.sets?.[name]?.shares[each]);
  const isFirst = random.chance(0.3);
  if (isFirst) set.opts = { ...set.opts, dependsOn: [...(set.opts?.dependsOn ?? []), share] };
  const goes = random.pick(["on its port", "on its port", "for a new key", "by exchange"]);
  if (goes === "for a new key") {
    addKey(random, set);
    const added = set.shares[Object.keys(set.shares).at(-1) ?? ""] ?? {};
    [single["ingressPort"], added["ingressPort"]] = [added["ingressPort"], port];
  } else if (goes === "by exchange" && !isFirst && others.length > 0) {
    const other = set.shares[random.pick(others)] ?? {};
    [single["ingressPort"], other["ingressPort"]] = [other["ingressPort"], port];
  }
  removeKey(program, name, key);
  return true;
}

/** Sets, and what their keys say. */
export const setEdits: Record<string, Edit> = {
  "set added": {
    weight: 2,
    make: (random, { program }) => {
      if (Object.keys(program.sets ?? {}).length > 0) return false;
      addSet(random, program);
      return true;
    },
  },
  "set removed": {
    weight: 1,
    make: (random, { program }) => {
      const picked = pickSet(random, program);
      return picked !== undefined && Reflect.deleteProperty(program.sets ?? {}, picked[0]);
    },
  },
  "set key added": {
    weight: 3,
    make: onSet((set, random) => {
      for (let count = random.pick([1, 1, 2, 5]); count > 0 && Object.keys(set.shares).length < mostKeys; count--)
        addKey(random, set);
    }),
  },
  "set key removed": {
    weight: 3,
    make: (random, { program }) => {
      const [name, set] = pickSet(random, program) ?? [];
      if (name === undefined || !set) return false;
      removeKey(program, name, random.pick(Object.keys(set.shares)));
      return true;
    },
  },
  "set key's target": {
    weight: 4,
    make: onKey((share, random) => {
      share["target"] = `set-moved-${random.upTo(999)}.internal:8443`;
    }),
  },
  "set key's port": {
    weight: 2,
    make: onKey((share, random) => {
      share["ingressPort"] = firstPort + random.upTo(4_000);
    }),
  },
  "set ports swapped": {
    weight: 4,
    make: onSet(({ shares }, random) => {
      const [one, other] = [random.pick(Object.values(shares)), random.pick(Object.values(shares))];
      if (one === other) return false;
      [one["ingressPort"], other["ingressPort"]] = [other["ingressPort"], one["ingressPort"]];
      return true;
    }),
  },
  "set key's location set or cleared": {
    weight: 3,
    make: onKey((share) => {
      toggle(share, "locationId", "loc-8");
    }),
  },
  "set common value": {
    weight: 3,
    make: onSet((set, random) => {
      const n = random.upTo(99);
      random.pick([
        () => (set["envZId"] = `env-${n}`),
        () => {
          toggle(set, "locationId", `loc-${n}`);
        },
        () => {
          toggle(set, "nlbDnsName", `nlb-${n}.example`);
        },
      ])();
    }),
  },
  "set to another tunnel": {
    weight: 3,
    make: onSet((set, random, { tunnels }) => {
      const others = Object.keys(tunnels).filter(
        (name) => name !== (set["ipsecTunnelId"] as { tunnel: string }).tunnel,
      );
      if (others.length === 0) return false;
      set["ipsecTunnelId"] = { tunnel: random.pick(others) };
      return true;
    }),
  },
  "set replaceOnChanges": {
    weight: 2,
    make: onSet((set, random) => {
      set.opts = { ...set.opts, replaceOnChanges: ["shares"] };
      random.pick(Object.values(set.shares))["target"] = `set-replaced-${random.upTo(999)}.internal:8443`;
    }),
  },
  "set renamed with alias": {
    weight: 2,
    make: (random, { program, step }) => {
      const [from, set] = pickSet(random, program) ?? [];
      if (from === undefined || !set || step.flags) return false;
      const opts = { ...set.opts, was: [...(set.opts?.was ?? []), { name: from }] };
      program.sets = { [`g${1000 + random.upTo(8999)}`]: { ...set, opts } };
      return true;
    },
  },
};

/** What changes which shares there are by themselves, too. */
export const setMoves: Record<string, Edit> = {
  "share into a set": { weight: 8, make: moveIn },
  "share out of a set": { weight: 8, make: moveOut },
};

const placeOf = ({ ipsecTunnelId, ingressPort }: Args) => JSON.stringify([ipsecTunnelId, ingressPort]);

/** A tunnel has one listener on each port: what puts two on one would be refused. */
function clashes(program: Program): boolean {
  const places = Object.values(flat(program).shares).map(placeOf);
  return new Set(places).size < places.length;
}

/** What leaves its set can have the port of a key that stays in one; that of what stands alone, or goes last of all, it is refused. */
function isRefused(program: Program, before: Program): boolean {
  const [now, then] = [flat(program).shares, flat(before).shares];
  const leaving = Object.entries(program.shares).filter(([name, { adopt }]) => adopt !== undefined && !then[name]);
  return leaving.some(([, share]) => {
    const { own } = share["adopt"] as { own?: string };
    const holders = Object.keys(then).filter((name) => name !== own && placeOf(then[name] ?? {}) === placeOf(share));
    return holders.some((name) => !name.includes("[") || !now[name]);
  });
}

/** Makes some of these edits of the program's set; their names. */
export function editSets(random: Random, draft: Draft, edits: Record<string, Edit>): string[] {
  const bag = Object.entries(edits).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));
  const made: string[] = [];
  for (let count = random.pick([0, 1, 1, 2, 2, 3]); count > 0; count--) {
    const name = random.pick(bag);
    const program = structuredClone(draft.program);
    if (!edits[name]?.make(random, { ...draft, program })) continue;
    if (clashes(program) && !clashes(draft.program)) continue;
    if (isRefused(program, draft.before)) continue;
    draft.program = program;
    made.push(name);
  }
  return made;
}
