import type { Draft, Edit } from "./draft";
import { madeKeys, mostKeys, pickSet, removeKey } from "./draw-sets";
import { isInSite, pickShare } from "./edits-fields";
import type { Random } from "../harness/random";
import { type Args, without } from "./schedule";
import { flat, memberName } from "./sets";

/** A single share becomes a key of the set. */
function moveIn(random: Random, { program, before }: Draft): boolean {
  const [, set] = pickSet(random, program) ?? [];
  const [name = "", share] = pickShare(random, program) ?? [];
  if (!set || !share || !before.shares[name] || isInSite(share) || Object.keys(set.shares).length >= mostKeys)
    return false;
  Reflect.deleteProperty(program.shares, name);
  set.shares[`in-${name}`] = {
    ...without(share, "opts", "ipsecTunnelId"),
    adopt: { own: name },
    ...(random.chance(0.5) && { retain: true }),
  };
  return true;
}

/**
 * A key that the last up has made with `retain`, or without it, becomes a single share. Replacing the set would delete all its shares
 * (docs/share-sets.md).
 */
function moveOut(random: Random, draft: Draft, isRetained: boolean): boolean {
  const { program } = draft;
  const [name = "", set] = pickSet(random, program) ?? [];
  if (!set) return false;
  const { tunnel } = set["ipsecTunnelId"] as { tunnel: string };
  const keys = madeKeys(draft, name, isRetained).filter((key) => set.shares[key]);
  if (keys.length === 0 || isInSite(program.tunnels[tunnel] ?? {})) return false;
  const key = random.pick(keys);
  const own = memberName(name, key);
  const share = `o${1000 + random.upTo(8999)}`;
  const single: Args = { ...without(flat(program).shares[own] ?? {}, "opts", "retain"), adopt: { own } };
  if (random.chance(0.3)) single["target"] = `moved-out-${random.upTo(999)}.internal:8443`;
  program.shares[share] = single;
  Reflect.deleteProperty(set.opts ?? {}, "replaceOnChanges");
  if (!isRetained) set.opts = { ...set.opts, dependsOn: [...(set.opts?.dependsOn ?? []), share] };
  removeKey(program, name, key);
  return true;
}

/** True if this edit makes a key a single share. */
export const handsOver = ({ program, before }: Draft): boolean =>
  Object.entries(program.shares).some(
    ([name, { adopt }]) => !before.shares[name] && (adopt as { own?: string } | undefined)?.own?.includes("["),
  );

/** Edits that hand shares over between the set and single shares. */
export const setMoves: Record<string, Edit> = {
  "share into a set": { weight: 8, make: moveIn },
  "share out of a set": { weight: 8, make: (random, draft) => moveOut(random, draft, true) },
  "share out of a set that is updated after it": { weight: 3, make: (random, draft) => moveOut(random, draft, false) },
};
