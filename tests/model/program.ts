import { derivedName } from "../../provider/resources/origin";

export type Kind = "tunnels" | "shares" | "sets";
/** Custom timeouts as a program gives them, such as `"90s"`. */
export type CustomTimeouts = Partial<Record<"create" | "update" | "delete", string>>;

/** A resource of the program; what it is in all its steps is told by its slot, what it is called there may change. */
export interface ModelResource {
  /** Its logical name ends so. */
  called: string;
  /** A component around it. */
  place: string;
  /** Whether an edit of name or place comes with an alias, or with the id of what it was as `adopt`, or with neither. */
  edited: "aliased" | "adopted" | "bare";
  args: Record<string, unknown>;
  /** The slot of a share's tunnel. */
  on?: string;
}

/** The set of some shares of the program, each under its slot as key. */
export interface ModelSet extends Omit<ModelResource, "args"> {
  on: string;
  keys: readonly string[];
}

/** By slot. */
export interface ModelProgram {
  tunnels: Record<string, ModelResource>;
  shares: Record<string, ModelResource>;
  set?: ModelSet | undefined;
}

/** The slot of the set. */
export const setSlot = "services";

/** As it is registered with the engine. */
export interface Registration {
  slot: string;
  kind: Kind;
  urn: string;
  aliases: string[];
  args: Record<string, unknown>;
  on?: string;
  timeouts?: CustomTimeouts;
}

/** Types as the engine knows them. */
export const typeTokens = {
  tunnels: "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel",
  shares: "pulumi-nodejs:dynamic/frontdoor:IpsecShare",
  sets: "pulumi-nodejs:dynamic/frontdoor:IpsecShareSet",
};

export function urnOf(kind: Kind, slot: string, { called, place }: ModelResource): string {
  const parents = place === "" ? "" : `chaos:index:Plain$`;
  return `urn:pulumi:test::model::${parents}${typeTokens[kind]}::${slot}${called}`;
}

export const originOf = (urn: string): string => `organization::${urn}`;

/** The name that the service knows it by. */
export const servedName = ({ urn, args }: Registration): unknown => args["name"] ?? derivedName(originOf(urn));

/** Where something is in a resource, such as a share in a set. */
export const partUrn = (urn: string, key: string): string => `${urn}#${key}`;

const isPart = (urn: string): boolean => urn.includes("#");

/** The shares that the engine knows, and those of sets as if it did: each under the URN of its set with its key. */
export const flat = (program: Registration[]): Registration[] =>
  program.flatMap((one) =>
    one.kind === "sets"
      ? Object.entries(one.args["shares"] as Record<string, Registration["args"]>).map(([slot, args]) => ({
          ...{ ...one, slot, kind: "shares" as const, args },
          urn: partUrn(one.urn, slot),
          aliases: one.aliases.map((alias) => partUrn(alias, slot)),
        }))
      : [one],
  );

/** A program after another: aliases and `adopt` for what was called otherwise or was elsewhere. */
export function registrations(
  { tunnels, shares, set }: ModelProgram,
  before: Registration[],
  idOf: (urn: string) => string | undefined,
): Registration[] {
  const former = [...before, ...flat(before)];
  const adopting = (args: Registration["args"], slot: string, urn: string, edited: ModelResource["edited"]) => {
    const old = former.findLast((each) => each.slot === slot)?.urn;
    const adopt = old !== undefined && old !== urn && edited === "adopted" ? idOf(old) : undefined;
    return { ...args, ...(adopt !== undefined && { adopt }) };
  };
  const register = (kind: Kind, slot: string, resource: ModelResource): Registration => {
    const urn = urnOf(kind, slot, resource);
    const old = former.find((each) => each.slot === slot && each.kind === kind)?.urn;
    const isAliased = old !== undefined && old !== urn && resource.edited === "aliased" && !isPart(old);
    return {
      ...{ slot, kind, urn, aliases: isAliased ? [old] : [] },
      args: adopting(resource.args, slot, urn, resource.edited),
      ...(resource.on !== undefined && { on: resource.on }),
    };
  };
  const keys = set?.keys.filter((key) => shares[key]) ?? [];
  const registerSet = (one: ModelSet): Registration => {
    const registered = register("sets", setSlot, { ...one, args: {} });
    const [alias] = registered.aliases;
    const parts = keys.map((key): [string, Registration["args"]] => {
      const { args = {}, edited = "bare" } = shares[key] ?? {};
      const old = former.findLast((each) => each.slot === key)?.urn;
      const isAliased = alias !== undefined && old === partUrn(alias, key);
      const how = old !== undefined && isPart(old) ? one.edited : edited;
      return [key, isAliased ? args : adopting(args, key, partUrn(registered.urn, key), how)];
    });
    return { ...registered, args: { shares: Object.fromEntries(parts) } };
  };
  return [
    ...Object.entries(tunnels).map(([slot, each]) => register("tunnels", slot, each)),
    ...Object.entries(shares).flatMap(([slot, each]) => (keys.includes(slot) ? [] : [register("shares", slot, each)])),
    ...(set && keys.length > 0 ? [registerSet(set)] : []),
  ];
}
