import type { Draft, Edit } from "./draft";
import { isInSite, pickShare } from "./edits-fields";
import type { Random } from "../harness/random";
import type { Args, Identity, Options, Program } from "./schedule";

type Kind = "tunnels" | "shares";

/** A resource that is not part of a site. */
export function pickFree(random: Random, { tunnels, shares }: Program): [Kind, string, Args] | undefined {
  const free = [
    ...Object.entries(tunnels).map(([name, args]) => ["tunnels", name, args] as const),
    ...Object.entries(shares).map(([name, args]) => ["shares", name, args] as const),
  ].filter(([, , args]) => !isInSite(args));
  return free.length === 0 ? undefined : [...random.pick(free)];
}

/** The options of something that is renamed or moved; `was` only where the user remembers the alias. */
function moved(opts: Options = {}, place: string | undefined, before: Identity | undefined): Options {
  const { was = [], ...rest } = opts;
  const all = before ? [...was, before] : was;
  return { ...rest, ...(place !== undefined ? { place } : { place: undefined }), ...(all.length > 0 && { was: all }) };
}

const identity = (name: string, { opts }: Args): Identity => ({ name, place: opts?.place });

/** Names in the order of the program, one of them another. */
const renamed = (all: Record<string, Args>, from: string, to: string, args: Args) =>
  Object.fromEntries(Object.entries(all).map(([name, each]) => (name === from ? [to, args] : [name, each])));

function rename(random: Random, { program }: Draft, isAliased: boolean): string | undefined {
  const picked = pickFree(random, program);
  if (!picked) return undefined;
  const [kind, from, args] = picked;
  const to = `${kind === "tunnels" ? "t" : "s"}${1000 + random.upTo(8999)}`;
  const opts = moved(args.opts, args.opts?.place, isAliased ? identity(from, args) : undefined);
  program[kind] = renamed(program[kind], from, to, { ...args, opts });
  if (kind === "tunnels") retarget(program, from, to);
  return to;
}

function retarget({ shares, sets = {} }: Program, from: string, to: string): void {
  for (const share of [...Object.values(shares), ...Object.values(sets)]) {
    if ((share["ipsecTunnelId"] as { tunnel: string }).tunnel === from) share["ipsecTunnelId"] = { tunnel: to };
    if (share.opts?.deletedWith?.tunnel === from) share.opts.deletedWith = { tunnel: to };
  }
}

function move(random: Random, { program }: Draft, isAliased: boolean): boolean {
  const picked = pickFree(random, program);
  if (!picked) return false;
  const [kind, name, args] = picked;
  const place = args.opts?.place === undefined ? random.pick(["component:c1", "component:c2"]) : undefined;
  program[kind][name] = { ...args, opts: moved(args.opts, place, isAliased ? identity(name, args) : undefined) };
  return true;
}

/** A tunnel with all its shares becomes an IpsecSite, or an IpsecSite is taken apart; a site's shares are called after it. */
function site(random: Random, { program }: Draft, isAliased: boolean): boolean {
  const name = random.pick(Object.keys(program.tunnels));
  const tunnel = program.tunnels[name] ?? {};
  const place = isInSite(tunnel) ? undefined : `site:${name}`;
  const before = (each: string, args: Args) => (isAliased ? identity(each, args) : undefined);
  // Options that an IpsecSite can't hand to one of its resources are left behind.
  const plain = ({ opts: { was, place: from } = {} }: Args): Options => ({ ...(was && { was }), place: from });
  program.tunnels[name] = { ...tunnel, opts: moved(plain(tunnel), place, before(name, tunnel)) };
  program.shares = Object.fromEntries(
    Object.entries(program.shares).map(([share, args]) => {
      if ((args["ipsecTunnelId"] as { tunnel: string }).tunnel !== name) return [share, args];
      const to = place === undefined || share.startsWith(`${name}-`) ? share : `${name}-${share}`;
      return [to, { ...args, opts: moved(plain(args), place, before(share, args)) }];
    }),
  );
  return true;
}

/** Where a resource is declared and what it is called there. */
export const identityEdits: Record<string, Edit> = {
  "rename with alias": { weight: 4, make: (random, draft) => rename(random, draft, true) !== undefined },
  "rename without alias": { weight: 4, make: (random, draft) => rename(random, draft, false) !== undefined },
  "move with alias": { weight: 3, make: (random, draft) => move(random, draft, true) },
  "move without alias": { weight: 3, make: (random, draft) => move(random, draft, false) },
  "site with aliases": { weight: 3, make: (random, draft) => site(random, draft, true) },
  "site without aliases": { weight: 3, make: (random, draft) => site(random, draft, false) },
  "rename and adopt": {
    weight: 4,
    make: (random, { program, before }) => {
      const kinds = (["tunnels", "shares"] as const).flatMap((kind) =>
        Object.keys(program[kind])
          .filter((name) => before[kind][name] && !isInSite(program[kind][name] ?? {}))
          .map((name) => [kind, name] as const),
      );
      if (kinds.length === 0) return false;
      const [kind, from] = random.pick(kinds);
      const args = program[kind][from] ?? {};
      const to = `${from}a`;
      const opts = moved(args.opts, args.opts?.place, undefined);
      // What an earlier name was given as an alias would be an alias here too.
      Reflect.deleteProperty(opts, "was");
      program[kind] = renamed(program[kind], from, to, { ...args, opts, adopt: { own: from } });
      if (kind === "tunnels") retarget(program, from, to);
      return true;
    },
  },
  "move and adopt": {
    weight: 2,
    make: (random, { program, before }) => {
      const picked = pickShare(random, program);
      if (!picked || isInSite(picked[1]) || !before.shares[picked[0]]) return false;
      const [name, { opts, ...args }] = picked;
      const rest: Options = { ...opts };
      Reflect.deleteProperty(rest, "was");
      const place = opts?.place === undefined ? "component:c1" : undefined;
      program.shares[name] = { ...args, opts: { ...rest, place }, adopt: { own: name } };
      return true;
    },
  },
};
