import type { Planned } from "../../fields/field";
import { replaceRequests } from "../changes";
import type { Diff } from "../lifecycle";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { willFollow } from "./location";
import { changedFields, rules, type ShareInputs, type ShareOutputs } from "./inputs";

/** The write that an update of a share will send, as far as the state and the program show. */
export interface PlannedWrite {
  method: "PATCH" | "PUT";
  fields: readonly string[];
}

/** Returns undefined if the update has nothing to write. */
export function plannedWrite(olds: ShareOutputs, news: Planned<ShareInputs>): PlannedWrite | undefined {
  const cleared = rules.clearedFields(olds, news);
  if (cleared.length > 0) return { method: "PUT", fields: cleared };
  const changed = changedFields(olds, news);
  if (changed.length > 0) return { method: "PATCH", fields: changed };
  return olds.status === "ERROR" ? { method: "PUT", fields: [] } : undefined;
}

/** Returns the line that a preview shows beside a share: the requests, and if the service recreates the share. */
export async function previewShare(
  service: Service,
  id: string,
  olds: ShareOutputs,
  news: Planned<ShareInputs>,
  diff: Diff,
  until: Until,
): Promise<string | undefined> {
  if (diff.replaces.length > 0) return replaceRequests(diff);
  const write = plannedWrite(olds, news);
  if (!write) return undefined;
  const without = write.method === "PUT" && write.fields.length > 0 ? "without " : "";
  // A read that fails leaves the line as it is.
  const isFollowing =
    news.ipsecTunnelId !== olds.ipsecTunnelId &&
    (await willFollow(service, { ...olds, id }, news, until).catch(() => false));
  const fields = isFollowing && write.method === "PATCH" ? [...write.fields, "locationId"] : write.fields;
  const request = `${write.method} ${without}${fields.join(", ")}`.trim();
  return `${request}; the service recreates the share`;
}
