import type { WireShare } from "../api/types";
import { changedFields, fullBody, type ShareInputs, type ShareOutputs } from "./share-inputs";

type Field = ReturnType<typeof changedFields>[number];
type Known = Pick<ShareOutputs, "status" | "locationId">;

/** What an update starts from. */
export interface Beginning {
  before: Known;
  /** What the service showed just now, where it was looked at. */
  live?: WireShare | undefined;
  /** The fields in which it differs, or may come to differ, from what is wanted. */
  changed: Field[];
  /** The fields that have to show what is wanted before the update counts as done. */
  awaited: readonly string[];
  /** An optional field that the user had set is to be removed. */
  isClear: boolean;
}

/** The write that brings a share to its inputs, if it needs one, and how it shows that this has happened (as judgeHappened takes it). */
export interface Plan {
  write?: { method: "PUT" | "PATCH"; body: object };
  happened: readonly [isShown: (seen: WireShare) => boolean, before?: Known];
}

/** A PATCH with exactly what changed, a PUT where a field is cleared or an ERROR is to be repaired, else no write. */
export function planWrite({ before, live, changed, awaited, isClear }: Beginning, news: ShareInputs): Plan {
  const isPut = isClear || (changed.length === 0 && before.status === "ERROR");
  // A list entry need not tell the location.
  const isShown = (seen: WireShare) =>
    changedFields(seen, news).every(
      (key) => (key === "locationId" && seen.locationId === undefined) || !awaited.includes(key),
    );
  const isLocationAlone = changed.length > 0 && changed.every((key) => key === "locationId");
  const unmoved = isLocationAlone ? { status: before.status, locationId: undefined } : undefined;
  // What shows already proves nothing.
  const isEcho = changed.length > 0 && live !== undefined && isShown(live);
  const happened = [isShown, isEcho || (isPut && changed.length === 0) ? before : unmoved] as const;
  if (isPut) return { write: { method: "PUT", body: fullBody(news) }, happened };
  if (changed.length === 0) return { happened };
  return { write: { method: "PATCH", body: Object.fromEntries(changed.map((key) => [key, news[key]])) }, happened };
}
