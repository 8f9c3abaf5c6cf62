/** What becomes of an id in this run. `stays`: the program keeps it. `moves`: an update takes the share to another tunnel or port. `goes`: Pulumi deletes it. */
export type Fate = "unknown" | "stays" | "moves" | "goes";

/** An event about an id, as Pulumi's calls show it. */
export type FateEvent =
  /** A resource of the program has it: a diff finds no change, an update begins, or a create or an adoption gets the id. */
  | "kept"
  /** The diff of a share has another known tunnel, or another port. */
  | "moving"
  /** A diff answers "replace", or Pulumi asks to delete the id. */
  | "leaving"
  /** The move or the delete has ended, even with an error. */
  | "ended";

/** The fate of an id after an event: one row per event, one column per fate before. */
export const fateAfter: Record<FateEvent, Record<Fate, Fate>> = {
  kept: { unknown: "stays", stays: "stays", moves: "moves", goes: "stays" },
  moving: { unknown: "moves", stays: "stays", moves: "moves", goes: "goes" },
  leaving: { unknown: "goes", stays: "goes", moves: "goes", goes: "goes" },
  ended: { unknown: "unknown", stays: "stays", moves: "stays", goes: "goes" },
};

/** What a resource has that another one can need. A delete frees all of it, and the move of a share its port. */
export interface Place {
  name?: string;
  /** The name that the program gives, if an adopted resource has another one in the service. */
  checkedName?: string;
  tunnelId?: string | undefined;
  ingressPort?: number | undefined;
  locationId?: string | undefined;
}

/** The order of Pulumi's steps when it replaces a tunnel. Its shares leave with it only if that is "delete first". */
export type ReplaceOrder = "create first" | "delete first";

/** True if the id will free its port. */
export const isPending = (fate: Fate): boolean => fate === "moves" || fate === "goes";

/** The end of a move or a delete. Only the first resolve counts. */
export class End {
  resolve: (end: { error?: Error | undefined }) => void = () => undefined;
  readonly promise = new Promise<{ error?: Error | undefined }>((resolve) => (this.resolve = resolve));
}
