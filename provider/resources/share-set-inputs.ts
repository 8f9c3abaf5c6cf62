import { defined, inOneSpelling, isArgument, namesOf, pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import { rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import { setShareFields, shareSetFields } from "../fields/share-set";
import type { SetShare } from "../fields/types";
import type { Adoption, Checked, Declaration, Failure, Notes } from "../lifecycle/contract";
import { keyed, propertyOf } from "../lifecycle/differences";
import { inputsNoted, withFrontdoorName } from "../lifecycle/lifecycle";
import { portTwice } from "../messages";
import type { FrontDoor, Service } from "../run/service";
import { checkedBy, checkInputs } from "./checks";
import { wrongIn } from "./given";
import { derivedName } from "../origin";
import { originInSet } from "./names";
import { knownOutputs } from "./share";
import { shareInSet, shareOfSet } from "./share-of-set";

/** A share of a set as declared, after check. `retain` keeps the share in the service when its key is removed. */
export type DeclaredShare = ShareInputs & Notes & { retain?: boolean | undefined };

/** A share of a set in the state. */
export interface StateShare {
  id: string;
  outputs: ShareOutputs & Notes;
}

/** The declared shares by key, as far as a preview knows them. */
export type DeclaredShares = ReadonlyMap<string, (Planned<DeclaredShare> & Notes) | typeof UNKNOWN>;

/** Names of inputs that only the set has: they are the same for all its shares. */
const sameForAll = ["ipsecTunnelId", "frontdoorId"] as const;

/** Names of inputs that the set gives to shares that omit them. */
export const defaultNames = ["envZId", "locationId"] as const;

/** The checked inputs of a set. Check has copied the inputs of the set into each share that lacks them. */
export interface ShareSetInputs
  extends Pick<ShareInputs, (typeof sameForAll)[number]>, Partial<Pick<ShareInputs, (typeof defaultNames)[number]>> {
  nlbDnsName?: string | undefined;
  shares: Record<string, Omit<DeclaredShare, (typeof sameForAll)[number]>>;
  /** Identifies the set. The service does not know this name. */
  name: string;
}

/** A set as the state keeps it. */
export interface ShareSetOutputs extends Omit<ShareSetInputs, "shares"> {
  shares: Record<string, SetShare>;
  ids: Record<string, string>;
  endpoints?: Record<string, string> | undefined;
  status: string;
  /** The notes of each share. */
  __notes?: Record<string, object> | undefined;
}

/** The notes that inputs and states of older versions leave out. */
const leftOut = { __defaults: ["name"], __set: [] };
const withNotes = (inputs: object) => ({ __defaults: leftOut.__defaults, ...inputs });

/** Names of all inputs of the set but `shares`. */
export const setFields = namesOf(shareSetFields, isArgument).filter((name) => name !== "shares");
const ownFields = namesOf(setShareFields, isArgument);
const aSet = { table: shareSetFields, what: "IpsecShareSet" };
const wholeShare = { ...shareInSet, kind: ({ shares }: FrontDoor) => shares };

/** Names the set in messages. */
export const setLabel = ({ name }: { name: unknown }): string => `IPsec share set "${String(name)}"`;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Checks a set, and each of its shares as a single share. Each problem names its path. A set without shares needs a front door also. */
export function checkSet(service: Service, declared: Declaration): Checked<ShareSetInputs> {
  const { news, olds, origin } = declared;
  // The name is no argument: only the inputs of an import may have it.
  const { name: givenName, ...others } = news;
  const taken = givenName === olds["name"] ? others : news;
  const { inputs, failures, aliased } = checkInputs(service, aSet, taken, olds);
  const spelled = inOneSpelling(shareSetFields, news);
  const inherited = [...sameForAll, ...defaultNames.filter((name) => spelled[name] != null)];
  // A wrong value is a problem of the set only. For its shares it is unknown.
  const isWrong = (name: string) => failures.some(({ property }) => property === name);
  const ofSet = Object.fromEntries(
    inherited.map((name) => [name, isWrong(name) ? UNKNOWN : (inputs[name] ?? UNKNOWN)]),
  );
  const shares: Record<string, object | typeof UNKNOWN> = {};
  const adopted: Adoption[] = [];
  const keyOn = new Map<unknown, string>();
  for (const [key, share] of Object.entries(isObject(inputs["shares"]) ? inputs["shares"] : {})) {
    const { checked, problems, adopts } = checkKey(service, declared, [key, share], ofSet);
    const path = keyed("shares", key);
    adopted.push(...adopts.map((each) => ({ ...each, property: `${path}.${each.property}` })));
    // A tunnel has one listener on each port.
    const port = isObject(checked) ? valueOf(checked, "ingressPort") : UNKNOWN;
    const other = typeof port === "number" ? keyOn.get(port) : undefined;
    if (other === undefined) keyOn.set(port, path);
    else problems.push({ property: ".ingressPort", reason: portTwice(other) });
    for (const { property, reason } of problems)
      failures.push({
        property: `${path}${property}`,
        reason,
        value: valueOf(Object(share) as object, property.slice(1)),
      });
    shares[key] = checked;
  }
  const name = olds["name"] ?? (origin === undefined ? "" : derivedName(origin));
  const checked = { ...inputs, ...(isObject(inputs["shares"]) && { shares }), name } as Planned<ShareSetInputs>;
  return { inputs: checked, failures, isNameDerived: false, aliased, adopts: adopted };
}

/** Checks one share of the set. The property of a problem is the path in the share: `.target`, or nothing for the share itself. */
function checkKey(
  service: Service,
  { olds, origin, tunnel, autonaming }: Declaration,
  [key, share]: [key: string, share: unknown],
  ofSet: object,
): { checked: object | typeof UNKNOWN; problems: Failure[]; adopts: Adoption[] } {
  const { given, problems } = shareOfSet([key, share], ofSet);
  if (!given) return { checked: UNKNOWN, problems: dotted(problems), adopts: [] };
  const old = isObject(olds["shares"]) ? valueOf(olds["shares"], key) : undefined;
  const declared = {
    news: given,
    olds: isObject(old) ? { ...withNotes(old), frontdoorId: olds["frontdoorId"] } : {},
    origin: origin === undefined ? undefined : originInSet(origin, key),
    tunnel,
    autonaming: autonaming === "disabled" ? autonaming : undefined,
  };
  const { inputs, isNameDerived, failures, adopts = [] } = checkedBy<ShareInputs>(service, declared, wholeShare);
  return {
    checked: withoutSet({ ...inputs, __defaults: isNameDerived ? ["name"] : [] }),
    problems: dotted([...problems, ...failures]),
    adopts,
  };
}

/** Returns problems with the path in the share. */
const dotted = (problems: readonly Failure[]): Failure[] =>
  problems.map((each) => ({ ...each, property: each.property === "" ? "" : `.${each.property}` }));

/** Returns a declared share as the inputs of the set keep it. */
const withoutSet = ({ __defaults = [], ...inputs }: Notes): object => ({
  ...defined<object>(inputs, (name) => ownFields.includes(name)),
  __defaults,
});

const wrongInSetItself = wrongIn(aSet);
const wrongInShare = wrongIn(wholeShare);

/** Returns what is wrong with the checked inputs of a set, by path. */
export function wrongInSet({ name: _, ...inputs }: ShareSetInputs): Failure[] {
  const failures = wrongInSetItself(inputs);
  if (failures.length > 0) return failures;
  return [...(declaredShares(inputs) ?? [])].flatMap(([key, share]) =>
    wrongInShare(share as object).map((each) => ({ ...each, property: `${keyed("shares", key)}.${each.property}` })),
  );
}

/** Returns each declared share by key. Undefined: a preview does not know the keys. */
export function declaredShares(set: Planned<Omit<ShareSetInputs, "name">>): DeclaredShares | undefined {
  if (set.shares === UNKNOWN) return undefined;
  const ofSet = pick(set, sameForAll);
  const shares = Object.entries<object | typeof UNKNOWN>(set.shares);
  return new Map(
    shares.map(([key, share]) => [
      key,
      share === UNKNOWN ? UNKNOWN : ({ ...withNotes(share), ...ofSet } as Planned<DeclaredShare> & Notes),
    ]),
  );
}

/** Returns the shares in the state, by key. */
export const sharesIn = ({ shares, __notes = {} }: ShareSetOutputs): Map<string, StateShare> =>
  new Map(
    Object.entries(shares).map(([key, { id, ...outputs }]) => [
      key,
      { id, outputs: { ...outputs, ...(__notes[key] ?? leftOut) } },
    ]),
  );

/** Returns which arguments of one share are secret: its own, and those that it has from the set. */
export const secretsOfKey = (secrets: readonly string[] = [], key: string): string[] =>
  secrets.flatMap((path) => {
    const ofKey = keyed("shares", key);
    if (path === "shares" || path === ofKey) return ownFields;
    if (path.startsWith(`${ofKey}.`)) return path.slice(ofKey.length + 1);
    return propertyOf(path) === "shares" ? [] : path;
  });

const isNote = (name: string) => name.startsWith("__");

/** Returns the state of a set with these shares. */
export function setOutputs(
  set: Omit<ShareSetInputs, "shares">,
  inState: ReadonlyMap<string, StateShare>,
): ShareSetOutputs {
  const { nlbDnsName } = set;
  const byKey = <Value>(valueFor: (share: StateShare) => Value): Record<string, Value> =>
    Object.fromEntries([...inState].map(([key, share]) => [key, valueFor(share)]));
  const statuses = [...inState.values()].map(({ outputs }) => outputs.status);
  return {
    ...(pick(set, [...setFields, "name"]) as Record<string, unknown> & typeof set),
    shares: byKey(({ id, outputs }) => ({ id, ...defined(outputs, (name) => !isNote(name)) }) as SetShare),
    ids: byKey(({ id }) => id),
    endpoints: nlbDnsName === undefined ? undefined : byKey(({ outputs }) => `${nlbDnsName}:${outputs.ingressPort}`),
    status: statuses.find((status) => status !== "DEPLOYED") ?? "DEPLOYED",
    __notes: byKey(({ outputs }) => defined(outputs, isNote)),
  };
}

/** Returns the inputs from which a set in the state was made. */
export function inputsOfSet(state: ShareSetOutputs): object {
  const shares = [...sharesIn(state)].map(([key, { outputs }]) => {
    const inputs = inputsNoted(rules.inputsOf(outputs), outputs);
    return [key, withoutSet({ ...inputs, retain: outputs.__retain } as Notes)] as const;
  });
  return { ...pick(state, [...setFields, "name"]), shares: Object.fromEntries(shares) };
}

/** Returns the outputs as far as a preview knows them. */
export function knownSetOutputs(inputs: Planned<ShareSetInputs>, state?: ShareSetOutputs): Planned<ShareSetOutputs> {
  const declared = declaredShares(inputs);
  const { nlbDnsName } = inputs;
  const known = { ...inputs, ...(nlbDnsName !== undefined && { endpoints: UNKNOWN }), status: "DEPLOYED" };
  if (!declared) return { ...known, shares: UNKNOWN, ids: UNKNOWN } as Planned<ShareSetOutputs>;
  const inState = state && sharesIn(state);
  const shares: Record<string, unknown> = {};
  const ids: Record<string, unknown> = {};
  const endpoints: Record<string, unknown> = {};
  for (const [key, share] of declared) {
    const { id = UNKNOWN, outputs } = inState?.get(key) ?? {};
    shares[key] =
      share === UNKNOWN ? UNKNOWN : { ...knownOutputs(withFrontdoorName(outputs ?? {}, share), outputs), id };
    ids[key] = id;
    const port = share === UNKNOWN ? UNKNOWN : share.ingressPort;
    endpoints[key] = port === UNKNOWN || nlbDnsName === UNKNOWN ? UNKNOWN : `${nlbDnsName}:${port}`;
  }
  return { ...known, shares, ids, ...(nlbDnsName !== undefined && { endpoints }) } as Planned<ShareSetOutputs>;
}
