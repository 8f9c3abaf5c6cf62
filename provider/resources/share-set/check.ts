import { type Planned, UNKNOWN, valueOf } from "../../fields/field";
import { setShareFields, shareSetFields } from "../../fields/share-set";
import { shareKey } from "../../fields/values";
import { keyed } from "../changes";
import { checkEach, strangeInputs } from "../check";
import type { Checked, Declaration, Failure } from "../lifecycle";
import { derivedName, originInSet } from "../names";
import type { ShareInputs } from "../share/inputs";
import {
  declaredPart,
  ofAllParts,
  type Part,
  partFrom,
  type Retaining,
  type ShareSetInputs,
  withUsualNotes,
} from "./inputs";

type CheckShare = (declared: Declaration) => Checked<ShareInputs>;
type CheckedPart = Checked<ShareInputs & Retaining>;
type Parts = Record<string, Planned<Part> | typeof UNKNOWN>;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isGiven = (of: object, name: string) => valueOf(of, name) != null;

/** Checks a set, and each share in it as one by itself, each problem on its path. */
export function checkedSet(checkShare: CheckShare, declared: Declaration): Checked<ShareSetInputs> {
  const { news, olds, origin } = declared;
  // The name is no argument, but an import gives the name that it has read.
  const { name: isRead, ...others } = news;
  const { inputs, failures, moved } = checkEach(
    shareSetFields,
    isRead === olds["name"] ? others : news,
    "IpsecShareSet",
  );
  const name = olds["name"] ?? (origin === undefined ? "" : derivedName(origin));
  const given = inputs["shares"];
  const parts: Parts = {};
  for (const [key, part] of isObject(given) ? Object.entries(given) : []) {
    const { checked, problems } = checkedPart(checkShare, declared, key, part);
    failures.push(...problems);
    if (checked === undefined) continue;
    parts[key] = checked === UNKNOWN ? checked : partFrom(checked);
    if (checked !== UNKNOWN) inputs["frontdoorId"] ??= checked.inputs.frontdoorId;
  }
  failures.push(...twiceOnOnePort(parts));
  const checked = { ...inputs, ...(isObject(given) && { shares: parts }), name };
  return { inputs: checked as Planned<ShareSetInputs>, failures: once(failures), isNameDerived: false, moved };
}

/** Checks one share. Returns no `checked` if the value is not a share. */
function checkedPart(
  checkShare: CheckShare,
  { news, olds, origin, autonaming }: Declaration,
  key: string,
  part: unknown,
): { checked?: CheckedPart | typeof UNKNOWN; problems: Failure[] } {
  const path = keyed("shares", key);
  const problem = shareKey.safeParse(key).error?.issues[0]?.message;
  if (problem !== undefined) return { problems: [{ property: path, reason: `has ${problem}` }] };
  if (part === UNKNOWN) return { checked: part, problems: [] };
  if (!isObject(part)) {
    const reason = 'must be a share, such as { target: "web.internal:443", ingressPort: 443 }';
    return { problems: [{ property: path, reason }] };
  }
  const old = isObject(olds["shares"]) ? valueOf(olds["shares"], key) : undefined;
  const [alien, own] = apart(part, ofAllParts);
  const strange = strangeInputs(setShareFields, own, "a share of IpsecShareSet");
  const [, known] = apart(own, ["retain", ...strange.map(({ property }) => property)]);
  const checked = checkShare({
    news: declaredPart(news, known),
    olds: isObject(old) ? declaredPart(olds, withUsualNotes(old)) : {},
    origin: origin === undefined ? undefined : originInSet(origin, key),
    autonaming: autonaming === "disabled" ? autonaming : undefined,
  });
  const problems = checked.failures.map(({ property, reason }) => {
    const isOfSet = !isGiven(part, property) && (isGiven(news, property) || ofAllParts.includes(property));
    return { property: isOfSet ? property : `${path}.${property}`, reason };
  });
  const ofSet = Object.keys(alien).filter((name) => isGiven(alien, name));
  const { retain, failures } = checkedRetain(part);
  const others = [
    ...ofSet.map((property) => ({ property, reason: "is the same for the whole set: give it there" })),
    ...[...strange, ...failures],
  ].map(({ property, reason }) => ({ property: `${path}.${property}`, reason }));
  return { checked: { ...checked, inputs: { ...checked.inputs, retain } }, problems: [...others, ...problems] };
}

/** Parts the properties of these names from the others. */
function apart(given: object, names: readonly string[]): [object, object] {
  const entries = Object.entries(given);
  const those = (isIn: boolean) => Object.fromEntries(entries.filter(([name]) => names.includes(name) === isIn));
  return [those(true), those(false)];
}

function checkedRetain(part: object): Planned<Retaining> & { failures: Failure[] } {
  const given = valueOf(part, "retain") ?? undefined;
  if (given === undefined || given === UNKNOWN) return { retain: given, failures: [] };
  const { data, error } = setShareFields.retain.is.safeParse(given);
  const reason = error?.issues[0]?.message;
  return { retain: data, failures: reason === undefined ? [] : [{ property: "retain", reason }] };
}

/** Each tunnel has one listener on each port. */
function twiceOnOnePort(parts: Parts): Failure[] {
  const first = new Map<unknown, string>();
  return Object.entries(parts).flatMap(([key, part]) => {
    const port = part === UNKNOWN || part.ingressPort === UNKNOWN ? undefined : part.ingressPort;
    const other = first.get(port);
    if (port === undefined) return [];
    if (other === undefined) {
      first.set(port, key);
      return [];
    }
    const reason = `is also that of ${keyed("shares", other)}. Give one of them another port. [port-twice]`;
    return [{ property: `${keyed("shares", key)}.ingressPort`, reason }];
  });
}

/** Leaves out repeated failures: each share repeats those of the set's values. */
const once = (failures: Failure[]): Failure[] => [
  ...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values(),
];
