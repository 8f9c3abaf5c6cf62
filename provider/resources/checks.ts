import type { Named } from "../api/wire";
import { type Config, noFrontdoorId } from "../config";
import { type Field, isArgument, type Planned, type Table, UNKNOWN } from "../fields/field";
import { type Checked, type Declaration, type Failure, isNameDerived as wasNameDerived } from "../lifecycle/lifecycle";
import { idTwice, locationsOpen, nameTwice, placeShared, placeTwice, portTwice } from "../messages";
import { nearest } from "../nearest";
import type { FrontDoor, Kind, Service } from "../operations/service";
import { derivedName, logicalName, setOriginOf } from "./names";

type DeclaringKind = Pick<Kind<Named>, "declarations" | "records" | "ledger">;

/** Checks the inputs by their table and fills in name and front door. Refuses a name or an id that another resource of the program has. */
export function checkedBy<Inputs extends { frontdoorId?: unknown; name?: unknown; adopt?: unknown }>(
  table: Table,
  type: string,
  declared: Declaration,
  service: Service,
  kindOf: (frontDoor: FrontDoor) => DeclaringKind,
  hasUnknownTunnel: (inputs: Planned<Inputs>) => boolean = () => false,
): Checked<Inputs> {
  const { given, isNameDerived, isNameProposed } = withName(
    table,
    { ...declared, news: withoutAliases(table, declared) },
    service.config.frontdoorId,
  );
  const { inputs, failures, aliased } = checkEach(table, given, type);
  if (given["name"] === undefined && declared.autonaming === "disabled")
    failures.push({
      property: "name",
      reason: "must be given, because pulumi:autonaming is disabled. Give the resource a name. [name-missing]",
    });
  checkFrontDoor(inputs, failures, service.config);
  const { frontdoorId, name } = inputs;
  const checked = { inputs: inputs as Planned<Inputs>, failures, isNameDerived, aliased };
  if (failures.length > 0 || typeof frontdoorId !== "string") return checked;
  const kind = kindOf(service.frontDoor(frontdoorId));
  // A create that began under a name continues with it, whatever name the engine proposes now.
  if (isNameProposed) inputs["name"] = kind.records.derivedNameOf(declared.origin ?? "") ?? name;
  failures.push(...declare(kind, inputs, declared, hasUnknownTunnel(checked.inputs), service));
  const { adopt } = inputs;
  // For the second half of a replacement, Pulumi also checks without old inputs.
  const isAdopting = Object.keys(declared.olds).length === 0 && typeof adopt === "string";
  return isAdopting && !kind.declarations.hasIdInState(adopt) ? { ...checked, adopts: adopt } : checked;
}

/**
 * Returns the inputs in one spelling. The SDK gives a field in both spellings, since ignoreChanges can name either one. If the two differ,
 * ignoreChanges names the field, and the value of the state counts.
 */
function withoutAliases(table: Table, { news, olds }: Declaration): Record<string, unknown> {
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
 * Returns the inputs with a name. The order is: the given name, that of the state, the engine's proposal, the derived name. The name in
 * the state does not count for a resource that moves to another front door. Nor does one that no program may give, if the program gave none.
 */
function withName(
  { name: row }: Table,
  { news, olds, origin, autonaming }: Declaration,
  configured: string | undefined,
): {
  given: Record<string, unknown>;
  isNameDerived: boolean;
  isNameProposed?: boolean;
} {
  // With ignoreChanges, Pulumi puts the name of the state back before it asks for a check.
  const isPutBack = wasNameDerived(olds) && news["name"] === olds["name"];
  const isRight = row !== undefined && isArgument(row) && row.is.safeParse(olds["name"]).success;
  const ignoresOldName = wasNameDerived(olds) && !isRight;
  if (news["name"] != null && !(ignoresOldName && isPutBack)) return { given: news, isNameDerived: isPutBack };
  const frontdoorId = news["frontdoorId"] ?? configured;
  const isForOther =
    typeof frontdoorId === "string" && olds["frontdoorId"] !== undefined && olds["frontdoorId"] !== frontdoorId;
  const oldName = isForOther || ignoresOldName ? undefined : olds["name"];
  if (oldName === undefined && autonaming === "disabled") return { given: news, isNameDerived: false };
  const proposed = oldName === undefined && typeof autonaming === "object" ? autonaming.proposedName : undefined;
  const name = oldName ?? proposed ?? (origin === undefined ? olds["name"] : derivedName(origin));
  return { given: { ...news, name }, isNameDerived: true, isNameProposed: proposed !== undefined };
}

/**
 * Checks each given value by its row. An unknown value passes, null counts as omitted, and a field has one spelling.
 * Hidden inputs (`__…`) belong to the adapter.
 */
export function checkEach(
  table: Table,
  given: Record<string, unknown>,
  what: string,
): { inputs: Record<string, unknown>; failures: Failure[]; aliased: string[] } {
  const failures: Failure[] = [];
  const aliased: string[] = [];
  const inputs: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    if (!isArgument(field)) continue;
    const { is, alias, whenOmitted } = field;
    const isAlias = alias !== undefined && given[alias] != null;
    const property = isAlias ? alias : name;
    if (isAlias && given[name] != null) {
      failures.push({ property, reason: `is another spelling of ${name}, and both are given. Remove one of the two` });
      continue;
    }
    const value = given[property] ?? undefined;
    if (value === undefined && whenOmitted !== "refused") continue;
    const parsed = value === UNKNOWN ? undefined : is.safeParse(value);
    const reason = parsed?.error?.issues[0]?.message;
    if (isAlias && value !== UNKNOWN) aliased.push(name);
    if (reason === undefined) inputs[name] = value;
    else failures.push({ property, reason: alias && value === undefined ? `${reason}, here or as ${alias}` : reason });
  }
  return { inputs, failures: [...failures, ...strangeInputs(table, given, what)], aliased };
}

