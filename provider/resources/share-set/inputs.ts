import { isArgument, namesOf, pick, type Planned, UNKNOWN, valueOf } from "../../fields/field";
import { setShareFields, shareSetFields } from "../../fields/share-set";
import type { SetShare } from "../../fields/types";
import type { Checked } from "../lifecycle";
import { inputsNoted, isNameDerived, type Notes, withOwnName } from "../notes";
import { rules, type ShareInputs, type ShareOutputs } from "../share/inputs";

/** A share of a set as a program gives it, or as check has made it: then it has a name. */
export type Part = Partial<Omit<ShareInputs, "ipsecTunnelId" | "frontdoorId">> & Retaining & Notes;

/** Says whether the share stays at the service when its key is removed. */
export interface Retaining {
  retain?: boolean | undefined;
}

/** A set as check has made it. Each share also has the values that the set has for all. */
export interface ShareSetInputs {
  ipsecTunnelId: string;
  frontdoorId: string;
  envZId?: string | undefined;
  locationId?: string | undefined;
  nlbDnsName?: string | undefined;
  shares: Record<string, Part>;
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
  __notes?: Record<string, PartNotes> | undefined;
  /** Pattern of share names, in an import whose ids are not known yet. */
  __pattern?: string | undefined;
}

type PartNotes = Notes & Pick<ShareOutputs, "__set"> & { __retain?: true | undefined };

/** A share that the state holds. */
export interface StateShare {
  id: string;
  outputs: ShareOutputs & PartNotes;
}

const usual: PartNotes = { __defaults: ["name"], __set: [] };

/** Inputs of the set that no share can have of its own. */
export const ofAllParts: readonly string[] = ["ipsecTunnelId", "frontdoorId"];
/** Inputs of the set for shares that leave them out, by their spellings. */
const common = [["envZId", "envId"], ["locationId"]];
/** Inputs of the set itself, without its shares. */
export const ofSet = namesOf(shareSetFields, isArgument).filter((name) => name !== "shares");

const ofPart = namesOf(setShareFields, isArgument);

const has = (of: object, name: string) => valueOf(of, name) != null;

/** Returns the inputs of a share: its own, completed by those of the set. */
export function declaredPart(set: object, part: object): Record<string, unknown> {
  const inherited = common
    .filter((spellings) => !spellings.some((name) => has(part, name)))
    .flatMap((spellings) => spellings.filter((name) => has(set, name)));
  return { ...part, ...pick(set, [...inherited, ...ofAllParts]) };
}

/** A share of a set as check has made it: where its name was derived, as most are, nothing is noted of that. */
export const partFrom = ({ inputs, isNameDerived }: Checked<ShareInputs & Retaining>): Planned<Part> => ({
  ...given(inputs),
  ...(!isNameDerived && { __defaults: [] }),
});

/** Adds the notes that `partFrom` leaves out. */
export const withUsualNotes = <Given extends object>(part: Given): Given & Notes => ({
  __defaults: usual.__defaults,
  ...part,
});

const given = (inputs: object): object =>
  pick(
    inputs,
    ofPart.filter((name) => has(inputs, name)),
  );

export type PlannedPart = Planned<ShareInputs & Retaining> & Notes;

/** The inputs of each share; undefined where even the keys are not known before the run. */
export function partsOf(set: Planned<ShareSetInputs>): Map<string, PlannedPart | typeof UNKNOWN> | undefined {
  if (set.shares === UNKNOWN) return undefined;
  const { ipsecTunnelId, frontdoorId } = set;
  return new Map(
    Object.entries<Part | typeof UNKNOWN>(set.shares).map(([key, part]) => [
      key,
      part === UNKNOWN ? UNKNOWN : ({ ...withUsualNotes(part), ipsecTunnelId, frontdoorId } as PlannedPart),
    ]),
  );
}

/** The shares that the state holds, by key. */
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
  const { nlbDnsName, name } = set;
  const all = [...inState];
  const by = <Value>(value: (share: StateShare) => Value) =>
    Object.fromEntries(all.map(([key, each]) => [key, value(each)]));
  const shares = by(({ id, outputs: { __set, __defaults, __derivedName, __retain, ...outputs } }): SetShare => ({
    id,
    ...outputs,
  }));
  const notes = all.flatMap(([key, { outputs }]): [string, PartNotes][] => {
    const { __set, __defaults, __derivedName, __retain } = outputs;
    const isUsual = isNameDerived(outputs) && __set?.length === 0 && (__derivedName ?? __retain) === undefined;
    return isUsual ? [] : [[key, { __set, __defaults, __derivedName, __retain }]];
  });
  return {
    ...(pick(set, ofSet) as unknown as Omit<ShareSetInputs, "shares">),
    ...{ shares, ids: by(({ id }) => id), name },
    endpoints: nlbDnsName === undefined ? undefined : by(({ outputs }) => `${nlbDnsName}:${outputs.ingressPort}`),
    status: all.map(([, { outputs }]) => outputs.status).find((status) => status !== "DEPLOYED") ?? "DEPLOYED",
    __notes: notes.length > 0 ? Object.fromEntries(notes) : undefined,
  };
}

/** The name of the set in messages. */
export const setLabel = ({ name }: { name: unknown }): string => `IPsec share set "${String(name)}"`;

/** The inputs that a share in the state stands for. */
export function partOf({ outputs }: StateShare): Part | undefined {
  const inputs = rules.inputsOf(outputs);
  const { __defaults, ...part } = inputsNoted(inputs && given({ ...inputs, retain: outputs.__retain }), outputs) ?? {};
  return inputs && { ...part, ...(!isNameDerived({ __defaults }) && { __defaults: [] }) };
}

/** The inputs that a set in the state stands for. */
export function inputsOfSet(outputs: ShareSetOutputs): object {
  const shares = [...sharesIn(outputs)].map(([key, share]) => [key, partOf(share)] as const);
  return { ...pick(outputs, [...ofSet, "name"]), shares: Object.fromEntries(shares) };
}

/** The outputs as far as a preview knows them. */
export function knownSetOutputs(inputs: Planned<ShareSetInputs>, olds?: ShareSetOutputs): Planned<ShareSetOutputs> {
  const parts = partsOf(inputs);
  const known = { ...inputs, ...(inputs.nlbDnsName !== undefined && { endpoints: UNKNOWN }), status: "DEPLOYED" };
  if (parts === undefined) return { ...known, shares: UNKNOWN, ids: UNKNOWN } as Planned<ShareSetOutputs>;
  const inState = olds && sharesIn(olds);
  const shares = [...parts].map(([key, part]): [string, unknown] => {
    const old = inState?.get(key);
    const id = old?.id ?? UNKNOWN;
    return [
      key,
      part === UNKNOWN ? part : { ...rules.knownOutputs(withOwnName(old?.outputs ?? {}, part), old?.outputs), id },
    ];
  });
  const ids = [...parts.keys()].map((key): [string, unknown] => [key, inState?.get(key)?.id ?? UNKNOWN]);
  return { ...known, shares: Object.fromEntries(shares), ids: Object.fromEntries(ids) } as Planned<ShareSetOutputs>;
}
