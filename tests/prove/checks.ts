import { Secret } from "../model/adapter";
import { flat, partUrn, type Registration } from "../model/program";
import { flatState, type Kept } from "../model/state";
import { type Edit, type Program, without } from "./alphabet";
import { type Ran, type Snapshot, token } from "./run";
import type { Item } from "./service";
import { secret } from "./singles";

/** Resources of another owner. They must never change. */
export const strangers: readonly Item[] = [
  {
    ...{ id: "tnl-stranger", kind: "tunnel", status: "DEPLOYED" },
    fields: { name: "stranger", locationId: "loc-stranger", peerPublicIp: "203.0.113.99", peerCidr: "10.99.0.0/16" },
  },
  {
    ...{ id: "shr-stranger", kind: "share", status: "DEPLOYED" },
    fields: { name: "stranger", ipsecTunnelId: "tnl-stranger", envZId: "env-9", target: "x:1", ingressPort: 443 },
  },
];

const isLiving = ({ status }: { status: string }) => status !== "DELETED" && status !== "DELETING";
const isStranger = ({ id }: { id: string }) => id.includes("stranger");
const text = (value: unknown, replacer?: (key: string, value: unknown) => unknown) => JSON.stringify(value, replacer);

/** Everything at the service that is not a stranger's. */
const ownIn = ({ items }: Snapshot): Item[] => items.filter((item) => item.status !== "DELETED" && !isStranger(item));

/** Ids of own resources that the service has and the state does not. */
export const orphansIn = (snapshot: Snapshot): Set<string> => {
  const kept = flatState([...snapshot.state]);
  return new Set(ownIn(snapshot).flatMap(({ id }) => (kept.some((each) => each.id === id) ? [] : [id])));
};

/** Violations that must not exist at any moment of a run. */
export function alwaysWrong(before: Snapshot, { items, state, records }: Snapshot): string[] {
  const own = items.filter((item) => isLiving(item) && !isStranger(item));
  const keys = own.map(
    ({ kind, fields }) => `${kind} ${String(fields["name"])} ${String(kind === "tunnel" ? fields["locationId"] : "")}`,
  );
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `duplicate: ${key}`);
  const changed = before.items
    .filter((each) => isStranger(each) && text(items.find(({ id }) => id === each.id)) !== text(each))
    .map(({ id }) => `foreign write: ${id}`);
  const taken = flatState([...state])
    .filter(isStranger)
    .map(({ id }) => `taken over: ${id}`);
  const shown = state.filter(({ inputs, outputs }) => isShown(inputs) || isShown(outputs));
  const recorded = [...records.values()].filter((record) => record.includes(secret));
  return [
    ...[...twice, ...changed, ...taken],
    ...shown.map(({ urn }) => `the state shows a secret: ${urn}`),
    ...recorded.map((record) => `a record shows a secret: ${record}`),
  ];
}

/** Writes that a run sent twice. The service recreates a share for each write that it accepts. */
export const writtenTwice = ({ requests }: Ran): string[] => {
  const writes = requests
    .filter(({ method, status = 0 }) => (method === "PATCH" || method === "PUT") && status < 300 && status >= 200)
    .map(({ method, path, body = "" }) => `${method} ${path} ${body}`);
  return writes.filter((write, at) => writes.indexOf(write) !== at).map((write) => `written twice: ${write}`);
};

/** Texts that no state, message or notice may show: a secret of the program, the token, and the start of each pre-shared key. */
export const canaries = [secret, token, "psk-"];

/** Secrets and crashes in the messages of a run. */
export const told = ({ error = "", said }: Ran): string[] => [
  ...[error, ...said]
    .filter((line) => canaries.some((canary) => line.includes(canary)))
    .map((line) => `a secret is told: ${line}`),
  ...(/call stack|is not (a function|iterable|defined)|Cannot read/.test(error) ? [`a crash: ${error}`] : []),
];

/** True if the properties show a canary. The answer is remembered, because properties never change. */
function isShown(properties: object): boolean {
  const isKnown = shownIn.get(properties);
  if (isKnown !== undefined) return isKnown;
  const kept = text(properties, hidden);
  const isIn = canaries.some((canary) => kept.includes(canary));
  shownIn.set(properties, isIn);
  return isIn;
}
const shownIn = new WeakMap<object, boolean>();

const hidden = (_key: string, value: unknown) => (value instanceof Secret ? "[secret]" : value);

/**
 * Resources that are gone or forgotten after a run, although its edit does not renew them. Also checked after a run that failed.
 * A resource that the program adopts is not forgotten: the next run adopts it.
 */
export function lostBy(
  ids: ReadonlyMap<string, string>,
  { renews = [], program }: Pick<Edit, "renews" | "program">,
  { items, state }: Snapshot,
): string[] {
  const kept = [...flatState([...state]).map(({ id }) => id), ...parts(program).map(({ args }) => args["adopt"])];
  return [...ids].flatMap(([slot, id]) => {
    if (renews.includes(slot)) return [];
    const item = items.find((each) => each.id === id);
    const gone = item && isLiving(item) ? [] : [`declared but gone: ${slot} (${id})`];
    return kept.includes(id) ? gone : [...gone, `declared but forgotten: ${slot} (${id})`];
  });
}

