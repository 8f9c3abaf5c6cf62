// Each message: problem, effect, one action, code. At most 60 words.

import { safeText, seconds } from "../errors";

/** A resource of the service, as messages name it. */
export interface Mentioned {
  id: string;
  /** Undefined if the name may be a secret. */
  name: string | undefined;
}

const mention = ({ id, name }: Mentioned): string => (name === undefined ? id : `"${safeText(name, 80)}" (${id})`);

const mostNamed = 10;

/** Returns the reason of one share of a set in short: its key, its id, the first sentence and the code. */
const brief = (reason: string): string =>
  reason
    .replace(/^(.*?): IPsec share "[^"]*"( \([^)]*\))?: /, "$1$2: ")
    .replace(/^(.*?)(?:\.(?: .*)?)?( \[[a-z-]+\])$/s, "$1$2");

/** Returns the first ten texts, and the number of the others. */
export const firstOf = (texts: string[]): string[] =>
  texts.length > mostNamed ? [...texts.slice(0, mostNamed), `and ${texts.length - mostNamed} more`] : texts;

export const identicalExists = (label: string, id: string): string =>
  `${label}: an identical resource (${id}) exists, and this stack has no record of creating it. Nothing was created. ` +
  `To make it yours, set \`adopt: "${id}"\`. [identical-exists]`;

export const resumeRefused = (label: string, id: string): string =>
  `${label}: an interrupted run created ${id}, and \`frontdoor:takeOver\` is \`never\`. Nothing was created. ` +
  `To make it yours, set \`adopt: "${id}"\`. [resume-refused]`;

export const resumed = (label: string, id: string): string =>
  `${label}: resumed ${id}, which an interrupted run created [resumed]`;

export const adopted = (label: string, id: string): string =>
  `${label}: adopted ${id}, which is identical (\`frontdoor:takeOver: alike\`) [adopted]`;

export const notShown = (label: string): string =>
  `${label}: the service accepted the create, but does not show the resource. ` +
  `Run \`pulumi up\` again: it reads before it creates. [not-shown]`;

export const notProvenGone = (label: string): string =>
  `${label}: the service does not show the resource, and has not proved that it is gone. Nothing was changed. Try again later. [not-proved-gone]`;

export const notDeleted = (label: string, reason: string): string =>
  `${label}: delete: ${reason}. The resource stays in the state. Run the command again. [not-deleted]`;

export const ownedByOther = (label: string): string =>
  `${label}: not deleted, because another resource of the program has it now [not-deleted-owned]`;

export const staleRecord = (label: string, id: string | undefined): string =>
  `${label}: an interrupted run ${id === undefined ? "may have created another resource" : `created ${id}`}, ` +
  `which the program no longer declares. Delete that resource at the service, or set \`adopt\`. [stale-creation-record]`;

export const adoptMissing = (label: string, id: string, frontdoorId: string, isDeleting: boolean): string =>
  `${label}: ${isDeleting ? `${id} is being deleted` : `front door ${frontdoorId} has no ${id}`}. Nothing was changed. ` +
  `Correct the id in \`adopt\`. [adopt-missing]`;

export const adoptDiffers = (label: string, id: string, differences: string): string =>
  `${label}: ${id} differs in ${differences}, and a tunnel can only be replaced. Nothing was changed. ` +
  `Give these arguments the values of ${id}. [adopt-differs]`;

export const idTwice = (id: string, ...names: [string, string]): string => {
  const [first, second] = names.sort();
  return `${id} is declared twice, as "${first}" and as "${second}". Nothing was changed. Remove one of the two from the program. [id-twice]`;
};

export const nameTwice = (name: string, frontdoorId: string, ...names: [string, string]): string =>
  `"${name}" is the name of both "${names[0]}" and "${names[1]}" on front door ${frontdoorId}. ` +
  `Give the newer one another name. [name-twice]`;

export const portTwice = (holder: string): string =>
  `is also that of ${holder}. Give one of them another port. [port-twice]`;

export const placeTwice = (holder: string): string =>
  `is also that of tunnel "${holder}". A front door has one tunnel per location. Give one of them another location. [place-twice]`;

/** The owner of a resource that occupies a needed place. */
export type Owner = "this program" | "this stack" | "unknown";

export function portInUse(
  { label, ingressPort, tunnelId, holder }: { label: string; ingressPort: number; tunnelId: string; holder: Mentioned },
  owner: Owner,
): string {
  const problem = `${label}: port ${ingressPort} of tunnel ${tunnelId} is already used by share ${mention(holder)}. This share was not changed.`;
  switch (owner) {
    case "this program":
      return `${problem} Move or remove that share first, in a separate \`pulumi up\`. [port-in-use]`;
    case "this stack":
      return `${problem} To make that share yours, set \`adopt: "${holder.id}"\`. [port-in-use]`;
    case "unknown":
      return `${problem} Choose another \`ingressPort\`. [port-in-use]`;
  }
}

export const tunnelGone = (label: string, tunnelId: string, status: string): string =>
  `${label}: tunnel ${tunnelId} is ${safeText(status, 30)}. This share was not changed. Run \`pulumi up --refresh\`. [tunnel-missing]`;

