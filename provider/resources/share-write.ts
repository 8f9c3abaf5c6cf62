import type { WireShare } from "../api/types";
import { pick, valueOf } from "../fields/field";
import type { Sign } from "./judge";
import { changedFields, isChanged, rules, type ShareInputs, type ShareOutputs } from "./share-inputs";

const { clearedFields, fullBody, mayLack } = rules;

/** What is left to do to bring a share to its inputs, and how that shows. */
export interface Plan {
  /** None where nothing differs. */
  write?: { method: "PUT" | "PATCH"; body: object };
  sign: Sign<WireShare>;
}

const isTold = (seen: WireShare, key: string) => valueOf(seen, key) !== undefined;

/** Whether the state tells what was asked for last, so that what the program changes is what differs from that. */
export const isPlain = (olds: ShareOutputs, news: ShareInputs): boolean =>
  olds.status === "DEPLOYED" && isChanged(olds, news);

/** Whether a plain change has been made already, by a run that was killed then. */
export function isWritten(seen: WireShare | undefined, olds: ShareOutputs, news: ShareInputs): boolean {
  if (!seen) return false;
  const changed = changedFields(olds, news);
  const isSame = clearedFields(olds, news).some((key) => valueOf(seen, key) === valueOf(olds, key));
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
  const cleared = clearedFields(olds, news);
  const isClear = cleared.length > 0;
  const changed = isDone ? [] : plain || !live ? asked : [...new Set([...asked, ...changedFields(live, news)])];
  const before = (plain && !isDone ? undefined : live) ?? olds;

  // What else was changed behind the state's back is a refresh's to find. An entry need not tell every field.
  const isShown = (seen: WireShare) =>
    changedFields(seen, news).every(
      (key) => (plain && !isClear && !asked.includes(key)) || (mayLack.includes(key) && !isTold(seen, key)),
    );
  const isPut = (isClear && !isDone) || (changed.length === 0 && before.status === "ERROR");
  const isEcho = changed.length > 0 ? !plain && live !== undefined && isShown(live) : isPut;
  const isUntold = changed.length > 0 && changed.every((key) => mayLack.includes(key));
  const isOther = isEcho
    ? (seen: WireShare) => cleared.some((key) => valueOf(seen, key) !== valueOf(before, key))
    : (seen: WireShare) => changed.every((key) => isTold(seen, key));
  const sign = { isShown, before: isEcho || isUntold ? { status: before.status, isOther } : undefined };
  if (isPut) return { write: { method: "PUT", body: fullBody(news) }, sign };
  if (changed.length === 0) return { sign };
  return { write: { method: "PATCH", body: pick(news, changed) }, sign };
}
