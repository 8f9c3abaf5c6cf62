import { isDeepStrictEqual } from "node:util";
import { given, isArgument, namesOf, pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import { rules, shareFields, type ShareInputs, type ShareOutputs } from "../fields/share";
import { setShareFields, shareSetFields } from "../fields/share-set";
import type { SetShare } from "../fields/types";
import { shareKey } from "../fields/values";
import * as lifecycle from "../lifecycle/lifecycle";
import { portTwice } from "../messages";
import type { Service } from "../operations/service";
import { checkEach, checkFrontDoor, strangeInputs, wrongIn } from "./checks";
import { knownOutputs } from "./share-location";
import { derivedName, originInSet } from "./names";
import { checkShare } from "./share";

type Notes = lifecycle.Notes;

/** The inputs of a share in a set, after check. `retain` keeps the share in the service when its key is removed. */
export type KeyInputs = ShareInputs & { retain?: boolean | undefined };

/** The checked inputs of a set. Check has copied the inputs of the set into each share that lacks them. */
export interface ShareSetInputs {
  ipsecTunnelId: string;
  frontdoorId: string;
  envZId?: string | undefined;
  locationId?: string | undefined;
  nlbDnsName?: string | undefined;
  /** Without the inputs that are the same for all shares, and without the usual notes. */
  shares: Record<string, Partial<Omit<KeyInputs, "ipsecTunnelId" | "frontdoorId">> & Notes>;
  /** Identifies the set. The service does not know this name. */
  name: string;
}

/** A set as the state keeps it. */
export interface ShareSetOutputs extends Omit<ShareSetInputs, "shares"> {
  shares: Record<string, SetShare>;
  ids: Record<string, string>;
  endpoints?: Record<string, string> | undefined;
  status: string;
  /** Notes of the shares that have any besides the usual ones. */
  __notes?: Record<string, object> | undefined;
  /** The values shown by the service for arguments that it shows in another spelling, by key. */
}

/** A share in the state, with its notes. */
export interface StateShare {
  id: string;
  outputs: ShareOutputs & Notes & { __retain?: true | undefined };
}

/** The inputs of a share in the program, with those that the set has. */
export type PlannedShare = Planned<KeyInputs> & Notes;
/** Undefined: a preview does not know the keys. */
export type PlannedShares = ReadonlyMap<string, PlannedShare | typeof UNKNOWN> | undefined;

/** The notes of most shares. Inputs and state omit them, to be small. */
const usual = { __defaults: ["name"], __set: [] };

/** Names of inputs that only the set has: they are the same for all its shares. */
const sameForAll = ["ipsecTunnelId", "frontdoorId"];
/** Names of inputs that the set gives to shares that omit them, each with its alias. */
const defaults = [["envZId", "envId"], ["locationId"]];
/** The same names, as the state spells them. */
export const defaultNames = defaults.flatMap(([name = ""]) => name);
/** Names of all inputs of the set but `shares`. */
export const setFields = namesOf(shareSetFields, isArgument).filter((name) => name !== "shares");
/** The fields of a share in a set, with those that it has from the set. */
const keyTable = { ...shareFields, retain: setShareFields.retain };
const keyFields = namesOf(setShareFields, isArgument);

/** Names the set in messages. */
export const setLabel = ({ name }: { name: unknown }): string => `IPsec share set "${String(name)}"`;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Checks a set, and each of its shares as a single share. Each problem names its path. A set without shares needs a front door also. */
export function checkSet(service: Service, declared: lifecycle.Declaration): lifecycle.Checked<ShareSetInputs> {
  const { news, olds, origin } = declared;
  // The name is no argument: only the inputs of an import may have it.
  const { name: givenName, ...others } = news;
  const taken = givenName === olds["name"] ? others : news;
  const { inputs, failures, aliased } = checkEach(shareSetFields, taken, "IpsecShareSet");
  checkFrontDoor(inputs, failures, service.config);
  const given = inputs["shares"];
  const shares: Record<string, object | typeof UNKNOWN> = {};
  const keyOn = new Map<unknown, string>();
  for (const [key, share] of isObject(given) ? Object.entries(given as Record<string, unknown>) : []) {
    const { checked = UNKNOWN, problems } = checkKey(service, declared, key, share);
    const path = lifecycle.keyed("shares", key);
    // A tunnel has one listener on each port.
    const port = checked === UNKNOWN ? UNKNOWN : valueOf(checked, "ingressPort");
    const other = port === UNKNOWN || port === undefined ? undefined : keyOn.get(port);
    if (other === undefined) keyOn.set(port, lifecycle.keyed("shares", key));
    else problems.push({ property: "ingressPort", reason: portTwice(other) });
    for (const { property, reason } of problems)
      failures.push(
        property === ""
          ? { property: path, reason }
          : { property: `${path}.${property}`, reason, value: valueOf(share as object, property) },
      );
    shares[key] = checked;
  }
  const name = olds["name"] ?? (origin === undefined ? "" : derivedName(origin));
  const checked = { ...inputs, ...(isObject(given) && { shares }), name } as Planned<ShareSetInputs>;
  return { inputs: checked, failures, isNameDerived: false, aliased };
}

/** Returns what is wrong with the checked inputs of a set, by path. */
export function wrongInSet({ name: _, ...inputs }: ShareSetInputs): lifecycle.Failure[] {
  const failures = wrongIn(shareSetFields, inputs, "IpsecShareSet");
  if (failures.length > 0) return failures;
  return [...(plannedShares({ ...inputs, name: "" }) ?? [])].flatMap(([key, share]) =>
    wrongIn(keyTable, share as object, "a share of IpsecShareSet").map(({ property, reason }) => ({
      property: `${lifecycle.keyed("shares", key)}.${property}`,
      reason,
    })),
  );
}

/** Checks one share of the set. A problem without a property is about the share itself. */
function checkKey(
  service: Service,
  { news, olds, origin, tunnel, autonaming }: lifecycle.Declaration,
  key: string,
  share: unknown,
): { checked?: object; problems: lifecycle.Failure[] } {
  const problem = shareKey.safeParse(key).error?.issues[0]?.message;
  if (problem !== undefined) return { problems: [{ property: "", reason: problem }] };
  if (share === UNKNOWN) return { problems: [] };
  const noShare = 'must be a share, such as { target: "web.internal:443", ingressPort: 443 }';
  if (!isObject(share)) return { problems: [{ property: "", reason: noShare }] };
  const reason = "is the same for the whole set. Move it from the share to the set";
  const misplaced = sameForAll.filter((name) => valueOf(share, name) != null);
  const strange = strangeInputs(
    setShareFields,
    given(share, (name) => !sameForAll.includes(name)),
    "a share of IpsecShareSet",
  );
  const wrong = [...misplaced.map((property) => ({ property, reason })), ...strange];
  const own = given(share, (name) => !wrong.some(({ property }) => property === name));
  const old = isObject(olds["shares"]) ? valueOf(olds["shares"], key) : undefined;
  const inherited = inheritedFrom(news, own);
  const declared = {
    news: { ...own, ...inherited },
    olds: isObject(old) ? { ...withUsualNotes(old), ...inheritedFrom(olds, old) } : {},
    origin: origin === undefined ? undefined : originInSet(origin, key),
    tunnel,
    autonaming: autonaming === "disabled" ? autonaming : undefined,
  };
  const { inputs, isNameDerived, failures } = checkShare(service, declared, keyTable);
  // The set has told the problems of its own inputs.
  return {
    checked: declaredShare(inputs, isNameDerived),
    problems: [...wrong, ...failures.filter(({ property }) => !(property in inherited))],
  };
}

/** Returns the inputs that a share takes from its set. */
function inheritedFrom(set: object, share: object): Record<string, unknown> {
  const isGiven = (of: object, name: string) => valueOf(of, name) != null;
  const omitted = defaults.filter((spellings) => !spellings.some((name) => isGiven(share, name)));
  return pick(set, [...sameForAll, ...omitted.flat().filter((name) => isGiven(set, name))]);
}

/** Returns a share as the inputs of the set keep it. It notes only a given name: most names are derived. */
const declaredShare = (inputs: object, isDerived: boolean): object => ({
  ...given(inputs, (name) => keyFields.includes(name)),
  ...(!isDerived && { __defaults: [] }),
});

/** Adds the notes that `declaredShare` leaves out. */
const withUsualNotes = <Given extends object>(share: Given): Given & Notes => ({
  __defaults: usual.__defaults,
  ...share,
});

/** Returns the inputs of each share by key. */
export function plannedShares(set: Planned<ShareSetInputs>): PlannedShares {
  if (set.shares === UNKNOWN) return undefined;
  const all = pick(set, sameForAll);
  return new Map(
    Object.entries<unknown>(set.shares).map(([key, share]) => [
      key,
      share === UNKNOWN ? UNKNOWN : ({ ...withUsualNotes(share as object), ...all } as PlannedShare),
    ]),
  );
}

/** Returns the shares in the state, by key. */
export const sharesIn = ({ shares, __notes = {} }: ShareSetOutputs): Map<string, StateShare> =>
  new Map(
    Object.entries(shares).map(([key, { id, ...outputs }]) => [
      key,
      { id, outputs: { ...outputs, ...(__notes[key] ?? usual) } },
    ]),
  );

/** Returns the state of a set with these shares. */
export function setOutputs(
  set: Omit<ShareSetInputs, "shares">,
  inState: ReadonlyMap<string, StateShare>,
): ShareSetOutputs {
  const shares = [...inState];
  const by = <Value>(value: (share: StateShare) => Value | undefined): Record<string, Value> =>
    Object.fromEntries(
      shares.flatMap(([key, share]) => {
        const its = value(share);
        return its === undefined ? [] : [[key, its] as const];
      }),
    );
  const ifAny = <Values extends object>(values: Values) => (Object.keys(values).length > 0 ? values : undefined);
  const isNote = (property: string) => property.startsWith("__");
  const notes = by(({ outputs }) => {
    const its = given(outputs, isNote);
    return isDeepStrictEqual(its, usual) ? undefined : its;
  });
  const { nlbDnsName, name } = set;
  return {
    ...(pick(set, setFields) as unknown as Omit<ShareSetInputs, "shares">),
    shares: by(({ id, outputs }) => ({ id, ...given(outputs, (property) => !isNote(property)) }) as SetShare),
    ids: by(({ id }) => id),
    name,
    endpoints: nlbDnsName === undefined ? undefined : by(({ outputs }) => `${nlbDnsName}:${outputs.ingressPort}`),
    status: shares.map(([, { outputs }]) => outputs.status).find((status) => status !== "DEPLOYED") ?? "DEPLOYED",
    __notes: ifAny(notes),
  };
}

/** Returns the inputs from which a set in the state was made. Those of a share are undefined if the state does not note them. */
export function inputsOfSet(state: ShareSetOutputs): object {
  const shares = [...sharesIn(state)].map(([key, { outputs }]) => {
    const inputs = rules.inputsOf(outputs);
    const noted = inputs && lifecycle.inputsNoted({ ...inputs, retain: outputs.__retain }, outputs);
    return [key, noted && declaredShare(noted, lifecycle.isNameDerived(noted))] as const;
  });
  return { ...pick(state, [...setFields, "name"]), shares: Object.fromEntries(shares) };
}

/** Returns the outputs as far as a preview knows them. */
export function knownSetOutputs(inputs: Planned<ShareSetInputs>, olds?: ShareSetOutputs): Planned<ShareSetOutputs> {
  const planned = plannedShares(inputs);
  const known = { ...inputs, ...(inputs.nlbDnsName !== undefined && { endpoints: UNKNOWN }), status: "DEPLOYED" };
  if (planned === undefined) return { ...known, shares: UNKNOWN, ids: UNKNOWN } as Planned<ShareSetOutputs>;
  const inState = olds && sharesIn(olds);
  const shares: Record<string, unknown> = {};
  const ids: Record<string, unknown> = {};
  for (const [key, share] of planned) {
    const { id = UNKNOWN, outputs } = inState?.get(key) ?? {};
    const inputsNow = share === UNKNOWN ? share : lifecycle.withServiceName(outputs ?? {}, share);
    shares[key] = inputsNow === UNKNOWN ? UNKNOWN : { ...knownOutputs(inputsNow, outputs), id };
    ids[key] = id;
  }
  return { ...known, shares, ids } as Planned<ShareSetOutputs>;
}
