import { createHash } from "node:crypto";

/** The organization of stacks on a back end that knows none. */
const soleOrganization = "organization";
const longestName = 63;

/** Organization and URN, which is `urn:pulumi:<stack>::<project>::<types of the parents, own type>::<logical name>`. */
function partsOf(origin: string) {
  const [organization = "", urn = "", project = "", types = "", ...name] = origin.split("::");
  return { organization, stack: urn.split(":").at(-1) ?? "", project, types: types.split("$"), name: name.join("::") };
}

/** What messages call the resource. */
export const logicalName = (origin: string): string => partsOf(origin).name;

const legal = (text: string) => text.replace(/[^A-Za-z0-9]+/g, "-");

/** Whether a name can be one that was derived in the stack of this resource: nobody has given it, so that it is no secret. */
export function isDerivedBeside(origin: string, name: string): boolean {
  const { stack, project } = partsOf(origin);
  return name.startsWith(legal(`${project}-${stack}-`));
}

/**
 * The name of a resource that is given none: the same in every run, another one for every URN, and legal for the service
 * (1 to 63 letters, digits and hyphens). A hash is added wherever project, stack and logical name alone could be another URN's too.
 */
export function derivedName(origin: string): string {
  const { organization, stack, project, types, name } = partsOf(origin);
  const whole = `${project}-${stack}-${name}`;
  const cleaned = legal(whole).replace(/^-|-$/g, "");
  const isTold = organization === soleOrganization && types.length === 1 && !(project + stack).includes("-");
  if (isTold && cleaned === whole && whole.length <= longestName) return whole;
  const hash = createHash("sha256").update(origin).digest("hex").slice(0, 8);
  return `${cleaned.slice(0, longestName - hash.length - 1).replace(/-$/, "")}-${hash}`;
}
