import type { Args, Program } from "./schedule";
import { flat } from "./sets";

const placeOf = ({ ipsecTunnelId, ingressPort }: Args) => JSON.stringify([ipsecTunnelId, ingressPort]);

/** The key of a share of the program's set, whatever the set is called; undefined for a single share. */
const keyOf = (name: string) => /\[(.*)\]$/.exec(name)?.[1];

/** A share in a program, with its key if it is one of the set. */
interface Share {
  name: string;
  key: string | undefined;
  args: Args;
}

const sharesOf = (program: Program): Share[] =>
  Object.entries(flat(program).shares).map(([name, args]) => ({ name, key: keyOf(name), args }));

const isSame = (one: Share, other: Share) =>
  one.name === other.name ||
  (one.key !== undefined && one.key === other.key) ||
  (one.args["adopt"] as { own?: string } | undefined)?.own === other.name;

/** True if two shares of the program have one port, which the provider refuses. */
export function hasClash(program: Program): boolean {
  const places = sharesOf(program).map(({ args }) => placeOf(args));
  return new Set(places).size < places.length;
}

/** The share whose port this one needs, as the program was before. */
const holderOf = (share: Share, before: Share[]): Share | undefined =>
  before.find((other) => placeOf(other.args) === placeOf(share.args) && !isSame(share, other));

/** True if a share needs the port of one that does not wait or go for it: a single share, or a key that leaves with `retain`. */
export function needsForeignPort(program: Program, earlier: Program): boolean {
  const [now, before] = [sharesOf(program), sharesOf(earlier)];
  return now.some((share) => {
    const holder = holderOf(share, before);
    if (!holder) return false;
    if (share.key === undefined || holder.key === undefined) return true;
    const next = now.find((each) => isSame(each, holder));
    return next === undefined ? holder.args["retain"] === true : next.key === undefined;
  });
}

/** True if keys that stay in the set wait for one another's ports in a cycle, as far as the set stays on its tunnel. */
export function hasCycle(program: Program, earlier: Program): boolean {
  const isOfSet = ({ key }: Share) => key !== undefined;
  const [now, before] = [sharesOf(program).filter(isOfSet), sharesOf(earlier)];
  const nextOf = ({ args }: Share): Share | undefined => {
    const holder = before.find((other) => other.args["ingressPort"] === args["ingressPort"]);
    return holder && now.find((each) => isSame(each, holder));
  };
  return now.some((first) => {
    const path = new Set<Share>();
    let share: Share | undefined = first;
    while (share && !path.has(share)) {
      path.add(share);
      const next = nextOf(share);
      share = next === share ? undefined : next;
    }
    return share !== undefined;
  });
}

/** True if no tunnel changes, so that the set stays on its tunnel. */
export const hasSameTunnels = (program: Program, earlier: Program): boolean => {
  const shown = ({ tunnels, sets = {} }: Program) =>
    JSON.stringify([tunnels, Object.values(sets).map(({ ipsecTunnelId }) => ipsecTunnelId)]);
  return shown(program) === shown(earlier);
};
