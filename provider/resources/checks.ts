import type { Named } from "../api/wire";
import { environmentName, noFrontdoorId } from "../config";
import { defined, isArgument, type Planned, type Table, UNKNOWN } from "../fields/field";
import { differing } from "../fields/rules";
import type { Checked, Declaration, Failure } from "../lifecycle/contract";
import { isNameDerived as wasNameDerived } from "../lifecycle/lifecycle";
import {
  adoptsLeaving,
  frontDoorDiffers,
  idTwice,
  locationsOpen,
  nameTwice,
  placeShared,
  placeTwice,
  portTwice,
  tunnelReplaced,
} from "../messages";
import type { Conflict } from "../run/register";
import type { FrontDoor, Kind, Service } from "../run/service";
import { derivedName, setOriginOf } from "../origin";
import type { Until } from "../time";
import { adoptable, hasBefore, type Readable } from "./adopt";
import { type Checkable, type CheckedInputs, checkEach } from "./given";
import { logicalName } from "./names";

type DeclaringKind = Pick<Kind<Named>, "records" | "register"> & Readable;

/** Checks the inputs by their table and fills in name and front door. Refuses a name or an id that another resource of the program has. */
export function checkedBy<Inputs extends { frontdoorId?: unknown; name?: unknown; adopt?: unknown }>(
  service: Service,
  declared: Declaration,
  { kind: kindOf, ...type }: Checkable & { kind: (frontDoor: FrontDoor) => DeclaringKind },
): Checked<Inputs> {
  const { given, isNameDerived, isNameNew = false } = withName(service, type.table, declared);
  const { inputs, failures, aliased } = checkInputs(service, type, given, declared.olds);
  if (given["name"] === undefined && declared.autonaming === "disabled")
    failures.push({
      property: "name",
      reason: "must be given, because pulumi:autonaming is disabled. Give the resource a name. [name-missing]",
    });
  const { frontdoorId, name, adopt } = inputs;
  const checked = { inputs: inputs as Planned<Inputs>, failures, isNameDerived, aliased };
  if (failures.length > 0 || typeof frontdoorId !== "string") return checked;
  const kind = kindOf(service.frontDoor(frontdoorId));
  const { origin = "" } = declared;
  // A create that began under a name continues with it, and so does the second half of a replacement, for which Pulumi checks without the state.
  if (isNameNew)
    inputs["name"] = kind.records.derivedNameOf(origin) ?? kind.register.resource(origin).declared?.name ?? name;
  failures.push(...declare(service, kind, inputs, declared));
  // For the second half of a replacement, Pulumi also checks without old inputs.
  if (typeof adopt !== "string" || hasBefore(kind, String(inputs["name"]))) return checked;
  const wanted = defined(inputs, (each) => inputs[each] !== UNKNOWN && !(each === "name" && isNameDerived));
  const differingFrom = async (until: Until) =>
    differing(await adoptable(kind, { ...inputs, frontdoorId, adopt }, until), wanted);
  return { ...checked, adopts: [{ property: "adopt", id: adopt, differing: differingFrom }] };
}

/**
 * Returns the inputs with a name. The order is: the given name, that of the state, the engine's proposal, the derived name. The name in
 * the state does not count for a resource that moves to another front door. Nor does one that no program may give, if the program gave none.
 */
function withName(
  { config }: Service,
  { name: row }: Table,
  { news, olds, origin, autonaming }: Declaration,
): { given: Record<string, unknown>; isNameDerived: boolean; isNameNew?: boolean } {
  // With ignoreChanges, Pulumi puts the name of the state back before it asks for a check.
  const isPutBack = wasNameDerived(olds) && news["name"] === olds["name"];
  const isRight = row !== undefined && isArgument(row) && row.is.safeParse(olds["name"]).success;
  const ignoresOldName = wasNameDerived(olds) && !isRight;
  if (news["name"] != null && !(ignoresOldName && isPutBack)) return { given: news, isNameDerived: isPutBack };
  const frontdoorId = news["frontdoorId"] ?? config.frontdoorId;
  const isForOther =
    typeof frontdoorId === "string" && olds["frontdoorId"] !== undefined && olds["frontdoorId"] !== frontdoorId;
  const oldName = isForOther || ignoresOldName ? undefined : olds["name"];
  if (oldName === undefined && autonaming === "disabled") return { given: news, isNameDerived: false };
  const proposed = oldName === undefined && typeof autonaming === "object" ? autonaming.proposedName : undefined;
  const name = oldName ?? proposed ?? (origin === undefined ? olds["name"] : derivedName(origin));
  return { given: { ...news, name }, isNameDerived: true, isNameNew: oldName === undefined };
}

