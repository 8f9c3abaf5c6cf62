import { derivedName } from "../../provider/resources/origin";

export type Kind = "tunnels" | "shares" | "sets";
/** What histories draw. */
export const kinds = ["tunnels", "shares"] as const;

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

/** By slot. */
export type ModelProgram = Record<(typeof kinds)[number], Record<string, ModelResource>>;

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

/** A program after another: aliases and `adopt` for what was called otherwise or was elsewhere. */
export function registrations(
  program: ModelProgram,
  before: Registration[],
  idOf: (urn: string) => string | undefined,
) {
  return kinds.flatMap((kind) =>
    Object.entries(program[kind]).map(([slot, resource]): Registration => {
      const urn = urnOf(kind, slot, resource);
      const former = before.find((each) => each.slot === slot)?.urn;
      const isEdited = former !== undefined && former !== urn;
      const adopt = isEdited && resource.edited === "adopted" ? idOf(former) : undefined;
      return {
        ...{ slot, kind, urn, aliases: isEdited && resource.edited === "aliased" ? [former] : [] },
        args: { ...resource.args, ...(adopt !== undefined && { adopt }) },
        ...(resource.on !== undefined && { on: resource.on }),
      };
    }),
  );
}
