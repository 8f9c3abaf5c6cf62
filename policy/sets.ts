import { keyed } from "../provider/resources/changes";
import { originInSet } from "../provider/resources/origin";
import { read, UNKNOWN } from "./known";

const types = ["pulumi-nodejs:dynamic/frontdoor:IpsecShareSet", "frontdoor:index:IpsecShareSet"];

/** Whether the type token is that of a set of shares. */
export const isSet = (type: string): boolean => types.includes(type);

interface Resource {
  type: string;
  urn: string;
  name: string;
  props: Record<string, unknown>;
  opts: { ignoreChanges: string[] };
}

/** A share of a set, as policies look at one by itself. */
export interface Member {
  key: string;
  /** URN of the set. */
  setUrn: string;
}

/** What the shares of a set have from it. */
const common = ["ipsecTunnelId", "frontdoorId", "envZId", "envId", "locationId"];

/** The shares of a set by themselves, each with what it has from the set; those that are not known yet are left out. */
export function sharesIn<Set extends Resource>(set: Set): (Set & Member)[] {
  const shares = read(set.props, "shares");
  if (typeof shares !== "object" || shares === null) return [];
  return Object.keys(shares).flatMap((key) => {
    const own = read(shares, key);
    if (own === UNKNOWN || typeof own !== "object" || own === null) return [];
    const { urn, name, opts } = set;
    const member = {
      ...{ type: "frontdoor:index:IpsecShare", urn: originInSet(urn, key), name: keyed(name, key) },
      ...{ props: laidOver(own, set.props), opts: { ...opts, ignoreChanges: ignoredOf(key, opts.ignoreChanges) } },
      ...{ key, setUrn: urn },
    };
    return [{ ...set, ...member }];
  });
}

/** What a share has of its own, else what the set has for all; each value is touched when it is read, as an unknown one throws then. */
function laidOver(own: object, set: object): Record<string, unknown> {
  const props = {};
  const names = new Set([...common.filter((name) => name in set), ...Object.keys(own)]);
  for (const name of names) {
    const from = name in own ? own : set;
    Object.defineProperty(props, name, { enumerable: true, get: () => (from as Record<string, unknown>)[name] });
  }
  return props;
}

/** What `ignoreChanges` of a set says of this share. */
const ignoredOf = (key: string, paths: readonly string[]): string[] =>
  paths.flatMap((path) => {
    const [first, share, property = "*"] = partsOf(path);
    if (first !== "shares") return [path];
    return [undefined, "*", key].includes(share) ? [property] : [];
  });

/** Of a path of the engine's, such as `shares["web"].target` or `shares.web.target`. */
const partsOf = (path: string): string[] =>
  [...path.matchAll(/\["([^"]*)"\]|([^.[\]]+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
