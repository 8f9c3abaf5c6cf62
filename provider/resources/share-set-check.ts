import { isPresent } from "../api/wire";
import { noFrontdoorId } from "../config";
import { failed } from "../errors";
import { type Planned, UNKNOWN, valueOf } from "../fields/field";
import type { ShareInputs } from "../fields/share";
import { setShareFields, shareSetFields } from "../fields/share-set";
import { shareKey } from "../fields/values";
import { type Checked, type Declaration, type Failure, keyed } from "../lifecycle/lifecycle";
import { portCycle, portTwice } from "../messages";
import type { FrontDoor } from "../operations/service";
import type { Until } from "../time";
import { checkEach, strangeInputs } from "./checks";
import { canBeDerivedInStackOf, derivedName, originInSet } from "./names";
import {
  completedShare,
  type DeclaredShare,
  declaredShare,
  isGiven,
  type PlannedShare,
  type Retaining,
  sameForAll,
  type ShareSetInputs,
  type StateShare,
  withUsualNotes,
} from "./share-set-inputs";

type CheckShare = (declared: Declaration) => Checked<ShareInputs>;
type CheckedShare = Checked<ShareInputs & Retaining>;
type PlannedShares = Record<string, Planned<DeclaredShare> | typeof UNKNOWN>;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Checks a set, and each of its shares as a single share. Each problem names its path. A set without shares needs a front door also. */
export function checkedSet(
  checkShare: CheckShare,
  declared: Declaration,
  configured: string | undefined,
): Checked<ShareSetInputs> {
  const { news, olds, origin } = declared;
  // The name is no argument: only the inputs of an import may have it.
  const { name: givenName, ...others } = news;
  const { inputs, failures, aliased } = checkEach(
    shareSetFields,
    givenName === olds["name"] ? others : news,
    "IpsecShareSet",
  );
  const name = olds["name"] ?? (origin === undefined ? "" : derivedName(origin));
  const given = inputs["shares"];
  const planned: PlannedShares = {};
  for (const [key, share] of isObject(given) ? Object.entries(given) : []) {
    const { checked, problems } = checkedShare(checkShare, declared, key, share);
    failures.push(...problems);
    if (checked === undefined) continue;
    planned[key] = checked === UNKNOWN ? checked : declaredShare(checked);
  }
  if (!failures.some(({ property }) => property === "frontdoorId")) {
    inputs["frontdoorId"] ??= configured;
    if (inputs["frontdoorId"] === undefined) failures.push({ property: "frontdoorId", reason: noFrontdoorId });
  }
  failures.push(...twiceOnOnePort(planned));
  const checked = { ...inputs, ...(isObject(given) && { shares: planned }), name };
  return {
    inputs: checked as Planned<ShareSetInputs>,
    failures: withoutRepeats(failures),
    isNameDerived: false,
    aliased,
  };
}

/** Checks one share of the set. Returns no `checked` if the value is not a share. */
function checkedShare(
  checkShare: CheckShare,
  { news, olds, origin, tunnel, autonaming }: Declaration,
  key: string,
  share: unknown,
): { checked?: CheckedShare | typeof UNKNOWN; problems: Failure[] } {
  const path = keyed("shares", key);
  const problem = shareKey.safeParse(key).error?.issues[0]?.message;
  if (problem !== undefined) return { problems: [{ property: path, reason: problem }] };
  if (share === UNKNOWN) return { checked: share, problems: [] };
  if (!isObject(share)) {
    const reason = 'must be a share, such as { target: "web.internal:443", ingressPort: 443 }';
    return { problems: [{ property: path, reason }] };
  }
  const old = isObject(olds["shares"]) ? valueOf(olds["shares"], key) : undefined;
  const [shared, own] = split(share, sameForAll);
  const strange = strangeInputs(setShareFields, own, "a share of IpsecShareSet");
  const [, known] = split(own, ["retain", ...strange.map(({ property }) => property)]);
  const checked = checkShare({
    news: completedShare(news, known),
    olds: isObject(old) ? completedShare(olds, withUsualNotes(old)) : {},
    origin: origin === undefined ? undefined : originInSet(origin, key),
    tunnel,
    autonaming: autonaming === "disabled" ? autonaming : undefined,
  });
  const inShare = failureIn(path, share);
  const problems = checked.failures.map((failure) => {
    const { property } = failure;
    const isOfSet = !isGiven(share, property) && (isGiven(news, property) || sameForAll.includes(property));
    return isOfSet ? failure : inShare(failure);
  });
  const reason = "is the same for the whole set. Move it from the share to the set";
  const misplaced = Object.keys(shared).filter((name) => isGiven(shared, name));
  const { retain, failures } = checkedRetain(share);
  const others = [...misplaced.map((property) => ({ property, reason })), ...strange, ...failures].map(inShare);
  return { checked: { ...checked, inputs: { ...checked.inputs, retain } }, problems: [...others, ...problems] };
}

/** Returns a function that gives a failure of one share its path and the value. */
const failureIn =
  (path: string, share: object) =>
  ({ property, reason }: Failure): Failure => ({
    property: `${path}.${property}`,
    reason,
    value: valueOf(share, property),
  });

/** Returns the properties of these names, and all others. */
function split(given: object, names: readonly string[]): [object, object] {
  const entries = Object.entries(given);
  const those = (isIn: boolean) => Object.fromEntries(entries.filter(([name]) => names.includes(name) === isIn));
  return [those(true), those(false)];
}

