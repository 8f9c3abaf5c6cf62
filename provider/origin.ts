// The origin of a resource (its organization and URN), as far as it tells the names of its stack.

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

/** True if the name may have been derived in the stack of this resource. A derived name is no secret. */
export function canBeDerivedInStackOf(origin: string, name: string): boolean {
  const { stack, project } = partsOf(origin);
  return name.startsWith(legal(`${project}-${stack}-`));
}

/** True if the name looks like one that another stack of the project has derived. The logical name is not known. */
export const isLikeOfOtherStack = ({ project, stack }: { project: string; stack: string }, name: string): boolean =>
  name.startsWith(legal(`${project}-`)) && !name.startsWith(legal(`${project}-${stack}-`));

/** Returns the stack in which the same resource of the same project has this name as its derived one; undefined if it is this stack, or none. */
export function otherStackOf(origin: string, name: string): string | undefined {
  if (origin === "" || canBeDerivedInStackOf(origin, name)) return undefined;
  const { project, name: own, key } = partsOf(origin);
  const [start, end] = [legal(`${project}-`), legal(["", own, ...(key === undefined ? [] : [key])].join("-"))];
  const whole = [name, name.replace(/-[0-9a-f]{8}$/, "")].find((each) => each.startsWith(start) && each.endsWith(end));
  const stack = whole?.slice(start.length, -end.length);
  return stack === "" ? undefined : stack;
}
