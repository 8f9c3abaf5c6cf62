import type { RequestFault, Settings, WorkFault } from "../../emulator";

type Args = Record<string, unknown>;

/** What the program makes: arguments by logical name; `{ tunnel: "t1" }` is that tunnel's id. */
export interface Program {
  tunnels: Record<string, Args>;
  shares: Record<string, Args>;
}

/** The moments around a write at which a process is ended with SIGKILL. */
export const boundaries = ["before send", "after send", "after answer", "mid-wait", "before save"] as const;
export type Boundary = (typeof boundaries)[number];

export interface Kill {
  who: "engine" | "provider" | "both";
  when: Boundary;
  /** The write it is about: the n-th (from 0) with this method on this kind of resource. */
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  kind: "tunnel" | "share";
  nth: number;
}

/** A fault as JSON, of requests or of work. */
export type PlannedFault = RequestFault | ({ fault: "fail" | "stick" } & WorkFault);

/** One run of the engine, and what goes wrong in it. */
export interface Step {
  run: "up" | "refresh" | "destroy" | "preview";
  /** What is to be there from this step on. */
  program: Program;
  faults: PlannedFault[];
  kill?: Kill | undefined;
}

/** Everything that a run of the harness depends on; it can be written as JSON. */
export interface Schedule {
  seed: number;
  settings: Partial<Settings>;
  credentials: "token" | "json" | "form";
  /** Fast mode: the engine writes the state at the end of a run only. */
  isFast?: true | undefined;
  steps: Step[];
}
