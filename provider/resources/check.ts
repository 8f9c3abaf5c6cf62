import { noFrontdoorId } from "../config";
import { isArgument, type Planned, type Table, UNKNOWN } from "../fields/field";
import type { Named } from "../api/types";
import { nearest } from "../nearest";
import type { FrontDoor, Kind, Service } from "../service";
import type { Checked, Declaration, Failure } from "./lifecycle";
import { derivedName, logicalName } from "./origin";

type KindOf = (frontDoor: FrontDoor) => Pick<Kind<Named>, "claims" | "creates" | "departures">;

/**
 * Checks every given value by itself as its row says; unknown ones pass, null counts as not given, and each field is given under
 * one of its spellings. Hidden inputs (`__…`) are the host's and are passed over.
 */
export function checkEach(
  table: Table,
  given: Record<string, unknown>,
  what: string,
): { inputs: Record<string, unknown>; failures: Failure[]; moved: string[] } {
  const failures: Failure[] = [];
  const moved: string[] = [];
  const inputs: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    if (!isArgument(field)) continue;
    const { is, alias, whenOmitted } = field;
    const isAlias = alias !== undefined && given[alias] != null;
    const property = isAlias ? alias : name;
    if (isAlias && given[name] != null) {
      failures.push({ property, reason: `is another spelling of ${name}: give one of the two, not both` });
      continue;
    }
    const value = given[property] ?? undefined;
    if (value === undefined && whenOmitted !== "refused") continue;
    const parsed = value === UNKNOWN ? undefined : is.safeParse(value);
    const reason = parsed?.error?.issues[0]?.message;
    if (isAlias && value !== UNKNOWN) moved.push(name);
    if (reason === undefined) inputs[name] = value;
    else failures.push({ property, reason: alias && value === undefined ? `${reason}, here or as ${alias}` : reason });
  }
  return { inputs, failures: [...failures, ...strangeInputs(table, given, what)], moved };
}

/** Names each given input that the table does not have. */
export function strangeInputs(table: Table, given: object, what: string): Failure[] {
  const spellings = Object.entries(table).flatMap(([name, field]) => {
    if (!isArgument(field)) return [];
    return field.alias === undefined ? [name] : [name, field.alias];
  });
  const strange = Object.keys(given).filter((name) => !spellings.includes(name) && !name.startsWith("__"));
  return strange.map((property) => {
    const meant = nearest(property, spellings);
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    const reason = `is not an input of ${what}. Use one of: ${spellings.join(", ")}.${hint} [unknown-input]`;
    return { property, reason };
  });
}

/**
 * The SDK can give a field under both its spellings, as ignoreChanges can name either one: where the two no longer agree, it names
 * one of them, and what the state holds is meant.
 */
function inAgreement(table: Table, { news, olds }: Declaration): Record<string, unknown> {
  if (news["__bothSpellings"] !== true) return news;
  const given = { ...news };
  for (const [name, field] of Object.entries(table)) {
    if (!isArgument(field) || field.alias === undefined) continue;
    if (given[field.alias] !== given[name]) given[name] = olds[name];
    given[field.alias] = undefined;
  }
  return given;
}

/**
 * What is declared, with the name it has in the state or else the derived one where nobody gives any; null counts as not given. What
 * goes to another front door is made anew there, under the name that is derived now.
 */
function withName(
  { news, olds, origin, autonaming }: Declaration,
  configured: string | undefined,
): {
  given: Record<string, unknown>;
  isNameDerived: boolean;
  isNameProposed?: boolean;
} {
  if (news["name"] != null) return { given: news, isNameDerived: false };
  const place = news["frontdoorId"] ?? configured;
  const isElsewhere = typeof place === "string" && olds["frontdoorId"] !== undefined && olds["frontdoorId"] !== place;
  const kept = isElsewhere ? undefined : olds["name"];
  if (kept === undefined && autonaming === "disabled") return { given: news, isNameDerived: false };
  const proposed = kept === undefined && typeof autonaming === "object" ? autonaming.proposedName : undefined;
  const name = kept ?? proposed ?? (origin === undefined ? olds["name"] : derivedName(origin));
  return { given: { ...news, name }, isNameDerived: true, isNameProposed: proposed !== undefined };
}