function checkedRetain(share: object): Planned<Retaining> & { failures: Failure[] } {
  const given = valueOf(share, "retain") ?? undefined;
  if (given === undefined || given === UNKNOWN) return { retain: given, failures: [] };
  const { data, error } = setShareFields.retain.is.safeParse(given);
  const reason = error?.issues[0]?.message;
  return { retain: data, failures: reason === undefined ? [] : [{ property: "retain", reason }] };
}

/** Returns a failure for each port that an earlier share has: a tunnel has one listener on each port. */
function twiceOnOnePort(planned: PlannedShares): Failure[] {
  const first = new Map<unknown, string>();
  return Object.entries(planned).flatMap(([key, share]) => {
    const port = share === UNKNOWN || share.ingressPort === UNKNOWN ? undefined : share.ingressPort;
    const other = first.get(port);
    if (port === undefined) return [];
    if (other === undefined) {
      first.set(port, key);
      return [];
    }
    const reason = portTwice(keyed("shares", other));
    return [{ property: `${keyed("shares", key)}.ingressPort`, reason, value: port }];
  });
}

/** Removes repeated failures: each share repeats the failures of the set's inputs. */
const withoutRepeats = (failures: Failure[]): Failure[] => [
  ...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values(),
];

/** The port of a share on its tunnel, as it is or as the program wants it. */
interface TunnelPort {
  ipsecTunnelId: string;
  ingressPort: number;
}

interface Holder extends TunnelPort {
  id: string;
  key: string;
}

type WantedPort = TunnelPort & { adopt?: string | undefined };

/** Returns the key that adopts each id, for the keys that the state does not have yet. */
export const adoptersIn = (
  wanted: ReadonlyMap<string, WantedPort>,
  inState: ReadonlyMap<string, StateShare>,
): Map<string, string> =>
  new Map([...wanted].flatMap(([key, { adopt }]) => (adopt === undefined || inState.has(key) ? [] : [[adopt, key]])));

/** Returns the ports of the state's shares, each under its key, or under the key that adopts the share now. */
export const portsOf = (inState: ReadonlyMap<string, StateShare>, adopters: ReadonlyMap<string, string>): Holder[] =>
  [...inState].flatMap(([key, { id, outputs }]) =>
    isPresent(outputs) ? [{ ...outputs, id, key: adopters.get(id) ?? key }] : [],
  );

/** Returns, for each key that needs the port of another key, that other key. The other share has to leave the port first. */
export function holdersOf(there: Holder[], wanted: ReadonlyMap<string, WantedPort>): Map<string, string> {
  const portOf = ({ ipsecTunnelId, ingressPort }: TunnelPort) => `${ipsecTunnelId} ${ingressPort}`;
  const holder = new Map(there.map((share) => [portOf(share), share]));
  return new Map(
    [...wanted].flatMap(([key, share]) => {
      const other = holder.get(portOf(share));
      return other === undefined || other.key === key || other.id === share.adopt ? [] : [[key, other.key]];
    }),
  );
}

/** Returns the keys whose port has a share of this stack, as far as the name of that share shows. Keys that adopt do not count. */
export async function keysOnOwnPorts(
  { shares: { calls, declarations } }: FrontDoor,
  wanted: ReadonlyMap<string, WantedPort & { name: string }>,
  tunnelId: string,
  until: Until,
): Promise<string[]> {
  if (wanted.size === 0) return [];
  const { entries } = await calls.list([["ipsecTunnelId", tunnelId]], until).catch(() => ({ entries: [] }));
  const there = entries.filter((share) => share.ipsecTunnelId === tunnelId && isPresent(share));
  const nameOn = new Map(there.map(({ ingressPort, name }) => [ingressPort, name]));
  const isOwn = ({ name, ingressPort, adopt }: WantedPort & { name: string }) => {
    const other = adopt === undefined ? nameOn.get(ingressPort) : undefined;
    return other !== undefined && (other === name || canBeDerivedInStackOf(declarations.anyOrigin() ?? "", other));
  };
  return [...wanted].flatMap(([key, share]) => (isOwn(share) ? [key] : []));
}

/** Refuses shares that wait for one another's ports in a cycle. @throws FrontdoorError `failed` that names the keys. */
export function refuseCycle(label: string, holders: ReadonlyMap<string, string>): void {
  const keys = cycleIn(holders);
  if (keys.length > 0)
    throw failed(
      portCycle(
        label,
        keys.map((key) => keyed("shares", key)),
      ),
    );
}

/** Returns the keys of one cycle, or none. A cycle is found in the same order, however a program orders its keys. */
function cycleIn(holders: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>();
  for (const first of [...holders.keys()].sort()) {
    const path = new Set<string>();
    let key: string | undefined = first;
    for (; key !== undefined && !done.has(key) && !path.has(key); key = holders.get(key)) path.add(key);
    if (key !== undefined && path.has(key)) return [...path].slice([...path].indexOf(key));
    for (const each of path) done.add(each);
  }
  return [];
}

/** Returns the shares whose tunnel and port are known. */
export const knownPorts = (
  planned: ReadonlyMap<string, PlannedShare | typeof UNKNOWN> = new Map(),
): Map<string, WantedPort> =>
  new Map(
    [...planned].flatMap(([key, share]): [string, WantedPort][] => {
      if (share === UNKNOWN) return [];
      const { ipsecTunnelId, ingressPort, adopt } = share;
      if (ipsecTunnelId === UNKNOWN || ingressPort === UNKNOWN) return [];
      return [[key, { ipsecTunnelId, ingressPort, adopt: adopt === UNKNOWN ? undefined : adopt }]];
    }),
  );
