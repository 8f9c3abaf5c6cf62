import { safeText } from "./errors";
import { firstOf } from "./messages";

// The lines beside a resource in a preview: what a change leads to. They are no errors, and have no code.

/** What a create adopts, and in which arguments it differs from the program. */
export const adoptionLine = (id: string, differing: readonly string[], isRead: boolean): string =>
  `adopts ${id}${isRead ? "" : ", which this run could not read"}${differing.length > 0 ? `, which has another ${differing.join(", ")}` : ""}`;

/** Returns the requests of a replacement, in their order. */
export const replaceRequests = ({ deleteBeforeReplace }: { deleteBeforeReplace: boolean }): string =>
  deleteBeforeReplace ? "DELETE, then POST" : "POST, then DELETE";

/** An update of what only the state has: these options take effect, and Frontdoor gets no request. */
export const onlyOptions = (options: readonly string[]): string => `${options.join(", ")} only: nothing is sent`;

/** What the replacement of a tunnel asks of its site. */
export const siteMustReload =
  "new key, new address, new host: the site must load a new configuration; until then its applications can't be reached";

/** Returns the beginning of the line about a change that the status in the state leads to. */
export const statusPrefix = ({ replaces }: { replaces: readonly string[] }, { status }: { status: string }): string =>
  replaces.includes("status") || (replaces.length === 0 && status !== "DEPLOYED")
    ? `was ${safeText(status, 30)}: `
    : "";

/** The line beside a resource whose last write has not ended. Only a share can be written again without a replacement. */
export const unfinishedBefore = (status: string, isFixed: boolean): string =>
  `${statusPrefix({ replaces: [] }, { status })}waits until DEPLOYED${isFixed ? "" : ", sends what differs"}`;

/** The line beside a share that Frontdoor recreates under its id: the effect, then the requests. */
export const interrupted = (requests: string): string => `interrupted until DEPLOYED, keeps its id: ${requests}`;

/** The same of a set: `count` of its shares. */
export const interruptedIn = (count: number, total: number, requests: string): string =>
  `${count} of ${total} shares interrupted until DEPLOYED, ids stay: ${requests}`;

/** Pulumi deletes what an edit removes at the end of a run, and a preview does not see what the program no longer declares. */
export const portHeld = (tunnelId: string, { id, ingressPort }: { id: string; ingressPort: number }): string =>
  `port ${ingressPort} of ${tunnelId} is held by ${id}: if this edit removes ${id}, remove it first, in an \`up\` of its own`;

/** `ids` are those of shares that are neither of the program nor named as this stack names its own. */
export const othersOn = (ids: string[]): string =>
  `shares that may be other stacks' are on this tunnel (${firstOf(ids, 3).join(", ")}): if they are, \`up\` will stop with \`tunnel-in-use\``;

/** The line beside a tunnel that has failed after it worked, and the middle of its error. */
export const failedTunnel = (status: string, since: string | undefined): string =>
  `Frontdoor shows ${safeText(status, 30)}${since === undefined ? "" : ` since ${since} or before`}. ` +
  "Ask NetFoundry first. Another `rotation` rebuilds the tunnel, with a new key and a new address";
