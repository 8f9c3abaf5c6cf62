import type { Draft, Edit } from "./draft";
import { addKey, addSet, firstPort, madeKeys, mostKeys, onKey, onSet, pickSet, removeOneOf } from "./draw-sets";
import { handsOver } from "./edits-set-moves";
import { portEdits } from "./edits-set-ports";
import type { Random } from "../harness/random";
import type { Args } from "./schedule";
import { hasClash, hasCycle, needsForeignPort } from "./set-ports";

const toggle = (args: Args, key: string, value: unknown) => {
  if (args[key] === undefined) args[key] = value;
  else Reflect.deleteProperty(args, key);
};

/** Removes a key that the last up has made with `retain`, or without it. */
const removed =
  (isRetained: boolean): Edit["make"] =>
  (random, draft) => {
    const [name] = pickSet(random, draft.program) ?? [];
    return name !== undefined && removeOneOf(random, draft.program, name, madeKeys(draft, name, isRetained));
  };

/** Sets, and what their keys say. */
export const setEdits: Record<string, Edit> = {
  ...portEdits,
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
  "set protected or not": {
    weight: 2,
    make: onSet((set) => {
      if (set.opts?.protect) Reflect.deleteProperty(set.opts, "protect");
      else set.opts = { ...set.opts, protect: true };
    }),
  },
  "set key added": {
    weight: 3,
    make: onSet((set, random) => {
      for (let count = random.pick([1, 1, 2, 5]); count > 0 && Object.keys(set.shares).length < mostKeys; count--)
        addKey(random, set);
    }),
  },
  "set key removed": { weight: 4, make: removed(false) },
  "set key retained or not": {
    weight: 3,
    make: onKey((share) => {
      toggle(share, "retain", true);
    }),
  },
  "retained set key removed": { weight: 2, make: removed(true) },
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
    make: (random, draft) => {
      const [, set] = pickSet(random, draft.program) ?? [];
      if (!set || handsOver(draft)) return false;
      set.opts = { ...set.opts, replaceOnChanges: ["shares"] };
      random.pick(Object.values(set.shares))["target"] = `set-replaced-${random.upTo(999)}.internal:8443`;
      return true;
    },
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

/** Makes some of these edits of the program's set; their names. */
export function editSets(random: Random, draft: Draft, edits: Record<string, Edit>): string[] {
  const bag = Object.entries(edits).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name));
  const made: string[] = [];
  for (let count = random.pick([0, 1, 1, 2, 2, 3]); count > 0; count--) {
    const name = random.pick(bag);
    const program = structuredClone(draft.program);
    if (!edits[name]?.make(random, { ...draft, program })) continue;
    if (hasClash(program) && !hasClash(draft.program)) continue;
    if (needsForeignPort(program, draft.before)) continue;
    // One edit asks for cycles; any other one that makes one together with it, or out of a chain, is left out.
    if (name !== "set ports in a cycle" && hasCycle(program, draft.before) && !hasCycle(draft.program, draft.before))
      continue;
    draft.program = program;
    made.push(name);
  }
  return made;
}