export function placeTaken(label: string, locationId: string, holder: Mentioned, owner: Owner): string {
  const place = safeText(locationId, 80);
  const problem = `${label}: location ${place} is occupied by tunnel ${mention(holder)}. Nothing was changed.`;
  switch (owner) {
    case "this program":
      return `${problem} Move or remove ${holder.id} first, in a separate \`pulumi up\`. [place-taken]`;
    case "this stack":
      return `${problem} To make that tunnel yours, set \`adopt: "${holder.id}"\`. [place-taken]`;
    case "unknown":
      return `${problem} Choose another \`locationId\`. [place-taken]`;
  }
}

export const tunnelInUse = (label: string, shares: Mentioned[]): string =>
  `${label}: IPsec shares still use it: ${firstOf(shares.map(mention)).join(", ")}. The tunnel stays as it is. ` +
  `Delete these shares first. [tunnel-in-use]`;

export const deletedWithTunnel = (id: string): string =>
  `IPsec share ${id}: deleted with its tunnel, because an interrupted run of this stack created it [deleted-with-tunnel]`;

export const pendingDelete = (label: string, id: string, reason: string): string =>
  `${label}: the previous resource ${id} still has its place: ${reason}. Nothing was created. Run \`pulumi up\` again. [pending-delete]`;

export const deadline = (label: string, reason: string): string =>
  `${label}: ${reason}. The resource is in the state. Run \`pulumi up\` again: it resumes the wait. [deadline]`;

/** `repair` is the effect of the next run, such as "sends the share again". */
export const unfinishedResource = (label: string, reason: string, repair: string, code: string): string =>
  `${label}: ${reason}. The resource is in the state. Run \`pulumi up\` again: it ${repair}. [${code}]`;

/** `shownMs` is how long the service has shown the last status, as far as the wait has seen. */
export function connectionDown(label: string, reason: string, status: string, shownMs: number): string {
  const shown =
    shownMs > 0 && status !== "" ? ` It has been ${safeText(status, 30)} for at least ${seconds(shownMs)}.` : "";
  return (
    `${label}: ${reason}.${shown} Nothing was created. ` +
    "Check the VPN device of the remote site, and run `pulumi up` again. [connection-down]"
  );
}

export const waitStopped = (label: string, reason: string): string =>
  `${label}: ${reason}. Nothing was created. Run \`pulumi up\` again: it waits again. [stopped]`;

export const tunnelEnded = (label: string, reason: string): string =>
  `${label}: ${reason}, so its connection cannot be UP. Nothing was created. Run \`pulumi up --refresh\`. [tunnel-ended]`;

export const importIdWrong = (id: string): string =>
  `${id}: an id is <id> or <frontdoorId>/<id>. Nothing was sent. [import-id]`;

export const noneOfThisId = (label: string, frontdoorId: string): string =>
  `${label}: front door ${frontdoorId} has none of this id. Correct the id. [not-found]`;

export const noSharesMatch = (tunnelId: string, pattern: string, frontdoorId: string): string =>
  `IPsec share set: tunnel ${tunnelId} of front door ${frontdoorId} has no shares${pattern === "*" ? "" : ` named ${pattern}`}. Correct the id. [not-found]`;

export const setImportIdWrong = (id: string): string =>
  `${id}: the id of a set is tunnel/<tunnelId>, tunnel/<tunnelId>/<pattern> such as web-*, or <frontdoorId>/tunnel/<tunnelId>. Nothing was sent. [import-id]`;

export const portCycle = (label: string, keys: string[]): string =>
  `${label}: the ports of ${firstOf(keys).join(", ")} change places in a cycle. Nothing was changed. ` +
  `Give one of them a free \`ingressPort\` in a separate \`pulumi up\` first. [port-cycle]`;

export const portOfKey = (ingressPort: number, key: string): string => `port ${ingressPort} is still that of ${key}`;

/** The number of failed shares that the message of a set names. */
const mostReasons = 2;

export function setUnfinished(label: string, count: number, total: number, reasons: string[]): string {
  const others = count > mostReasons ? `; and ${count - mostReasons} more` : "";
  const named = reasons.slice(0, mostReasons).map(brief).join("; ");
  return (
    `${label}: ${count} of ${total} shares are not as declared: ${named}${others}. ` +
    `Run \`pulumi up\` again: it does the rest. [set-incomplete]`
  );
}

export const staysAtService = (label: string, key: string, id: string): string =>
  `${label}: ${key} (${id}) stays at the service, because its key was set to retain it [retained]`;

export const setNotDeleted = (first: string, more: number): string =>
  `${first} ${more} more shares of the set were not deleted. [set-incomplete]`;

export const wrongFrontDoor =
  "frontdoorId must be an id: letters, digits and . _ : ~ - (at most 128). Nothing was sent. " +
  "To correct one in a state, use `pulumi stack export` and `pulumi stack import`. [front-door-id]";

export const serviceClosed = "The service has been closed. Nothing was sent. [closed]";

export const notConfigured =
  "The engine has not configured the provider. Nothing was sent. Run the command again. [not-configured]";
