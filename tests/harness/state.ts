import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A resource as the state keeps it. */
export interface Entry {
  urn: string;
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  /** To be deleted: what has replaced it is there already. */
  delete?: boolean;
  /** Deleted first, and not made anew yet. */
  pendingReplacement?: boolean;
  protect?: boolean;
  retainOnDelete?: boolean;
  deletedWith?: string;
}

interface File {
  checkpoint: { latest?: { resources?: Entry[]; pending_operations?: { resource: { urn: string } }[] } };
}

/** Whether a URN is that of a tunnel or share, of either host. */
export const isOurs = (urn: string): boolean => /frontdoor:(index:)?Ipsec(Tunnel|Share|ShareSet)::/.test(urn);

/** What a resource is called in the program. */
export const nameOf = (urn: string): string => urn.split("::").at(-1) ?? "";

/** Where a stack's state lies on a back end in a folder. */
export const stateFile = (backEnd: string, project: string, stack: string): string =>
  join(backEnd, ".pulumi", "stacks", project, `${stack}.json`);

/** The state itself. */
export const stateText = (backEnd: string, project: string, stack: string): string =>
  readFileSync(stateFile(backEnd, project, stack), "utf8");

/** The tunnels and shares in a state, and the URNs of those with an operation that is still pending. */
export function heldIn(text: string): { entries: Entry[]; pending: string[] } {
  const { resources = [], pending_operations: pending = [] } = (JSON.parse(text) as File).checkpoint.latest ?? {};
  return {
    entries: resources.filter(({ urn }) => isOurs(urn)),
    pending: pending.map(({ resource }) => resource.urn).filter(isOurs),
  };
}
