import { createHash } from "node:crypto";

// The origin of a resource (its organization and URN), as far as it tells the names of its stack.

/** The organization of stacks on a back end without organizations. */
const soleOrganization = "organization";
const longestName = 63;
export const hashLength = 8;

/** Splits an origin: the organization and the URN `urn:pulumi:<stack>::<project>::<parents' types, own type>::<name>`. A share in a set adds its key. */
export function partsOf(origin: string) {
  const [organization = "", urn = "", project = "", allTypes = "", ...rest] = origin.split("::");
  const types = allTypes.split("$");
  const key = types.at(-1)?.endsWith(":IpsecShareSet") && rest.length > 1 ? rest.pop() : undefined;
  return { organization, stack: urn.split(":").at(-1) ?? "", project, types, name: rest.join("::"), key };
}

/** Returns the origin of the set that a share is in; undefined for other resources. */
export const setOriginOf = (origin: string): string | undefined => {
  const { key } = partsOf(origin);
  return key === undefined ? undefined : origin.slice(0, -`::${key}`.length);
};

/** Returns the text with a hyphen for the characters that a name cannot have. */
export const legal = (text: string) => text.replace(/[^A-Za-z0-9]+/g, "-");

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

/** Returns the text from which a name is derived. */
export function wholeName(origin: string): string {
  const { project, stack, name, key } = partsOf(origin);
  return [project, stack, name, ...(key === undefined ? [] : [key])].join("-");
}

export const beforeHash = (cleaned: string) => cleaned.slice(0, longestName - hashLength - 1).replace(/-$/, "");

/**
 * True if only this stack derives the name. Without a hash, its project and stack have no hyphen. Else the hash tells: that of a resource in
 * the same component as the one of this origin, or in none. Another name of this stack with a hash can be that of a stack whose name begins with this one's.
 */
export function isDerivedInStackOf(origin: string, name: string): boolean {
  const { organization, stack, project, types } = partsOf(origin);
  const start = legal(`${project}-${stack}-`);
  if (!name.startsWith(start)) return false;
  const [, logical] = /^(.+)-[0-9a-f]{8}$/.exec(name.slice(start.length)) ?? [];
  if (logical === undefined) return !(project + stack).includes("-");
  const [parents, own = ""] = [types.slice(0, -1), types.at(-1)?.replace(/\w+$/, "")];
  const originOf = (kind: string, names: string[], within: string[]) =>
    [organization, `urn:pulumi:${stack}`, project, [...within, own + kind].join("$"), ...names].join("::");
  const keys = [...logical.matchAll(/-/g)].map(({ index }) => [logical.slice(0, index), logical.slice(index + 1)]);
  const origins = [parents, []].flatMap((within) => [
    ...["IpsecTunnel", "IpsecShare"].map((kind) => originOf(kind, [logical], within)),
    ...keys.map((names) => originOf("IpsecShareSet", names, within)),
  ]);
  return origins.some((each) => derivedName(each) === name);
}

/** True if the name looks like one that another stack of the project has derived. The logical name is not known. */
export const isLikeOfOtherStack = ({ project, stack }: { project: string; stack: string }, name: string): boolean =>
  name.startsWith(legal(`${project}-`)) && !name.startsWith(legal(`${project}-${stack}-`));

/** Returns the stack in which the same resource of the same project has this name as its derived one; undefined if it is this stack, or none. */
export function otherStackOf(origin: string, name: string): string | undefined {
  if (origin === "" || isDerivedInStackOf(origin, name)) return undefined;
  const { project, stack: ownStack, name: own, key } = partsOf(origin);
  const [start, end] = [legal(`${project}-`), legal(["", own, ...(key === undefined ? [] : [key])].join("-"))];
  const whole = [name, name.replace(/-[0-9a-f]{8}$/, "")].find((each) => each.startsWith(start) && each.endsWith(end));
  const stack = whole?.slice(start.length, -end.length);
  return stack === "" || stack === ownStack ? undefined : stack;
}
