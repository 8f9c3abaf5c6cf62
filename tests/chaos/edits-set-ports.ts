import type { Edit } from "./draft";
import { addKey, firstPort, madeKeys, pickSet, removeKey } from "./draw-sets";
import type { Random } from "../harness/random";
import type { Args } from "./schedule";

/** Two to four of these keys, in any order. */
function drawKeys(random: Random, keys: string[]): string[] {
  const left = [...keys];
  const drawn: string[] = [];
  for (let count = random.pick([2, 2, 3, 4]); count > 0 && left.length > 0; count--)
    drawn.push(...left.splice(random.upTo(left.length - 1), 1));
  return drawn;
}

/** Each of these shares gets the port of the next one, and the last one this port. */
function passOn(shares: Args[], last: unknown): void {
  const ports = [...shares.slice(1).map(({ ingressPort }) => ingressPort), last];
  for (const [index, share] of shares.entries()) share["ingressPort"] = ports[index];
}

/** Edits after which keys need the ports of others. */
export const portEdits: Record<string, Edit> = {
  "set ports in a chain": {
    weight: 4,
    make: (random, draft) => {
      const [name, set] = pickSet(random, draft.program) ?? [];
      if (name === undefined || !set) return false;
      const drawn = drawKeys(random, Object.keys(set.shares));
      const last = drawn.at(-1);
      if (last === undefined || drawn.length < 2) return false;
      const isRemoved = random.chance(0.5) && madeKeys(draft, name, false).includes(last);
      const shares = drawn.map((key) => set.shares[key] ?? {});
      passOn(shares, firstPort + 4_000 + random.upTo(900));
      if (isRemoved) removeKey(draft.program, name, last);
      return true;
    },
  },
  "set key replaced on its port": {
    weight: 3,
    make: (random, draft) => {
      const [name, set] = pickSet(random, draft.program) ?? [];
      if (name === undefined || !set) return false;
      const keys = madeKeys(draft, name, false).filter((key) => set.shares[key]);
      if (keys.length === 0) return false;
      const from = random.pick(keys);
      const to = set.shares[addKey(random, set)] ?? {};
      to["ingressPort"] = set.shares[from]?.["ingressPort"];
      removeKey(draft.program, name, from);
      return true;
    },
  },
  "set ports in a cycle": {
    weight: 1,
    make: (random, draft) => {
      const [name, set] = pickSet(random, draft.program) ?? [];
      if (name === undefined || !set) return false;
      const made = [...madeKeys(draft, name, true), ...madeKeys(draft, name, false)];
      const shares = drawKeys(
        random,
        made.filter((key) => set.shares[key]),
      ).map((key) => set.shares[key] ?? {});
      if (shares.length < 2) return false;
      passOn(shares, shares[0]?.["ingressPort"]);
      return true;
    },
  },
};
