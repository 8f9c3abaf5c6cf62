import type { WireShare } from "../api/types";
import type { Sign } from "./judge";
import { changedFields, fullBody, isCleared, type ShareInputs, type ShareOutputs } from "./share-inputs";

/** What is left to do to bring a share to its inputs, and how that shows. */
export interface Plan {
  /** None where nothing differs. */
  write?: { method: "PUT" | "PATCH"; body: object };
  sign: Sign<WireShare>;
}

/** Whether the state tells what was asked for last, so that what the program changes is what differs from that. */
export const isPlain = (olds: ShareOutputs, news: ShareInputs): boolean =>
  olds.status === "DEPLOYED" && (changedFields(olds, news).length > 0 || isCleared(olds, news));

/** Whether a plain change has been made already, by a run that was killed then. */
export function isWritten(seen: WireShare | undefined, olds: ShareOutputs, news: ShareInputs): boolean {
  if (!seen) return false;
  const changed = changedFields(olds, news);
  const isSame = isCleared(olds, news) && seen.locationId === olds.locationId;
  return !isSame && !changedFields(seen, news).some((key) => changed.includes(key));
}

/**
 * A PATCH with exactly what changed, a PUT where a field is cleared or an ERROR is to be repaired, else no write. Where an earlier
 * run was cut off, both what it asked for, which may still come, and what the service shows now are held against the inputs.
 */
export function planUpdate(olds: ShareOutputs, live: WireShare | undefined, news: ShareInputs): Plan {
  const asked = changedFields(olds, news);
  const plain = isPlain(olds, news);
  const isDone = plain && isWritten(live, olds, news);
  const isClear = isCleared(olds, news);
  const changed = isDone ? [] : plain || !live ? asked : [...new Set([...asked, ...changedFields(live, news)])];
  const before = (plain && !isDone ? undefined : live) ?? olds;

  // What else was changed behind the state's back is a refresh's to find. A list entry need not tell the location.
  const isShown = (seen: WireShare) =>
    changedFields(seen, news).every(
      (key) => (plain && !isClear && !asked.includes(key)) || (key === "locationId" && seen.locationId === undefined),
    );
  const isPut = (isClear && !isDone) || (changed.length === 0 && before.status === "ERROR");
  const isEcho = changed.length > 0 ? !plain && live !== undefined && isShown(live) : isPut;
  const isLocationAlone = changed.length > 0 && changed.every((key) => key === "locationId");
  const sign = { isShown, before: isEcho ? before : isLocationAlone ? { status: before.status } : undefined };
  if (isPut) return { write: { method: "PUT", body: fullBody(news) }, sign };
  if (changed.length === 0) return { sign };
  return { write: { method: "PATCH", body: Object.fromEntries(changed.map((key) => [key, news[key]])) }, sign };
}
