import type { Edit } from "./draft";
import type { Random } from "../harness/random";
import type { Args, Program } from "./schedule";

/** A share of a program, by name; undefined where there is none. */
export function pickShare(random: Random, { shares }: Program): [string, Args] | undefined {
  const names = Object.keys(shares);
  if (names.length === 0) return undefined;
  const name = random.pick(names);
  return [name, shares[name] ?? {}];
}

function pickTunnel(random: Random, { tunnels }: Program): [string, Args] {
  const name = random.pick(Object.keys(tunnels));
  return [name, tunnels[name] ?? {}];
}

export const isInSite = ({ opts }: Args): boolean => opts?.place?.startsWith("site:") ?? false;

export const newShare = (random: Random, on: string, n: number): Args => ({
  ipsecTunnelId: { tunnel: on },
  envZId: "env-1",
  target: `host-${n}.internal:443`,
  ingressPort: 1001 + n,
  ...(random.chance(0.3) && { locationId: "loc-9" }),
});

export function addShare(random: Random, program: Program): void {
  const n = 20 + random.upTo(900);
  const [on, tunnel] = pickTunnel(random, program);
  const share = newShare(random, on, n);
  if (isInSite(tunnel)) program.shares[`${on}-s${n}`] = { ...share, opts: { place: `site:${on}` } };
  else program.shares[`s${n}`] = share;
}

const onShare =
  (change: (share: Args, random: Random, program: Program) => unknown): Edit["make"] =>
  (random, { program }) => {
    const picked = pickShare(random, program);
    return picked !== undefined && change(picked[1], random, program) !== false;
  };

const onTunnel =
  (change: (tunnel: Args, random: Random) => unknown): Edit["make"] =>
  (random, { program }) =>
    change(pickTunnel(random, program)[1], random) !== false;

const toggle = (args: Args, key: string, value: unknown) => {
  if (args[key] === undefined) args[key] = value;
  else Reflect.deleteProperty(args, key);
};

/** What the arguments say. */
export const fieldEdits: Record<string, Edit> = {
  "add a share": {
    weight: 3,
    make: (random, { program }) => {
      addShare(random, program);
      return true;
    },
  },
  "remove a share": {
    weight: 3,
    make: (random, { program }) => {
      const picked = pickShare(random, program);
      return picked !== undefined && Reflect.deleteProperty(program.shares, picked[0]);
    },
  },
  "share target": {
    weight: 5,
    make: onShare((share, random) => {
      share["target"] = `moved-${random.upTo(999)}.internal:8443`;
    }),
  },
  "share port": {
    weight: 2,
    make: onShare((share, random) => {
      share["ingressPort"] = 3000 + random.upTo(900);
    }),
  },
  "share location set or cleared": {
    weight: 3,
    make: onShare((share) => {
      toggle(share, "locationId", "loc-8");
    }),
  },
  "share name set or left out": {
    weight: 2,
    make: onShare((share, random) => {
      toggle(share, "name", `named-${random.upTo(9999)}`);
    }),
  },
  "envId for envZId": {
    weight: 2,
    make: onShare((share) => {
      const from = share["envZId"] === undefined ? "envId" : "envZId";
      share[from === "envId" ? "envZId" : "envId"] = share[from];
      Reflect.deleteProperty(share, from);
    }),
  },
  "share to another tunnel": {
    weight: 4,
    make: onShare((share, random, program) => {
      const others = Object.entries(program.tunnels).filter(
        ([name, tunnel]) => name !== (share["ipsecTunnelId"] as { tunnel: string }).tunnel && !isInSite(tunnel),
      );
      if (others.length === 0 || isInSite(share)) return false;
      share["ipsecTunnelId"] = { tunnel: random.pick(others)[0] };
      return true;
    }),
  },
  "tunnel replaced": {
    weight: 4,
    make: onTunnel((tunnel, random) => {
      tunnel["peerCidr"] = `10.${100 + random.upTo(99)}.0.0/16`;
    }),
  },
  "tunnel to another place": {
    weight: 3,
    make: onTunnel((tunnel, random) => {
      tunnel["locationId"] = `loc-${10 + random.upTo(9999)}`;
    }),
  },
  "tunnel address set or left out": {
    weight: 1,
    make: onTunnel((tunnel, random) => {
      toggle(tunnel, "nlbPrivateIp", `10.90.7.${10 + random.upTo(200)}`);
    }),
  },
  "sample configuration kept or not": {
    weight: 1,
    make: onTunnel((tunnel) => {
      toggle(tunnel, "storeSampleConfig", false);
    }),
  },
};
