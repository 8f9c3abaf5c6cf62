import { derivedName } from "../../provider/resources/names";

export type Kind = "tunnels" | "shares" | "sets" | "connections";
/** Custom timeouts as a program gives them, such as `"90s"`. */
export type CustomTimeouts = Partial<Record<"create" | "update" | "delete", string>>;

/** As it is registered with the engine. */
export interface Registration {
  slot: string;
  kind: Kind;
  urn: string;
  aliases: string[];
  args: Record<string, unknown>;
  on?: string;
  timeouts?: CustomTimeouts;
  /** Pulumi's `retainOnDelete`: no delete is sent to the service. */
  isRetained?: true;
}

/** Types as the engine knows them. */
export const typeTokens = {
  tunnels: "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel",
  shares: "pulumi-nodejs:dynamic/frontdoor:IpsecShare",
  sets: "pulumi-nodejs:dynamic/frontdoor:IpsecShareSet",
  connections: "pulumi-nodejs:dynamic/frontdoor:IpsecTunnelConnection",
};

/** The argument by which it is on a tunnel. */
export const tunnelArgument = (kind: Kind): string => (kind === "connections" ? "tunnelId" : "ipsecTunnelId");

export const originOf = (urn: string): string => `organization::${urn}`;

/** The name that the service knows it by. */
export const servedName = ({ urn, args }: Registration): unknown => args["name"] ?? derivedName(originOf(urn));

/** Where something is in a resource, such as a share in a set. */
export const partUrn = (urn: string, key: string): string => `${urn}#${key}`;

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
