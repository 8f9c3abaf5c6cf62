/** The state of an id in this run. `moving`: an update takes the share to another tunnel. `leaving`: Pulumi deletes it in this run. */
export type IdState = "unknown" | "owned" | "moving" | "leaving";

/** An event about an id, as Pulumi's calls show it. */
export type LedgerEvent =
  /** A diff of a declared resource finds no change, or the update of a share begins. A share stays moving until its move has ended. */
  | "confirmed"
  /** A create gets the id, an adopt or the update of a tunnel begins, or the update of a share ends, even with an error. */
  | "acquired"
  /** The diff of a tunnel answers "replace". */
  | "replaced"
  /** Pulumi replaces the tunnel of a share delete first: the diff of the share has an unknown tunnel. */
  | "tunnel unknown"
  /** The diff of a share has another known tunnel. */
  | "moved"
  /** Pulumi asks to delete the id. */
  | "deleted"
  /** The tunnel of a share is deleted. */
  | "tunnel deleted"
  /** The service refuses another share, because this share has the port. */
  | "port needed";

export type LedgerAnswer =
  | "none"
  /** For diff. */
  | "replace"
  | "unchanged"
  /** For delete: send the DELETE, or skip it and say so. */
  | "delete"
  | "skip"
  /** For the delete of its tunnel, or a share that needs its port: refuse, or wait until the move or the delete has ended. */
  | "refuse"
  | "wait";

export interface Transition {
  next: IdState;
  answer: LedgerAnswer;
}

const to = (next: IdState, answer: LedgerAnswer = "none"): Transition => ({ next, answer });

/** The rules of the ledger: one row per event, one column per state. docs/how-it-works.md shows the same table. */
export const ledgerTable: Record<LedgerEvent, Record<IdState, Transition>> = {
  confirmed: { unknown: to("owned"), owned: to("owned"), moving: to("moving"), leaving: to("leaving") },
  acquired: { unknown: to("owned"), owned: to("owned"), moving: to("owned"), leaving: to("owned") },
  replaced: { unknown: to("leaving"), owned: to("leaving"), moving: to("leaving"), leaving: to("leaving") },
  "tunnel unknown": {
    unknown: to("leaving", "replace"),
    owned: to("owned", "unchanged"),
    moving: to("moving", "unchanged"),
    leaving: to("leaving", "replace"),
  },
  moved: { unknown: to("moving"), owned: to("owned"), moving: to("moving"), leaving: to("leaving") },
  deleted: {
    unknown: to("leaving", "delete"),
    owned: to("owned", "skip"),
    moving: to("leaving", "delete"),
    leaving: to("leaving", "delete"),
  },
  "tunnel deleted": {
    unknown: to("unknown", "refuse"),
    owned: to("owned", "refuse"),
    moving: to("moving", "wait"),
    leaving: to("leaving", "wait"),
  },
  "port needed": {
    unknown: to("unknown", "refuse"),
    owned: to("owned", "refuse"),
    moving: to("moving", "wait"),
    leaving: to("leaving", "wait"),
  },
};
