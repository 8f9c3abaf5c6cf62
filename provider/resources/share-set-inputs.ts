import { isArgument, namesOf, pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import { rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import { setShareFields, shareSetFields } from "../fields/share-set";
import type { SetShare } from "../fields/types";
import { type Checked, inputsNoted, isNameDerived, type Notes, withServiceName } from "../lifecycle/lifecycle";
import { knownOutputs } from "./locations";

/** A share of a set as the program declares it. After check it also has a name. */
export type DeclaredShare = Partial<Omit<ShareInputs, "ipsecTunnelId" | "frontdoorId">> & Retaining & Notes;

export interface Retaining {
  /** True if the share stays at the service when its key is removed. */
  retain?: boolean | undefined;
}

/** The checked inputs of a set. Check has copied the inputs of the set into each share that lacks them. */
export interface ShareSetInputs {
  ipsecTunnelId: string;
  frontdoorId: string;
  envZId?: string | undefined;
  locationId?: string | undefined;
  nlbDnsName?: string | undefined;
  shares: Record<string, DeclaredShare>;
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
  __notes?: Record<string, ShareNotes> | undefined;
  /** The values shown by the service for arguments that it shows in another spelling, by key. */
  __shown?: Record<string, Record<string, unknown>> | undefined;
  /** The pattern of share names in an import, until the first read finds the ids. */
  __pattern?: string | undefined;
}

type ShareNotes = Notes & Pick<ShareOutputs, "__set" | "__statusBefore"> & { __retain?: true | undefined };

/** A share in the state. */
export interface StateShare {
  id: string;
  outputs: ShareOutputs & ShareNotes;
}

/** The notes of most shares. The state omits them, to be small. */
const usual: ShareNotes = { __defaults: ["name"], __set: [] };

/** Names of inputs that only the set has: they are the same for all its shares. */
export const sameForAll: readonly string[] = ["ipsecTunnelId", "frontdoorId"];
/** Names of inputs that the set gives to shares that omit them, each with its alias. */
const defaultsForShares = [["envZId", "envId"], ["locationId"]];
/** The same names, as the state spells them. */
export const defaultNames = defaultsForShares.flatMap(([name = ""]) => name);
/** Names of all inputs of the set but `shares`. */
export const setFields = namesOf(shareSetFields, isArgument).filter((name) => name !== "shares");

/** Names of all inputs that a share of a set can have. */
const shareFields = namesOf(setShareFields, isArgument);

export const isGiven = (of: object, name: string) => valueOf(of, name) != null;

/** Returns the inputs of a share: its own, and those of the set that it omits. */
export function completedShare(set: object, share: object): Record<string, unknown> {
  const inherited = defaultsForShares
    .filter((spellings) => !spellings.some((name) => isGiven(share, name)))
    .flatMap((spellings) => spellings.filter((name) => isGiven(set, name)));
  return { ...share, ...pick(set, [...inherited, ...sameForAll]) };
}

/** Returns a checked share of a set. It notes only a given name: most names are derived. */
export const declaredShare = ({ inputs, isNameDerived }: Checked<ShareInputs & Retaining>): Planned<DeclaredShare> => ({
  ...given(inputs),
  ...(!isNameDerived && { __defaults: [] }),
});

/** Adds the notes that `declaredShare` leaves out. */
export const withUsualNotes = <Given extends object>(share: Given): Given & Notes => ({
  __defaults: usual.__defaults,
  ...share,
});

const given = (inputs: object): object =>
  pick(
    inputs,
    shareFields.filter((name) => isGiven(inputs, name)),
  );

export type PlannedShare = Planned<ShareInputs & Retaining> & Notes;

/** Returns the inputs of each share by key, or undefined if a preview does not know the keys. */
export function plannedShares(set: Planned<ShareSetInputs>): Map<string, PlannedShare | typeof UNKNOWN> | undefined {
  if (set.shares === UNKNOWN) return undefined;
  const { ipsecTunnelId, frontdoorId } = set;
  return new Map(
    Object.entries<DeclaredShare | typeof UNKNOWN>(set.shares).map(([key, share]) => [
      key,
      share === UNKNOWN ? UNKNOWN : ({ ...withUsualNotes(share), ipsecTunnelId, frontdoorId } as PlannedShare),
    ]),
  );
}

/** Returns the shares in the state, by key. */
export const sharesIn = ({ shares, __notes = {}, __shown = {} }: ShareSetOutputs): Map<string, StateShare> =>
  new Map(
    Object.entries(shares).map(([key, { id, ...outputs }]) => [
      key,
      {
        id,
        outputs: {
          ...outputs,
          ...(__notes[key] ?? usual),
          ...(Object.hasOwn(__shown, key) && { __shown: __shown[key] }),
        },
      },
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
  const shares = by(
    ({
      id,
      outputs: { __set, __shown, __defaults, __derivedName, __retain, __statusBefore, ...outputs },
    }): SetShare => ({
      id,
      ...outputs,
    }),
  );
  const notes = all.flatMap(([key, { outputs }]): [string, ShareNotes][] => {
    const { __set, __defaults, __derivedName, __retain, __statusBefore } = outputs;
    const isRare = (__derivedName ?? __retain ?? __statusBefore) !== undefined;
    const isUsual = isNameDerived(outputs) && __set?.length === 0 && !isRare;
    return isUsual ? [] : [[key, { __set, __defaults, __derivedName, __retain, __statusBefore }]];
  });
  const shown = all.flatMap(
    ([
      key,
      {
        outputs: { __shown },
      },
    ]) => (__shown ? [[key, __shown] as const] : []),
  );
  return {
    ...(pick(set, setFields) as unknown as Omit<ShareSetInputs, "shares">),
    ...{ shares, ids: by(({ id }) => id), name },
    endpoints: nlbDnsName === undefined ? undefined : by(({ outputs }) => `${nlbDnsName}:${outputs.ingressPort}`),
    status: all.map(([, { outputs }]) => outputs.status).find((status) => status !== "DEPLOYED") ?? "DEPLOYED",
    __notes: notes.length > 0 ? Object.fromEntries(notes) : undefined,
    __shown: shown.length > 0 ? Object.fromEntries(shown) : undefined,
  };
}

/** Names the set in messages. */
export const setLabel = ({ name }: { name: unknown }): string => `IPsec share set "${String(name)}"`;

/** Returns the inputs from which a share in the state was made, or undefined if the state does not note them. */
function inputsOfShare({ outputs }: StateShare): DeclaredShare | undefined {
  const inputs = rules.inputsOf(outputs);
  const noted = inputs && inputsNoted(given({ ...inputs, retain: outputs.__retain }), outputs);
  if (!noted) return undefined;
  const { __defaults, ...share } = noted;
  return { ...share, ...(!isNameDerived({ __defaults }) && { __defaults: [] }) };
}

/** Returns the inputs from which a set in the state was made. */
export function inputsOfSet(outputs: ShareSetOutputs): object {
  const shares = [...sharesIn(outputs)].map(([key, share]) => [key, inputsOfShare(share)] as const);
  return { ...pick(outputs, [...setFields, "name"]), shares: Object.fromEntries(shares) };
}

/** Returns the outputs as far as a preview knows them. */
export function knownSetOutputs(inputs: Planned<ShareSetInputs>, olds?: ShareSetOutputs): Planned<ShareSetOutputs> {
  const planned = plannedShares(inputs);
  const known = { ...inputs, ...(inputs.nlbDnsName !== undefined && { endpoints: UNKNOWN }), status: "DEPLOYED" };
  if (planned === undefined) return { ...known, shares: UNKNOWN, ids: UNKNOWN } as Planned<ShareSetOutputs>;
  const inState = olds && sharesIn(olds);
  const shares = [...planned].map(([key, share]): [string, unknown] => {
    const old = inState?.get(key);
    const id = old?.id ?? UNKNOWN;
    return [
      key,
      share === UNKNOWN ? share : { ...knownOutputs(withServiceName(old?.outputs ?? {}, share), old?.outputs), id },
    ];
  });
  const ids = [...planned.keys()].map((key): [string, unknown] => [key, inState?.get(key)?.id ?? UNKNOWN]);
  return { ...known, shares: Object.fromEntries(shares), ids: Object.fromEntries(ids) } as Planned<ShareSetOutputs>;
}

/** True if the name matches the pattern, in which `*` stands for any characters. The time grows with the length of both, not faster. */
export function isWildcardMatch(name: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === first;
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= end;
}
