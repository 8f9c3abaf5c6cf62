import { asReason } from "./errors";
import { firstOf, runAfter } from "./messages";

// The messages of share sets, as those of `messages.ts`: problem, effect, one action, code. At most 60 words.

/** Returns the reason of one share of a set in short: its key, its id, the first sentence and the code. */
const brief = (reason: string): string =>
  asReason(reason.replace(/^(.*?): IPsec share "[^"]*"( \([^)]*\))?: /, "$1$2: "));

export const noSharesOn = (tunnelId: string, frontdoorId: string): string =>
  `IPsec share set: tunnel ${tunnelId} of front door ${frontdoorId} has no shares. Correct the id. [not-found]`;

export const setImportIdWrong = (id: string): string =>
  `${id} is not the id of a share set. Nothing was sent. Write tunnel/<tunnelId>. [import-id]`;

export const keysDiffer = (label: string, adopts: string[]): string =>
  `${label}: the program has other keys than the import, so these shares would be deleted and created again. The set was not changed. To keep them, set \`adopt\`: ${firstOf(adopts, 5).join(", ")}. [keys-differ]`;

export const portCycle = (label: string, keys: string[]): string =>
  `${label}: ${firstOf(keys).join(", ")} swap ports in a circle. The set was not changed. ` +
  `First move one of these shares to a free \`ingressPort\`, in a separate \`pulumi up\`. If the keys follow the order of a list, name them instead. [port-cycle]`;

export const portOfKey = (ingressPort: number, key: string): string =>
  `${key} has failed and still has port ${ingressPort}. This share was not changed. Fix ${key} first. [port-in-use]`;

export const nameOfKey = (key: string): string =>
  `${key} has failed, and its share still has the name. This share was not changed. Fix ${key} first. [pending-delete]`;

/** The number of failed shares that the message of a set names. */
const mostReasons = 2;

/** Returns what helps for shares that failed for these reasons. The next run alone changes nothing about a value or a port. */
function setRemedy(reasons: string[], codes: ReadonlySet<string>): string {
  const areAll = (...known: string[]) => [...codes].every((code) => known.includes(code));
  if (areAll("value-differs")) return "Correct the values, and run `pulumi up`. [value-differs]";
  if (areAll("port-in-use", "identical-exists")) return "The log says what to do for each. [set-incomplete]";
  return `${runAfter(reasons.join(" "), "`pulumi up` again to retry the failed shares")}. [set-incomplete]`;
}

/** `codes` are those of the reasons. */
export function setUnfinished(
  label: string,
  count: number,
  total: number,
  reasons: string[],
  codes: ReadonlySet<string>,
): string {
  const others = count > mostReasons ? `; and ${count - mostReasons} more` : "";
  const named = reasons.slice(0, mostReasons).map(brief).join("; ");
  return (
    `${label}: ${count} of ${total} shares have failed: ${named}${others}. ` +
    `The other shares are in the state. ${setRemedy(reasons, codes)}`
  );
}

export const setReplacedLater = (label: string, frontdoorId: string): string =>
  `${label}: its shares on front door ${frontdoorId} stay, because this run could not create all of their successors. ` +
  "Nothing was deleted. Correct the other error of this set, then run `pulumi up` again. [set-incomplete]";

export const setNotDeleted = (first: string, more: number): string =>
  `${asReason(first)}. ${more} more ${more === 1 ? "share of the set was" : "shares of the set were"} not deleted. ` +
  `The whole set stays in the state. ${runAfter(first, "the command again")}. [set-incomplete]`;
