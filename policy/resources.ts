import type { PolicyResource } from "@pulumi/policy";
import { text } from "./known";
import { isSet } from "./sets";

/** What this pack's policies look at. */
export type Kind = "tunnel" | "share";

const kinds: Record<string, Kind> = {
  "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel": "tunnel",
  "pulumi-nodejs:dynamic/frontdoor:IpsecShare": "share",
  "frontdoor:index:IpsecTunnel": "tunnel",
  "frontdoor:index:IpsecShare": "share",
};

/** Whether the type token is a tunnel's or a share's, be it served by the dynamic provider or by the plugin. */
export const kindOf = (type: string): Kind | undefined => kinds[type];

/** Whether a policy looks at resources of the type, or it is a group of such resources. */
export const isKnownType = (type: string): boolean =>
  kindOf(type) !== undefined || isSet(type) || type === "frontdoor:index:IpsecSite";

/** A share and the tunnel it is on. */
export interface PlacedShare {
  share: PolicyResource;
  /** The same text for all shares of one tunnel; undefined while nothing tells the tunnels apart. */
  place: string | undefined;
  /** The tunnel, where it is in this stack. */
  tunnel: PolicyResource | undefined;
}

/** The stack's resources of one kind. */
export const ofKind = (resources: readonly PolicyResource[], kind: Kind): PolicyResource[] =>
  resources.filter(({ type }) => kindOf(type) === kind);

/**
 * The stack's shares with their tunnels. A tunnel's id is unknown until it is created; until then the dependency of `ipsecTunnelId` on
 * exactly one tunnel tells which one is meant.
 */
export function placedShares(resources: readonly PolicyResource[]): PlacedShare[] {
  const shares = ofKind(resources, "share").map((share) => {
    const tunnels = ofKind(share.propertyDependencies["ipsecTunnelId"] ?? [], "tunnel");
    return { share, id: text(share.props, "ipsecTunnelId"), tunnel: tunnels.length === 1 ? tunnels[0] : undefined };
  });
  const byId = new Map(shares.flatMap(({ id, tunnel }) => (id !== undefined && tunnel ? [[id, tunnel] as const] : [])));
  return shares.map(({ share, id, tunnel: told }) => {
    const tunnel = told ?? (id === undefined ? undefined : byId.get(id));
    return { share, tunnel, place: id ?? tunnel?.urn };
  });
}
