import { isOurs, nameOf } from "./state";

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
