// The messages of share sets.

import { asReason } from "../errors";
import { firstOf } from "./messages";

/** Returns the reason of one share of a set in short: its key, its id, the first sentence and the code. */
const brief = (reason: string): string =>
  asReason(reason.replace(/^(.*?): IPsec share "[^"]*"( \([^)]*\))?: /, "$1$2: "));

export const noSharesMatch = (tunnelId: string, pattern: string, frontdoorId: string): string =>
  `IPsec share set: tunnel ${tunnelId} of front door ${frontdoorId} has no shares${pattern === "*" ? "" : ` named ${pattern}`}. Correct the id. [not-found]`;

export const setImportIdWrong = (id: string): string =>
  `${id} does not have the form of the id of a set. Nothing was sent. ` +
  `Write tunnel/<tunnelId>, or tunnel/<tunnelId>/<pattern> for the shares whose names match. [import-id]`;

export const portCycle = (label: string, keys: string[]): string =>
  `${label}: ${firstOf(keys).join(", ")} exchange their ports in a cycle. The set was not changed. ` +
  `First give one of these shares a free \`ingressPort\`, in a separate \`pulumi up\`. [port-cycle]`;

export const portOfKey = (ingressPort: number, key: string): string =>
  `${key} has failed and still has port ${ingressPort}. This share was not changed. Fix ${key} first. [port-in-use]`;

/** The number of failed shares that the message of a set names. */
const mostReasons = 2;

export function setUnfinished(label: string, count: number, total: number, reasons: string[]): string {
  const others = count > mostReasons ? `; and ${count - mostReasons} more` : "";
  const named = reasons.slice(0, mostReasons).map(brief).join("; ");
  return (
    `${label}: ${count} of ${total} shares have failed: ${named}${others}. ` +
    `The state has the other shares. Run \`pulumi up\` again to retry the failed shares. [set-incomplete]`
  );
}

export const staysAtService = (label: string, key: string, id: string): string =>
  `${label}: ${key} (${id}) stays at the service, because the key had \`retain: true\`. No action is needed. [retained]`;

export const setNotDeleted = (first: string, more: number): string =>
  `${asReason(first)}. ${more} more ${more === 1 ? "share of the set was" : "shares of the set were"} not deleted. ` +
  `The state keeps the whole set. Run the command again. [set-incomplete]`;
