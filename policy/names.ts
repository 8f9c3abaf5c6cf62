import type { PolicyResource } from "@pulumi/policy";
import { siteOf } from "../cli/dashboard/page/site.js";
import { resourceTypes } from "../provider/fields/resource-types";
import type { ResourceType } from "../provider/fields/types";
import { keyed } from "../provider/lifecycle/differences";
import { originInSet } from "../provider/resources/names";
import { behindProxies, read, text, UNKNOWN } from "./sdk";

/**
 * True if the whole text fits the pattern: `*` is any run of characters, `?` any character, `#` a digit, `@` a lower-case letter. It takes
 * at most pattern × text steps, so no pattern is slow.
 */
export function matches(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let covered = 0;
  while (from < text.length) {
    if (pattern[at] === "*") {
      star = at++;
      covered = from;
    } else if (at < pattern.length && fits(pattern.charAt(at), text.charAt(from))) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++covered;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

function fits(wanted: string, character: string): boolean {
  if (wanted === "?") return true;
  if (wanted === "#") return character >= "0" && character <= "9";
  if (wanted === "@") return character >= "a" && character <= "z";
  return wanted === character;
}

/** Returns project and stack from a resource's URN. */
export function placeOf(urn: string): { project: string; stack: string } {
  const [head = "", project = ""] = urn.split("::");
  return { project, stack: head.slice(head.lastIndexOf(":") + 1) };
}

/** True if the name of the resource's stack, or a word in the name, fits one of the patterns. Letter case does not count. */
export function isInStack(urn: string, patterns: readonly string[]): boolean {
  const { stack } = placeOf(urn);
  const words = stack.replace(/([a-z0-9])(?=[A-Z])/g, "$1-").split(/[^A-Za-z0-9]+/);
  return [stack, ...words].some((name) => isNamed(name, patterns));
}

/** The settings that say which stacks are production (settings.ts). */
interface Production {
  productionStacks: readonly string[];
  otherStacks: readonly string[];
}

/** True if the resource's stack is a production stack. */
export const isInProduction = (urn: string, { productionStacks, otherStacks }: Production): boolean =>
  isInStack(urn, productionStacks) && !isNamed(placeOf(urn).stack, otherStacks);

/** True if the whole name fits one of the patterns. Letter case does not count. */
export const isNamed = (name: string, patterns: readonly string[]) =>
  patterns.some((pattern) => matches(pattern.toLowerCase(), name.toLowerCase()));

/** The kinds of resources that the policies check. */
export type Kind = "tunnel" | "share";

/** Returns the type of a token of the dynamic provider or the plugin, such as `IpsecTunnel`; undefined for other tokens. */
const typeIn = (token: string): ResourceType | undefined =>
  resourceTypes.find((type) => [`pulumi-nodejs:dynamic/frontdoor:${type}`, `frontdoor:index:${type}`].includes(token));

const kinds: Partial<Record<ResourceType, Kind>> = { IpsecTunnel: "tunnel", IpsecShare: "share" };

/** Returns the kind of a type token; undefined if the policies check nothing of it. */
export function kindOf(token: string): Kind | undefined {
  const type = typeIn(token);
  return type && kinds[type];
}

/** True for a resource of this package, or a group of such resources. */
export const isKnownType = (token: string): boolean =>
  typeIn(token) !== undefined || token === "frontdoor:index:IpsecSite";

/** A share with its tunnel. */
interface PlacedShare {
  share: PolicyResource;
  /** The same text for all shares of one tunnel; undefined if the tunnel cannot be determined. */
  place: string | undefined;
  /** The tunnel, if it is in this stack. */
  tunnel: PolicyResource | undefined;
}

/** Returns the stack's resources of one kind. */
export const ofKind = (resources: readonly PolicyResource[], kind: Kind): PolicyResource[] =>
  resources.filter(({ type }) => kindOf(type) === kind);

/** Returns the stack's tunnels by their site; under undefined those whose site is not known. A front door that is not set is the stack's own. */
export const sitesOf = (resources: readonly PolicyResource[]): Map<string | undefined, PolicyResource[]> =>
  Map.groupBy(ofKind(resources, "tunnel"), ({ props }) =>
    siteOf(read(props, "frontdoorId") ?? "", read(props, "peerCidr")),
  );

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
  return shares.map(({ share, id, tunnel: dependency }) => {
    const tunnel = dependency ?? (id === undefined ? undefined : byId.get(id));
    return { share, tunnel, place: id ?? tunnel?.urn };
  });
}

/** True if the type token is that of a tunnel connection. */
export const isConnection = (token: string): boolean => typeIn(token) === "IpsecTunnelConnection";

/** True if the type token is that of a share set. */
export const isSet = (token: string): boolean => typeIn(token) === "IpsecShareSet";

interface Resource {
  type: string;
  urn: string;
  name: string;
  props: Record<string, unknown>;
  opts: { ignoreChanges: string[] };
}

/** A share of a set, checked as a single share. */
export interface Member {
  key: string;
  /** URN of the set. */
  setUrn: string;
}

/** The properties that the set gives to its shares. */
const common = ["ipsecTunnelId", "frontdoorId", "envZId", "envId", "locationId"];

/** Returns a URN for each share of a set; undefined if the keys are not known. */
export function shareUrnsOf({ urn, props }: Pick<Resource, "urn" | "props">): string[] | undefined {
  const shares = read(props, "shares");
  return typeof shares === "object" && shares !== null
    ? Object.keys(shares).map((key) => originInSet(urn, key))
    : undefined;
}

/** Returns the known shares of a set, each with the properties from the set. */
export function sharesIn<Set extends Resource>(set: Set): (Set & Member)[] {
  const shares = read(set.props, "shares");
  if (typeof shares !== "object" || shares === null) return [];
  const whole = behindProxies(set.props) as Record<string, unknown>;
  const ofAll = Object.fromEntries(common.flatMap((name) => (name in whole ? [[name, whole[name]]] : [])));
  return Object.keys(shares).flatMap((key) => {
    const share = read(shares, key);
    if (share === UNKNOWN || typeof share !== "object" || share === null) return [];
    const { urn, name, opts } = set;
    const member = {
      type: "frontdoor:index:IpsecShare",
      urn: originInSet(urn, key),
      name: keyed(name, key),
      ...{ props: { ...ofAll, ...share }, opts: { ...opts, ignoreChanges: ignoredOf(key, opts.ignoreChanges) } },
      key,
      setUrn: urn,
    };
    return [{ ...set, ...member }];
  });
}

/** Returns the paths in the set's `ignoreChanges` for this share. */
const ignoredOf = (key: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const [first, share, property = "*"] = partsOf(path);
    if (first !== "shares") return [path];
    return [undefined, "*", key].includes(share) ? [property] : [];
  });

/** Returns the parts of the engine's paths, such as `shares["web"].target` or `shares.web.target`. */
const partsOf = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|([^.[\]]+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
