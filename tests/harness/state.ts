import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resourceTypes } from "../../provider/fields/resource-types";

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
  /** Why it is only partly created. */
  initErrors?: string[];
  protect?: boolean;
  retainOnDelete?: boolean;
  deletedWith?: string;
  /** Where it was declared, as `project:///index.js#3,1`. */
  sourcePosition?: string;
}

interface File {
  checkpoint: { latest?: { resources?: Entry[]; pending_operations?: { resource: { urn: string } }[] } };
}

/** Whether a URN is that of a tunnel or share, of either host. */
export const isOurs = (urn: string): boolean =>
  resourceTypes.some((type) => new RegExp(`frontdoor:(index:)?${type}::`).test(urn));

/** What a resource is called in the program. */
export const nameOf = (urn: string): string => urn.split("::").at(-1) ?? "";

/** Where stacks' states lie. */
export interface BackEnd {
  /** As PULUMI_BACKEND_URL has it. */
  url: string;
  /** A state as it is stored. */
  read(project: string, stack: string): string;
  /** Takes the place of a state that is there. */
  write(project: string, stack: string, state: string): void;
}

/** By what name a back end knows a stack's state. */
export const stateKey = (project: string, stack: string): string => `.pulumi/stacks/${project}/${stack}.json`;

export const inFolder = (folder: string): BackEnd => ({
  url: `file://${folder}?metadata=skip`,
  read: (project, stack) => readFileSync(join(folder, stateKey(project, stack)), "utf8"),
  write: (project, stack, state) => {
    writeFileSync(join(folder, stateKey(project, stack)), state);
  },
});

/** The tunnels and shares in a state, and the URNs of those with an operation that is still pending. */
export function heldIn(text: string): { entries: Entry[]; pending: string[] } {
  const { resources = [], pending_operations: pending = [] } = (JSON.parse(text) as File).checkpoint.latest ?? {};
  return {
    entries: resources.filter(({ urn }) => isOurs(urn)),
    pending: pending.map(({ resource }) => resource.urn).filter(isOurs),
  };
}