/** Returns what is wrong with the inputs that check has returned. They have what check fills in. */
export function wrongIn(table: Table, inputs: object, what: string): Failure[] {
  const strict = Object.entries(table).map(([name, field]): [string, Field] => {
    const isFilledIn = isArgument(field) && field.whenOmitted === "filled in";
    return [name, isFilledIn ? { ...field, whenOmitted: "refused" } : field];
  });
  return checkEach(Object.fromEntries(strict), { ...inputs }, what).failures;
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
    const action = meant === undefined ? `Use one of: ${spellings.join(", ")}` : `Write ${meant} instead`;
    const reason = `is not an argument of ${what}. ${action}. [unknown-input]`;
    return { property, reason };
  });
}

/** Fills in the configured front door, or refuses that there is none. */
export function checkFrontDoor(
  inputs: Record<string, unknown>,
  failures: Failure[],
  config: Pick<Config, "frontdoorId">,
): void {
  if (failures.some(({ property }) => property === "frontdoorId")) return;
  inputs["frontdoorId"] ??= config.frontdoorId;
  if (inputs["frontdoorId"] === undefined) failures.push({ property: "frontdoorId", reason: noFrontdoorId });
}

/**
 * Records the resource in the declarations. Returns a failure for each thing that another resource of the front door has: its name, its
 * port of a tunnel, its location, or its id in `adopt`.
 */
function declare(
  kind: DeclaringKind,
  inputs: Record<string, unknown>,
  { olds, origin, tunnel, isRetained = false }: Declaration,
  hasUnknownTunnel: boolean,
  { config, say }: Pick<Service, "config" | "say">,
): Failure[] {
  const { name, frontdoorId, locationId, adopt } = inputs;
  if (origin === undefined || typeof name !== "string" || typeof frontdoorId !== "string") return [];
  // A share can have the location of its tunnel, or lack one.
  const isTunnel = "peerCidr" in inputs;
  const own = {
    ...{ origin, hasUnknownTunnel, isRetained },
    // A resource that this run deletes first, to create it again, is also in the state.
    isInState: Object.keys(olds).length > 0 || kind.ledger.pendingAt({ name }).length > 0,
    isAnywhere: isTunnel && locationId === undefined && adopt === undefined,
  };
  const namesake = kind.declarations.declare(name, own);
  const anywhere = own.isAnywhere && !namesake ? kind.declarations.otherAnywhere(own) : undefined;
  const names = (other: string): [string, string] => [logicalName(other), logicalName(origin)];
  if (anywhere && config.isOneTunnelPerLocation) say(locationsOpen(frontdoorId, ...names(anywhere.origin)));
  const failures = namesake ? [{ property: "name", reason: nameTwice(name, frontdoorId, ...names(namesake)) }] : [];
  const claim = (property: string, what: string | undefined, reasonOf: (other: string) => string | undefined) => {
    const other = what === undefined ? undefined : kind.declarations.claim(what, origin);
    const reason = other === undefined ? undefined : reasonOf(other);
    if (reason !== undefined) failures.push({ property, reason });
  };
  claim("ingressPort", portIn(inputs, tunnel), (other) => {
    // The check of the set tells of two of its keys.
    const isInOneSet = setOriginOf(origin) !== undefined && setOriginOf(origin) === setOriginOf(other);
    return isInOneSet ? undefined : portTwice(`share "${logicalName(other)}" on the same tunnel`);
  });
  claim("locationId", isTunnel && typeof locationId === "string" ? `location ${locationId}` : undefined, (other) => {
    if (config.isOneTunnelPerLocation) return placeTwice(logicalName(other));
    say(placeShared(String(locationId), ...names(other)));
    return undefined;
  });
  claim("adopt", typeof adopt === "string" ? adopt : undefined, (other) => idTwice(String(adopt), ...names(other)));
  return failures;
}

/** Returns the port of a share on its tunnel. `newTunnel` is the URN of a tunnel without an id. */
function portIn(
  { ipsecTunnelId, ingressPort }: Record<string, unknown>,
  newTunnel: string | undefined,
): string | undefined {
  const tunnel = ipsecTunnelId === UNKNOWN ? newTunnel : ipsecTunnelId;
  const isKnown = typeof tunnel === "string" && tunnel !== "" && typeof ingressPort === "number";
  return isKnown ? `port ${ingressPort} of ${tunnel}` : undefined;
}