/** Checks each given value, and fills in the configured front door. Refuses a tunnel that this run replaces: `ignoreChanges` keeps its id. */
export function checkInputs(
  service: Service,
  type: Checkable,
  given: Record<string, unknown>,
  olds: Record<string, unknown>,
): CheckedInputs {
  const checked = checkEach(type, given);
  const { inputs, failures } = checked;
  if (inputs["frontdoorId"] === undefined && !failures.some(({ property }) => property === "frontdoorId")) {
    const reason = wrongFrontDoor(service.config, olds["frontdoorId"]);
    if (reason === undefined) inputs["frontdoorId"] = service.config.frontdoorId;
    else failures.push({ property: "frontdoorId", reason });
  }
  const { frontdoorId } = inputs;
  if (typeof frontdoorId !== "string") return checked;
  const { register } = service.frontDoor(frontdoorId).tunnels;
  for (const property of ["ipsecTunnelId", "tunnelId"]) {
    const id = inputs[property];
    if (typeof id === "string" && register.orderOf(id) !== undefined)
      failures.push({ property, reason: tunnelReplaced(id, property) });
  }
  return checked;
}

/** Returns what is wrong with the configured front door. One that comes from the environment moves no resource that the state has. */
function wrongFrontDoor({ frontdoorId, places }: Service["config"], old: unknown): string | undefined {
  if (frontdoorId === undefined) return noFrontdoorId;
  const variable = environmentName("frontdoorId");
  const isOther = places["frontdoorId"] === variable && typeof old === "string" && old !== frontdoorId;
  return isOther ? frontDoorDiffers(variable, frontdoorId, old) : undefined;
}

/**
 * Tells the register of the resource. Returns a failure for each thing that another resource of the front door has: its name, its port of a
 * tunnel, its location, or its id in `adopt`.
 */
function declare(
  service: Service,
  { register }: DeclaringKind,
  inputs: Record<string, unknown>,
  { olds, origin, tunnel, isRetained = false }: Declaration,
): Failure[] {
  const { name, frontdoorId, locationId, adopt, ipsecTunnelId, ingressPort } = inputs;
  if (origin === undefined || typeof name !== "string") return [];
  // A share can have the location of its tunnel, or lack one.
  const isTunnel = "peerCidr" in inputs;
  // If the tunnel does not exist yet, its URN stands for its id.
  const tunnelId = ipsecTunnelId === UNKNOWN ? tunnel : ipsecTunnelId;
  const isOwn = register.pendingAt({ name }).includes(String(adopt)) || register.idsOf(origin).includes(String(adopt));
  const isAnywhere = isTunnel && locationId === undefined && adopt === undefined;
  const conflicts = register.declares({
    ...{ origin, name, isRetained, isAnywhere, isInState: Object.keys(olds).length > 0 },
    hasUnknownTunnel: ipsecTunnelId === UNKNOWN,
    tunnelId: typeof tunnelId === "string" ? tunnelId : undefined,
    ingressPort: typeof ingressPort === "number" ? ingressPort : undefined,
    locationId: isTunnel && typeof locationId === "string" ? locationId : undefined,
    adopt: typeof adopt === "string" ? adopt : undefined,
  });
  const own = register.resource(origin).declared;
  const anywhere = isAnywhere && own ? register.otherAnywhere(own) : undefined;
  if (anywhere && service.config.isOneTunnelPerLocation)
    service.say(locationsOpen(String(frontdoorId), logicalName(anywhere.origin), logicalName(origin)));
  const isLeaving = typeof adopt === "string" && register.fateOf(adopt) === "goes" && !isOwn;
  return [
    ...conflicts.flatMap(({ what, other }) => failureOf[what](service, inputs, [other, origin])),
    ...(isLeaving ? [{ property: "adopt", reason: adoptsLeaving(adopt) }] : []),
  ];
}

/** The failure of a resource that declares what another one has. */
const failureOf: Record<
  Conflict["what"],
  (service: Service, inputs: Record<string, unknown>, origins: [other: string, own: string]) => Failure[]
> = {
  name: (_service, { name, frontdoorId }, [other, own]) => [
    { property: "name", reason: nameTwice(String(name), String(frontdoorId), logicalName(other), logicalName(own)) },
  ],
  port: (_service, _inputs, [other, own]) =>
    // The check of the set tells of two of its keys.
    setOriginOf(other) !== undefined && setOriginOf(other) === setOriginOf(own)
      ? []
      : [{ property: "ingressPort", reason: portTwice(`share "${logicalName(other)}" on the same tunnel`) }],
  location({ config, say }, { locationId }, [other, own]) {
    if (config.isOneTunnelPerLocation) return [{ property: "locationId", reason: placeTwice(logicalName(other)) }];
    say(placeShared(String(locationId), logicalName(other), logicalName(own)));
    return [];
  },
  id: (_service, { adopt }, [other, own]) => [
    { property: "adopt", reason: idTwice(String(adopt), logicalName(other), logicalName(own)) },
  ],
};
