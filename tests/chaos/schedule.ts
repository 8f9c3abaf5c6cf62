import type { RequestFault, Settings, WorkFault } from "../../emulator";

/** A resource's identity in the program: its logical name and where it is. */
export interface Identity {
  name?: string;
  /** `component:<name>` or `site:<tunnel>`; at the top without. */
  place?: string | undefined;
}

/** What a resource is declared with; of Pulumi's options those that the chaos program passes on. */
export interface Options {
  place?: string | undefined;
  /** Aliases: what it was before. */
  was?: Identity[];
  protect?: boolean;
  retainOnDelete?: boolean;
  deleteBeforeReplace?: boolean;
  /** The id under which it is there already, on the plugin. */
  import?: string | undefined;
  ignoreChanges?: string[];
  replaceOnChanges?: string[];
  deletedWith?: { tunnel: string };
  /** Shares, for a set. */
  dependsOn?: string[];
  customTimeouts?: Record<string, string>;
}

/** Arguments; `{ tunnel: "t1" }` is that tunnel's id, `{ own: "s1" }` the id that the state has for s1 when it is first run. */
export type Args = Record<string, unknown> & { opts?: Options };

/** Arguments but for some. */
export const without = (args: Args, ...keys: string[]): Args =>
  Object.fromEntries(Object.entries(args).filter(([key]) => !keys.includes(key)));

/** Of a set; its shares by key. */
export type SetArgs = Args & { shares: Record<string, Args> };

/** What the program makes, by logical name. */
export interface Program {
  tunnels: Record<string, Args>;
  shares: Record<string, Args>;
  sets?: Record<string, SetArgs>;
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

/** Ctrl-C at a moment of a run: so long after its n-th request has come, after its start with 0. */
export interface Cancel {
  requests: number;
  ms: number;
  /** Once more, so long after the first one. */
  againMs?: number | undefined;
}

/** A fault as JSON, of requests or of work. */
export type PlannedFault = RequestFault | ({ fault: "fail" | "stick" } & WorkFault);

/** Another's, made before a run: exactly like a share of ours that is or was, or one to be adopted or imported under this id. */
export type Stranger = { like: string } | { id: string; on: string; share: Args } | { id: string; tunnel: Args };

/** One run of the engine, and what goes wrong in it. */
export interface Step {
  run: "up" | "refresh" | "destroy" | "preview";
  /** What is to be there from this step on. */
  program: Program;
  faults: PlannedFault[];
  kill?: Kill | undefined;
  cancel?: Cancel | undefined;
  /** What has changed since the step before, in words, for the summary. */
  edits?: string[];
  /** Names for `--replace`, `--target` and `--exclude`. */
  flags?: { replace?: string[]; target?: string[]; exclude?: string[] };
  /** With `--refresh`. */
  isRefreshed?: true;
  /** The stack gets this name first. */
  renameStack?: string;
  strangers?: Stranger[];
  /** Ids that `pulumi import --file` takes in before the run, by logical name. */
  imports?: Record<string, string>;
  /** From the run, or from the one that recovers, on another machine: its record of interrupted creates is empty. */
  freshMachine?: "run" | "recovery";
  /** Run by a second stack of the same project and name, on another back end. */
  on?: "second";
}

/** Whose classes a program uses; the dynamic host's where it is not said. */
export type Host = "plugin" | undefined;

/** Everything that a run of the harness depends on; it can be written as JSON. */
export interface Schedule {
  seed: number;
  settings: Partial<Settings>;
  credentials: "token" | "json" | "form";
  host?: Host;
  /** Fast mode: the engine writes the state at the end of a run only. */
  isFast?: true | undefined;
  steps: Step[];
}
