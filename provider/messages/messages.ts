// Each message: problem, effect, one action, code. At most 60 words.

import { safeText, seconds, withAction } from "../errors";

/** A resource of the service, as messages name it. */
export interface Mentioned {
  id: string;
  /** Undefined if the name may be a secret. */
  name: string | undefined;
}

export const mention = ({ id, name }: Mentioned): string =>
  name === undefined ? id : `"${safeText(name, 80)}" (${id})`;

const mostNamed = 10;

/** Returns the first ten texts, and the number of the others. */
export const firstOf = (texts: string[]): string[] =>
  texts.length > mostNamed ? [...texts.slice(0, mostNamed), `and ${texts.length - mostNamed} more`] : texts;

/** With `--replace`, the engine tells the provider nothing of the old resource. */
export const identicalExists = (label: string, id: string): string =>
  `${label}: an identical resource (${id}) exists; with \`--replace\` it is this very resource, which Pulumi would create before it deletes it. ` +
  `Nothing was created. For \`--replace\`, set \`deleteBeforeReplace: true\`. ` +
  `If the state lacks ${id}, set \`adopt: "${id}"\` in the arguments. [identical-exists]`;

/** The message about a read that was refused in a refresh, whose settings are those of the last run. */
export const refreshRefused = (message: string): string =>
  withAction(
    message,
    "A refresh uses the settings of the last run. If you have corrected them, run `pulumi up` without `--refresh`, or add `--run-program`.",
  );

export const resumeRefused = (label: string, id: string): string =>
  `${label}: an interrupted run created ${id}, and \`frontdoor:takeOver: never\` forbids to resume that create. ` +
  `Nothing was created. To use ${id}, set \`adopt: "${id}"\` in the arguments. [resume-refused]`;

export const resumed = (label: string, id: string): string =>
  `${label}: an interrupted run created ${id}, and this run resumed that create. No action is needed. [resumed]`;

export const adopted = (label: string, id: string): string =>
  `${label}: adopted the identical resource ${id}, because \`frontdoor:takeOver\` is \`alike\`. Nothing was created. ` +
  `Check that no other stack uses ${id}. [adopted]`;

export const notShown = (label: string): string =>
  `${label}: the service accepted the create, but does not show the resource. The state does not have it. ` +
  `Run \`pulumi up\` again: the provider reads the service before it sends another create. [not-shown]`;

export const notProvenGone = (label: string): string =>
  `${label}: the service answers "not found", but its lists do not confirm that the resource is gone. The state keeps the resource. Try again later. [not-proved-gone]`;

export const notDeleted = (label: string, reason: string): string =>
  `${label}: the delete has not ended: ${reason}. The resource stays in the state. Run the command again. [not-deleted]`;

export const replacementNeeded = (label: string, properties: readonly string[]): string =>
  `${label}: a change of ${properties.map((property) => `\`${property}\``).join(", ")} needs a replacement, and this command only updates. ` +
  `The resource was not changed. Make the change in a program with \`pulumi up\`. [replacement-needed]`;

export const ownedByOther = (label: string): string =>
  `${label}: not deleted at the service, because another resource of the program has this id now. No action is needed. [not-deleted-owned]`;

export const staleRecord = (label: string, id: string | undefined): string =>
  `${label}: an interrupted run ${id === undefined ? "may have created another resource" : `created ${id}`}, ` +
  `which the program no longer declares. That resource stays at the service. Delete it there if nobody uses it. [stale-creation-record]`;

export const adoptMissing = (label: string, id: string, frontdoorId: string, isDeleting: boolean): string =>
  `${label}: ${isDeleting ? `${id} is being deleted` : `front door ${frontdoorId} has no resource ${id} of this kind`}. Nothing was adopted. ` +
  `${isDeleting ? "Remove `adopt`" : "Correct the id in `adopt`"}. [adopt-missing]`;

export const adoptDiffers = (label: string, id: string, differences: string): string =>
  `${label}: ${id} differs from the program in ${differences}, and the service cannot change a tunnel. Nothing was adopted. ` +
  `Set these arguments to the values of ${id}. [adopt-differs]`;

