import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
    const file = join(folder, stateKey(project, stack));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(join(folder, ".pulumi", "meta.yaml"), "version: 1\n");
    writeFileSync(file, state);
  },
});

/** What `pulumi stack init` writes for the passphrase "test", without a run of Pulumi. */
export const salt = "v1:RhQd7PDcHbc=:v1:lmz3maIgy46oQKqv:OBJIgFIUrfoDzdSqWX93QYEo9UWW/A==";
export const emptyState = (project: string, stack: string): string =>
  JSON.stringify({
    version: 3,
    checkpoint: {
      stack: `organization/${project}/${stack}`,
      latest: { secrets_providers: { type: "passphrase", state: { salt } }, metadata: {} },
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

/** What one command of the engine did. */
export interface Run {
  code: number;
  /** Everything it printed. */
  text: string;
  /** Errors in the engine's own words, each with the logical name of its resource. */
  errors: string[];
  /** What was said without being an error, one message each. */
  notes: string[];
  /** What was done or is planned, such as `update web`; neither what stayed the same nor the stack itself. */
  steps: string[];
}

interface Step {
  metadata: { op: string; urn: string };
}

/** The parts of an entry of the engine's event log that tests look at. */
export interface EngineEvent {
  diagnosticEvent?: { urn?: string; severity: string; message: string };
  resourcePreEvent?: Step;
  resOutputsEvent?: Step;
}

/** Errors, notes and steps out of the event log. */
export function summarized(events: EngineEvent[]): Pick<Run, "errors" | "notes" | "steps"> {
  const errors = events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent?.severity === "error"
      ? `${nameOf(diagnosticEvent.urn ?? "")}: ${diagnosticEvent.message.trim()}`
      : [],
  );
  const notes = events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent && diagnosticEvent.severity !== "error" ? diagnosticEvent.message.trim() : [],
  );
  const steps = events.flatMap(({ resourcePreEvent, resOutputsEvent }) => {
    const { op, urn } = (resourcePreEvent ?? resOutputsEvent)?.metadata ?? { op: "same", urn: "" };
    // A refresh tells only at its end what it found.
    const isNews = op === "refresh" ? false : resOutputsEvent === undefined || isRefresh(events, urn);
    return isNews && op !== "same" && isOurs(urn) ? `${op} ${nameOf(urn)}` : [];
  });
  return { errors, notes, steps };
}

const isRefresh = (events: EngineEvent[], urn: string) =>
  events.some(({ resourcePreEvent: pre }) => pre?.metadata.op === "refresh" && pre.metadata.urn === urn);
