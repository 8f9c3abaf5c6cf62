import { type Planned, UNKNOWN } from "../../fields/field";
import { replaceRequests } from "../changes";
import type { Diff } from "../lifecycle";
import { withServiceName } from "../notes";
import { plannedWrite } from "../share/preview";
import { plannedShares, type ShareSetInputs, type ShareSetOutputs, sharesIn } from "./inputs";

/** Returns the line that a preview shows beside a set: the number of requests of each kind. */
export function previewSet(olds: ShareSetOutputs, news: Planned<ShareSetInputs>, diff: Diff): string | undefined {
  const inState = sharesIn(olds);
  if (diff.replaces.length > 0) return `${inState.size} shares: ${replaceRequests(diff)}`;
  const planned = plannedShares(news);
  if (planned === undefined) return undefined;
  const counts = { POST: 0, PATCH: 0, PUT: 0, DELETE: 0 };
  for (const [key, share] of planned) {
    const before = inState.get(key);
    if (!before) counts.POST += 1;
    else if (share !== UNKNOWN) {
      const write = plannedWrite(before.outputs, withServiceName(before.outputs, share));
      if (write) counts[write.method] += 1;
    }
  }
  for (const [key, { outputs }] of inState) if (!planned.has(key) && outputs.__retain !== true) counts.DELETE += 1;
  const requests = Object.entries(counts).filter(([, count]) => count > 0);
  if (requests.length === 0) return undefined;
  const recreated = counts.PATCH + counts.PUT;
  const line = requests.map(([method, count]) => `${count} × ${method}`).join(", ");
  return recreated > 0 ? `${line}; the service recreates ${recreated} of ${inState.size} shares` : line;
}
