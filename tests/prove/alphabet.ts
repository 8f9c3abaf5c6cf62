import { nameOf } from "../harness/state";
import { Secret, type Kind, type Registration, servedName, typeTokens, flatState, type Kept } from "../model/program";
import { hush, type Item } from "./service";
import { peer } from "../harness/things";

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
  /** The run and its preview fail, and the run writes nothing. */
  isRefused?: true;
  /** The order in which Pulumi happens to call the provider decides how it ends. */
  isRace?: true;
  /** The deadline is shorter than what a fault may take. */
  isHurried?: true;
  /** The arguments of `getShares`, which the program calls first. */
  asks?: object;
}

/** The type of the component that a resource can be in. */
export const component = "test:index:Group$";

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

/** Secrets of the program. */
export const secret = `${hush}env-1`;
export const secretName = `${hush}name-1`;

/** Two tunnels, and two shares on the first. */
export const singles: Program = [
  declared("tunnels", "t1", { ...peer, locationId: "loc-1" }),
  declared("tunnels", "t2", { peerPublicIp: "203.0.113.8", peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
  declared("shares", "s1", { envId: new Secret(secret), target: "web.internal:443", ingressPort: 443 }, "t1"),
  declared(
    "shares",
    "s2",
    { envZId: "env-1", target: "db.internal:5432", ingressPort: 5432, locationId: "loc-1" },
    "t1",
  ),
];

/** Every edit of such a program, except the revert of the last edit. */
export const editsOfSingles = (program: Program, state: readonly Kept[]): Edit[] => [
  ...addEdits(program, singles),
  ...program.flatMap((one) => {
    const id = idOf(state, one);
    const adopting = id === undefined ? undefined : { ...one.args, adopt: id };
    const edits = one.kind === "tunnels" ? tunnelEdits(program, one) : shareEdits(program, one);
    const identities = identityEdits(program, one, adopting);
    return [...identities, ...edits, ...(one.kind === "shares" ? identities.flatMap(withTarget(one.slot)) : [])];
  }),
  ...swaps(program),
  ...besideStrangers(program, state),
];

const third = declared("shares", "s3", { envZId: "env-1", target: "third.internal:443", ingressPort: 9443 }, "t1");

/** The edit that adopts a share under another name, with a change of its target. */
const withTarget =
  (slot: string) =>
  (edit: Edit): Edit[] =>
    edit.name.endsWith("with adopt")
      ? [
          {
            ...{ ...edit, name: `${edit.name} and change target` },
            program: edit.program.map((one) =>
              one.slot === slot ? { ...one, args: { ...one.args, target: "adopted.internal:1" } } : one,
            ),
          },
        ]
      : [];

/** Edits while another owner has a share on the tunnel that has the name of a third share of the program. */
function besideStrangers(program: Program, state: readonly Kept[]): Edit[] {
  const t1 = program.find(({ slot }) => slot === "t1");
  const ipsecTunnelId = t1 && idOf(state, t1);
  if (!t1 || ipsecTunnelId === undefined || program.some(({ slot }) => slot === "s3")) return [];
  const like = (fields: Item["fields"]): Item => ({
    ...{ id: "shr-stranger-like", kind: "share", status: "DEPLOYED" },
    fields: { ...(third.args as Item["fields"]), name: String(servedName(third)), ipsecTunnelId, ...fields },
  });
  const elsewhere = like({ ipsecTunnelId: "tnl-stranger", ingressPort: 9444 });
  const added = { program: [...plain(program), third], renews: ["s3"] };
  const replaced = tunnelEdits(program, t1).filter(({ name }) => name.endsWith("delete-first"));
  return [
    { ...added, name: "add s3 beside somebody's identical share", stranger: like({}), isRefusable: true },
    { ...added, name: "add s3 where a share of another tunnel has its name", stranger: elsewhere, isRefusable: true },
    ...replaced.map((edit): Edit => ({
      ...edit,
      name: `${edit.name} below somebody's share`,
      stranger: like({}),
      isRefusable: true,
    })),
  ];
}

function swaps(program: Program): Edit[] {
  const [one, other, t1, t2] = ["s1", "s2", "t1", "t2"].map((name) => program.find(({ slot }) => slot === name));
  const places = (at: Program) =>
    t1 &&
    t2 &&
    withArgs(withArgs(at, "t1", { locationId: t2.args["locationId"] }), "t2", { locationId: t1.args["locationId"] });
  const placesSwapped = places(program);
  const ofTunnels: Edit[] = placesSwapped
    ? [{ name: "swap places", program: placesSwapped, renews: ["t1", "t2"], isRefusable: true }]
    : [];
  if (!one || !other) return ofTunnels;
  const port = ({ args }: typeof one) => ({ ingressPort: args["ingressPort"] });
  const ports = withArgs(withArgs(program, "s1", port(other)), "s2", port(one));
  const tunnels = changed(
    changed(program, "s1", () => ({ on: other.on ?? "" })),
    "s2",
    () => ({ on: one.on ?? "" }),
  );
  return [
    ...ofTunnels,
    { name: "swap ports", program: ports, ...(one.on === other.on && { isRefusable: true as const }) },
    ...(one.on === other.on ? [] : [{ name: "swap tunnels", program: tunnels }]),
  ];
}

const part = (n: number): Args => ({ target: `host-${n}.internal:443`, ingressPort: 1000 + n });

/** A tunnel, and a set of three shares on it. */
export const set: Program = [
  declared("tunnels", "t1", { ...peer, locationId: "loc-1" }),
  declared("sets", "services", { envZId: "env-1", shares: { k1: part(1), k2: part(2), k3: part(3) } }, "t1"),
];

const partsOf = ({ args }: Registration) => args["shares"] as Record<string, Args>;

/** Every edit of such a program, except the revert of the last edit. */
export const editsOfSets = (program: Program, state: readonly Kept[]): Edit[] =>
  drawn(program, state).map((edit) => (hasSharedPort(edit.program) ? { ...edit, isRefusable: true } : edit));

/** True if two shares have one port: all are on one tunnel. */
function hasSharedPort(program: Program): boolean {
  const shares = program.flatMap((one) =>
    one.kind === "sets" ? Object.values(partsOf(one)) : one.kind === "shares" ? [one.args] : [],
  );
  return new Set(shares.map(({ ingressPort }) => ingressPort)).size < shares.length;
}

function drawn(program: Program, state: readonly Kept[]): Edit[] {
  const services = program.find(({ kind }) => kind === "sets");
  const held = services && idOf(state, services) !== undefined ? partIdsOf(state) : undefined;
  const adopting = services && held && withParts(services, (key, one) => ({ ...one, adopt: held.get(key) }));
  return [
    ...addEdits(program, set),
    ...program.flatMap((one) =>
      one.kind === "tunnels" ? [...identityEdits(program, one, undefined), ...tunnelEdits(program, one)] : [],
    ),
    ...(services
      ? [
          ...identityEdits(program, services, adopting),
          ...keyEdits(program, services, held ?? new Map<string, string>()),
        ]
      : []),
    ...program.filter(({ kind }) => kind === "shares").flatMap((one) => joins(program, one, services, state)),
  ];
}

export const partIdsOf = (state: readonly Kept[]): Map<string, string> =>
  new Map(flatState([...state]).map(({ urn, id }) => [urn.split("#").at(-1) ?? "", id]));

const withParts = (one: Registration, change: (key: string, part: Args) => Args): Args => ({
  ...one.args,
  shares: Object.fromEntries(Object.entries(partsOf(one)).map(([key, each]) => [key, change(key, each)])),
});

function keyEdits(program: Program, services: Registration, held: Map<string, string>): Edit[] {
  const { slot } = services;
  const keys = keysOf(services);
  const [first = "", second = "", third] = keys;
  const ports = new Map(Object.entries(partsOf(services)).map(([key, { ingressPort }]) => [key, ingressPort]));
  const edit = (change: (key: string, each: Args) => Args) =>
    changed(program, slot, (one) => ({ args: withParts(one, change) }));
  const only = (wanted: string[], at: Program = program) =>
    changed(at, slot, (one) => ({
      args: {
        ...one.args,
        shares: Object.fromEntries(Object.entries(partsOf(one)).filter(([key]) => wanted.includes(key))),
      },
    }));
  const one = (wanted: string, args: Args) => edit((key, each) => (key === wanted ? { ...each, ...args } : each));
  const isRetained = partsOf(services)[first]?.["retain"] === true;
  const others = keys.filter((key) => key !== first);
  const missing = ["k1", "k2", "k3"].find((key) => !keys.includes(key));
  const single = (id: string | undefined): Registration => ({
    ...declared(
      "shares",
      `single-${first}`,
      { envZId: "env-1", ...without(partsOf(services)[first] ?? {}, "retain"), adopt: id },
      services.on,
    ),
  });
  const edits: (Edit | false)[] = [
    {
      name: `change target of ${first}`,
      program: one(first, { target: ports.get(first) === 1 ? "a:1" : "other.internal:1" }),
    },
    {
      name: `change port of ${first}`,
      program: one(first, { ingressPort: 2000 + ((Number(ports.get(first)) + 1) % 2) }),
    },
    {
      name: `retain ${first}`,
      program: edit((key, each) =>
        key !== first ? each : isRetained ? without(each, "retain") : { ...each, retain: true },
      ),
    },
    keys.length > 1 && {
      name: `remove ${first}${isRetained ? ", retained" : ""}`,
      program: only(others),
      renews: [first],
    },
    keys.length > 1 && {
      ...{ name: `${second} takes the port of ${first}, which is removed`, renews: [first] },
      // A retained share keeps its port, and only `adopt` brings it back.
      ...(isRetained && { isRefusable: true as const, isOneWay: true as const }),
      program: only(others, one(second, { ingressPort: ports.get(first) })),
    },
    keys.length > 1 && {
      // If the first one has the port already to which the second one moves, the two change places.
      ...(ports.get(first) === 3000 && { isRefusable: true as const }),
      name: `${first} takes the port of ${second}, which moves on`,
      program: edit((key, each) => ({
        ...each,
        ingressPort: key === first ? ports.get(second) : key === second ? 3000 : each["ingressPort"],
      })),
    },
    keys.length > 1 && {
      ...{ name: `${first} and ${second} exchange ports`, isRefusable: true },
      program: edit((key, each) => ({
        ...each,
        ingressPort: ports.get(key === first ? second : key === second ? first : key),
      })),
    },
    keys.length > 1 && {
      name: `give ${first} to a single share${isRetained ? ", retained" : ""}`,
      isOneWay: true as const,
      program: [...only(others), single(held.get(first))],
      // Whether the set deletes the share or the single share adopts it first. The pages ask for `retain`.
      ...(!isRetained && { renews: [first], isRefusable: true as const, isRace: true as const }),
    },
    third !== undefined && { name: `remove all but ${first}`, program: only([first]), renews: others },
    // docs/reliability.md: an adopted share keeps its name, so the key must not come back.
    missing !== undefined &&
      !program.some(({ slot: other }) => other === `single-${missing}`) && {
        ...{ name: `add ${missing}`, renews: [missing] },
        program: changed(program, slot, (all) => ({
          args: { ...all.args, shares: { ...partsOf(all), [missing]: part(Number(missing.slice(1))) } },
        })),
      },
    { name: "remove the set", program: plain(program).filter((each) => each.slot !== slot), renews: [slot, ...keys] },
  ];
  return edits.filter((each) => each !== false);
}

/** The edit by which a single share becomes a key of the set. */
function joins(
  program: Program,
  share: Registration,
  services: Registration | undefined,
  state: readonly Kept[],
): Edit[] {
  const id = idOf(state, share);
  const key = share.slot.slice("single-".length);
  if (!services || id === undefined || keysOf(services).includes(key)) return [];
  const { target, ingressPort } = share.args;
  const joined = changed(program, services.slot, (one) => ({
    args: { ...one.args, shares: { ...partsOf(one), [key]: { target, ingressPort, adopt: id } } },
  }));
  return [{ name: `${share.slot} joins the set`, program: joined.filter(({ slot }) => slot !== share.slot) }];
}