/** Where a run began: its program, its world, and the ids of orphans that earlier reverts left. */
export interface Beginning {
  program: Program;
  snapshot: Snapshot;
  orphans: ReadonlySet<string>;
}

/** The ids of shares with a location that no program declares: a revert left it. */
const misplacedIn = ({ program, snapshot: { items, state } }: Beginning): Set<string> => {
  const held = heldOf(
    parts(program).filter(({ kind, args }) => kind === "shares" && args["locationId"] === undefined),
    state,
  );
  const ids = [...held.values()];
  return new Set(
    items.flatMap(({ id, fields }) => (ids.includes(id) && fields["locationId"] !== undefined ? [id] : [])),
  );
};

/** Differences between program, state and service after a run that succeeded. */
export function unsettled(
  program: Program,
  { after, said }: Pick<Ran, "after" | "said">,
  isReverted: boolean,
  from: Beginning,
  isPlacing = false,
): string[] {
  const { items } = after;
  const state = flatState([...after.state]);
  const isNamed = (id: string) => said.some((line) => line.includes(id));
  const own = ownIn(after).filter(({ id }) => !from.orphans.has(id));
  const misplaced = misplacedIn(from);
  // docs/reliability.md: a resource that an interrupted run created stays if the edit that declared it is reverted.
  const orphans = own
    .filter(({ id }) => !isReverted && !state.some((each) => each.id === id) && !isNamed(id))
    .map((item) => `orphan: ${text(item)}`);
  const wrong = parts(program).flatMap((one) => {
    const held = state.find(({ urn, delete: isDoomed }) => urn === one.urn && !isDoomed);
    return held
      ? differing(one, held, items, program, state, isPlacing || isReverted || misplaced.has(held.id))
      : [`not in the state: ${one.slot}`];
  });
  const doomed = state.filter((each) => each.delete === true || !parts(program).some(({ urn }) => urn === each.urn));
  return [...orphans, ...wrong, ...doomed.map(({ urn, id }) => `the state still holds ${urn} (${id})`)];
}

function differing(
  one: Registration,
  held: Kept,
  items: readonly Item[],
  program: Program,
  state: readonly Kept[],
  mayHavePlace: boolean,
): string[] {
  const item = items.find(({ id }) => id === held.id);
  const { envId, ...others } = without(one.args, "adopt", "retain");
  const args = envId === undefined ? others : { ...others, envZId: envId };
  if (item?.status !== "DEPLOYED" || held.outputs["status"] !== "DEPLOYED")
    return [`${one.slot} is ${String(held.outputs["status"])} in the state and ${String(item?.status)} at the service`];
  const tunnel = program.find(({ slot }) => slot === one.on);
  const declared: Record<string, unknown> = {
    ...args,
    ...(tunnel && { ipsecTunnelId: state.find(({ urn }) => urn === tunnel.urn)?.id }),
  };
  const wrong = Object.entries(declared).filter(
    ([name, value]) => item.fields[name] !== (value instanceof Secret ? value.value : value),
  );
  // If a lost write set a location and the program is reverted, the location stays: the provider does not know of it.
  const isManaged = one.kind === "shares" && args["locationId"] === undefined && !mayHavePlace;
  const isLeft = isManaged && item.fields["locationId"] !== undefined;
  return [
    ...wrong.map(([name]) => `${one.slot}: ${name} is ${text(item.fields[name])}`),
    ...(isLeft ? [`${one.slot}: locationId was not cleared`] : []),
  ];
}

/** The tunnels and shares of the program. A share of a set has the set's environment if it has none of its own. */
export const parts = (program: Program): Registration[] =>
  flat([...program]).map((one) => {
    const whole = program.find(({ kind, urn }) => kind === "sets" && one.urn === partUrn(urn, one.slot));
    return whole ? { ...one, args: { envZId: whole.args["envZId"], ...one.args } } : one;
  });

/** The ids in the state by slot. */
export const heldOf = (program: Program, state: readonly Kept[]): Map<string, string> =>
  new Map(
    parts(program).flatMap(({ slot, urn }) => {
      const held = flatState([...state]).find((each) => each.urn === urn && !each.delete);
      return held ? [[slot, held.id] as const] : [];
    }),
  );

/**
 * True if a share that is in no state is in the way: it uses a tunnel that is deleted, or an interrupted run created it before the program
 * was reverted. The error names that share, and the user deletes or adopts it (docs/reliability.md).
 */
export const isOfOrphan = ({ error, after }: Ran): boolean =>
  error !== undefined &&
  /\[(tunnel-in-use|identical-exists)\]/.test(error) &&
  after.items.some(
    ({ id, kind }) =>
      kind === "share" && error.includes(id) && !flatState([...after.state]).some((each) => each.id === id),
  );
