import { keyed } from "../provider/resources/changes";
import { originInSet } from "../provider/resources/names";
import { behindProxy, read, UNKNOWN } from "./known";

const types = ["pulumi-nodejs:dynamic/frontdoor:IpsecShareSet", "frontdoor:index:IpsecShareSet"];

/** True if the type token is that of a share set. */
export const isSet = (type: string): boolean => types.includes(type);

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

/** Returns the known shares of a set, each with the properties from the set. */
export function sharesIn<Set extends Resource>(set: Set): (Set & Member)[] {
  const shares = read(set.props, "shares");
  if (typeof shares !== "object" || shares === null) return [];
  const whole = behindProxy(set.props) as Record<string, unknown>;
  const ofAll = Object.fromEntries(common.flatMap((name) => (name in whole ? [[name, whole[name]]] : [])));
  return Object.keys(shares).flatMap((key) => {
    const own = read(shares, key);
    if (own === UNKNOWN || typeof own !== "object" || own === null) return [];
    const { urn, name, opts } = set;
    const member = {
      ...{ type: "frontdoor:index:IpsecShare", urn: originInSet(urn, key), name: keyed(name, key) },
      ...{ props: { ...ofAll, ...own }, opts: { ...opts, ignoreChanges: ignoredOf(key, opts.ignoreChanges) } },
      ...{ key, setUrn: urn },
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
