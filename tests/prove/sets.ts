import type { Kept } from "../model/state";
import { flatState } from "../model/state";
import type { Registration } from "../model/program";
import {
  addEdits,
  type Args,
  changed,
  declared,
  type Edit,
  identityEdits,
  idOf,
  keysOf,
  plain,
  type Program,
  tunnelEdits,
  without,
} from "./alphabet";

const part = (n: number): Args => ({ target: `host-${n}.internal:443`, ingressPort: 1000 + n });

/** A tunnel, and a set of three shares on it. */
export const set: Program = [
  declared("tunnels", "t1", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" }),
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
  const held = services && idOf(state, services) !== undefined ? idsOf(state) : undefined;
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

const idsOf = (state: readonly Kept[]): Map<string, string> =>
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
      ...(!isRetained && { renews: [first], isRefusable: true as const }),
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