export const notReplaced = (label: string, id: string): string =>
  `${label}: ${id} is as declared, so this run continues with it. Nothing was created. No action is needed. [not-replaced]`;

export const tunnelInUse = (label: string, shares: Mentioned[]): string =>
  `${label}: these IPsec shares still use the tunnel: ${firstOf(shares.map(mention)).join(", ")}. The tunnel was not deleted. ` +
  `First delete or move these shares, each in the stack that declares it. [tunnel-in-use]`;

export const deletedWithTunnel = (id: string): string =>
  `IPsec share ${id}: deleted with its tunnel, because an interrupted run of this stack created the share. No action is needed. [deleted-with-tunnel]`;

export const pendingDelete = (label: string, id: string, reason: string): string =>
  `${label}: the previous resource ${id} still has the name or the port: ${reason}. Nothing was created. Run \`pulumi up\` again. [pending-delete]`;

export const deadline = (label: string, reason: string): string =>
  `${label}: ${reason}. The state has the resource. Run \`pulumi up\` again to resume the wait. [deadline]`;

/** Names a refresh, because the tunnel of the share can also be gone. */
export const shareGone = (label: string, reason: string): string =>
  `${label}: ${reason}. The state has the resource. Run \`pulumi up --refresh\` to create the share again. [share-gone]`;

/** `repair` is the effect of the next run, such as "send the share again". */
export const unfinishedResource = (label: string, reason: string, repair: string, code: string): string =>
  `${label}: ${reason}. The state has the resource. Run \`pulumi up\` again to ${repair}. [${code}]`;

/** `shownMs` is how long the service has shown the last status, as far as the wait has seen. */
export function connectionDown(label: string, reason: string, status: string, shownMs: number): string {
  const shown =
    shownMs > 0 && status !== "" ? ` It has been ${safeText(status, 30)} for at least ${seconds(shownMs)}.` : "";
  return (
    `${label}: ${reason}.${shown} Nothing was created. ` +
    "The remote device starts the tunnel. Check there that UDP 500 and 4500 pass, key, proposals and traffic selectors, and that traffic flows. Then run `pulumi up` again. [connection-down]"
  );
}

export const waitStopped = (label: string, reason: string): string =>
  `${label}: ${reason}. Nothing was created. Run \`pulumi up\` again to resume the wait. [stopped]`;

export const tunnelEnded = (label: string, reason: string): string =>
  `${label}: ${reason}, so its connection cannot be UP. Nothing was created. Run \`pulumi up --refresh\`. [tunnel-ended]`;

export const importIdWrong = (id: string): string =>
  `${id} has too many parts for an id. Nothing was sent. Write <id>, or <frontdoorId>/<id> for another front door. [import-id]`;

export const noneOfThisId = (label: string, frontdoorId: string): string =>
  `${label}: front door ${frontdoorId} has no resource with this id. Correct the id. [not-found]`;

/** `meant` are resources whose names are near, as messages name them. */
export function notOneMatch(label: string, frontdoorId: string, ids: string[], meant: string[]): string {
  const problem = `${label}: front door ${frontdoorId} has`;
  if (ids.length > 0)
    return `${problem} ${ids.length} resources with this name: ${ids.join(", ")}. Give an id. [not-one-match]`;
  const action = meant.length === 0 ? "Correct the name." : `Did you mean ${meant.join(" or ")}?`;
  return `${problem} no resource with this name. ${action} [not-one-match]`;
}

export const wrongFrontDoor =
  "frontdoorId must be 1 to 128 letters, digits or characters of `._:~-`. Nothing was sent. " +
  "Correct the front door in the id of the import or in the state. [front-door-id]";

export const serviceClosed =
  "The run was ending, and the provider had closed its connection. Nothing was sent. Run the command again. [closed]";

export const notConfigured =
  "The engine has not configured the provider. Nothing was sent. Run the command again. [not-configured]";