/**
 * Holds what is declared against what this run has seen before: no two resources have one name, and `adopt` counts only for an id
 * that the state does not hold (the engine checks once more before it replaces, and by then diff has told the id).
 */
function registered<Inputs extends { frontdoorId?: unknown; name?: unknown; adopt?: unknown }>(
  { inputs, failures }: { inputs: Inputs; failures: Failure[] },
  { olds, origin }: Declaration,
  service: Service,
  kindOf: KindOf,
): { inputs: Inputs; failures: Failure[] } {
  const { frontdoorId, name, adopt, ...others } = inputs;
  if (origin === undefined || typeof frontdoorId !== "string" || typeof name !== "string" || failures.length > 0)
    return { inputs, failures };
  const { claims, departures } = kindOf(service.frontDoor(frontdoorId));
  const other = claims.declare(name, origin);
  if (other !== undefined || claims.isDeclaredByAnother(name)) {
    const first = other === undefined ? "one of another provider" : `"${logicalName(other)}"`;
    const both = `${first} and "${logicalName(origin)}"`;
    const remedy = "give one of them another name, best the newer one (a live tunnel is replaced by that)";
    const reason = `is that of two resources on front door ${frontdoorId}, ${both} ("${name}"; where none is given it is derived, or kept from the state): ${remedy}`;
    return { inputs, failures: [{ property: "name", reason }] };
  }
  if (Object.keys(olds).length > 0 || departures.idsOf(name).length > 0) claims.noteKnown(origin);
  if (typeof adopt !== "string") return { inputs, failures };
  const holder = claims.declareAs(adopt, origin);
  if (holder !== undefined)
    return { inputs, failures: [{ property: "adopt", reason: saysTwice(adopt, holder, origin) }] };
  // Found right by diff and yet checked once more, to be made anew: an earlier run was to replace it, and it may be there still
  // (retainOnDelete).
  if (!claims.isInState(adopt) || claims.isHeld(adopt)) return { inputs, failures };
  return { inputs: { ...others, frontdoorId, name } as unknown as Inputs, failures };
}

/** The same whichever of the two is looked at first. */
export function saysTwice(id: string, ...origins: [string, string]): string {
  const [first = "", second = ""] = origins.map(logicalName).sort();
  return `${id} is the id of "${first}" and of "${second}" of this program: a resource can be declared once; leave one of the two out, or its adopt: what the other one has is not deleted`;
}

/** Checks what is declared by its table, fills in name and front door, and holds it against what this run has seen before. */
export function checkedBy<Inputs extends { frontdoorId?: unknown; name?: unknown; adopt?: unknown }>(
  table: Table,
  type: string,
  declared: Declaration,
  service: Service,
  kindOf: KindOf,
): Checked<Inputs> {
  const { given, isNameDerived, isNameProposed } = withName(
    { ...declared, news: inAgreement(table, declared) },
    service.config.frontdoorId,
  );
  const { inputs, failures, moved } = checkEach(table, given, type);
  if (given["name"] === undefined && declared.autonaming === "disabled")
    failures.push({ property: "name", reason: "must be given: autonaming is disabled here (pulumi:autonaming)" });
  const isWrong = failures.some(({ property }) => property === "frontdoorId");
  if (!isWrong) inputs["frontdoorId"] ??= service.config.frontdoorId;
  if (!isWrong && inputs["frontdoorId"] === undefined)
    failures.push({ property: "frontdoorId", reason: noFrontdoorId });
  const { frontdoorId, name } = inputs;
  // What was begun under a name goes on with it, whatever is proposed by now.
  if (isNameProposed && failures.length === 0 && typeof frontdoorId === "string")
    inputs["name"] = kindOf(service.frontDoor(frontdoorId)).creates.nameOf(declared.origin ?? "") ?? name;
  return {
    ...registered({ inputs: inputs as Planned<Inputs>, failures }, declared, service, kindOf),
    isNameDerived,
    moved,
  };
}
