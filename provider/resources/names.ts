import { createHash } from "node:crypto";
import { keyed } from "../lifecycle/lifecycle";
import { legal, partsOf } from "../origin";

/** The organization of stacks on a back end without organizations. */
const soleOrganization = "organization";
const longestName = 63;
const hashLength = 8;

/** Returns the origin of a share in a set: the set's origin with the key. */
export const originInSet = (origin: string, key: string): string => `${origin}::${key}`;

/** Returns the name of the resource in messages. */
export function logicalName(origin: string): string {
  const { name, key } = partsOf(origin);
  return key === undefined ? name : keyed(name, key);
}

/**
 * Returns the name of a resource without a name: the same in every run, a different one for every URN, and legal for the service
 * (1 to 63 letters, digits and hyphens). It ends with a hash if project, stack and logical name could also be another URN's.
 */
export function derivedName(origin: string): string {
  const { organization, stack, project, types } = partsOf(origin);
  const whole = wholeName(origin);
  const cleaned = legal(whole).replace(/^-|-$/g, "");
  const isUnambiguous = organization === soleOrganization && types.length === 1 && !(project + stack).includes("-");
  if (isUnambiguous && cleaned === whole && whole.length <= longestName) return whole;
  const hash = createHash("sha256").update(origin).digest("hex").slice(0, hashLength);
  return `${beforeHash(cleaned)}-${hash}`;
}

/** True if the name can be the derived one of the resource of this URN, in any organization. */
export function canBeDerivedNameOf(urn: string, name: string): boolean {
  const whole = wholeName(`::${urn}`);
  if (name === whole) return true;
  const [start, hash] = [name.slice(0, -hashLength), name.slice(-hashLength)];
  return start === `${beforeHash(legal(whole).replace(/^-|-$/g, ""))}-` && /^[0-9a-f]+$/.test(hash);
}

/** Returns the text from which a name is derived. */
function wholeName(origin: string): string {
  const { project, stack, name, key } = partsOf(origin);
  return [project, stack, name, ...(key === undefined ? [] : [key])].join("-");
}

const beforeHash = (cleaned: string) => cleaned.slice(0, longestName - hashLength - 1).replace(/-$/, "");

/** Names a resource in messages. One without an id is not created yet. */
export const labelled = (what: string) => (name: string, id?: string) =>
  `${what} "${name}"${id === undefined ? "" : ` (${id})`}`;

export const tunnelLabel = labelled("IPsec tunnel");
