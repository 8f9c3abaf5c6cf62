import type { PolicyResource } from "@pulumi/policy";
import { text } from "./known";
import { isSet } from "./sets";

/** The kinds of resources that the policies check. */
export type Kind = "tunnel" | "share";

const kinds: Record<string, Kind> = {
  "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel": "tunnel",
  "pulumi-nodejs:dynamic/frontdoor:IpsecShare": "share",
  "frontdoor:index:IpsecTunnel": "tunnel",
  "frontdoor:index:IpsecShare": "share",
};

/** Returns the kind of a type token of the dynamic provider or the plugin; undefined for other tokens. */
export const kindOf = (type: string): Kind | undefined => kinds[type];

/** Types without anything to check: a group of resources, and a resource that only waits. */
const harmless = [
  "frontdoor:index:IpsecSite",
  "frontdoor:index:IpsecTunnelConnection",
  "pulumi-nodejs:dynamic/frontdoor:IpsecTunnelConnection",
];

/** True if policies check resources of the type, or groups of such resources. */
export const isKnownType = (type: string): boolean =>
  kindOf(type) !== undefined || isSet(type) || harmless.includes(type);

/** A share with its tunnel. */
export interface PlacedShare {
  share: PolicyResource;
  /** The same text for all shares of one tunnel; undefined if the tunnel cannot be determined. */
  place: string | undefined;
  /** The tunnel, if it is in this stack. */
  tunnel: PolicyResource | undefined;
}

/** Returns the stack's resources of one kind. */
export const ofKind = (resources: readonly PolicyResource[], kind: Kind): PolicyResource[] =>
  resources.filter(({ type }) => kindOf(type) === kind);

/**
 * Returns the stack's shares with their tunnels. A tunnel's id is unknown until its create. Until then, `ipsecTunnelId` must depend on
 * exactly one tunnel.
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
