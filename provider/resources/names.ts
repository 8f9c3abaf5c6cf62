import { keyed } from "../lifecycle/differences";
import { beforeHash, hashLength, legal, partsOf, wholeName } from "../origin";

/** Returns the origin of a share in a set: the set's origin with the key. */
export const originInSet = (origin: string, key: string): string => `${origin}::${key}`;

/** Returns the name of the resource in messages. */
export function logicalName(origin: string): string {
  const { name, key } = partsOf(origin);
  return key === undefined ? name : keyed(name, key);
}

/** True if the name can be the derived one of the resource of this URN, in any organization. */
export function canBeDerivedNameOf(urn: string, name: string): boolean {
  const whole = wholeName(`::${urn}`);
  if (name === whole) return true;
  const [start, hash] = [name.slice(0, -hashLength), name.slice(-hashLength)];
  return start === `${beforeHash(legal(whole).replace(/^-|-$/g, ""))}-` && /^[0-9a-f]+$/.test(hash);
}

/** Names a resource in messages. One without an id is not created yet. */
export const labelled = (what: string) => (name: string, id?: string) =>
  `${what} "${name}"${id === undefined ? "" : ` (${id})`}`;

export const tunnelLabel = labelled("IPsec tunnel");
