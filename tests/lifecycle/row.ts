import type { Emulator, Settings } from "../../emulator";
import type { Command } from "./driver";

/** A life of a few resources, which begins with an empty stack. */
export interface Row {
  /** Only on this adapter; without it on each. */
  adapter?: "dynamic" | "plugin";
  name: string;
  settings?: Partial<Settings>;
  steps: Step[];
}

/** What a user does, what happens at the service before, and what has to be seen. */
export type Step = Command & {
  /** With the id in the state of what has a logical name. */
  before?: (service: Emulator, id: (name: string) => string) => void;
  sees: Seen;
};

/**
 * What has to be seen of a step. Beside it, every step is held to this: what is neither replaced nor deleted keeps its id, no secret
 * is in the clear in the state or in what is shown; and where it succeeds, the service accepts every write and has what the state
 * holds, what others have, and nothing else. The up that ends a row, in virtual time each up, has left nothing to do.
 */
export interface Seen {
  /** By logical name, in order; none where it is left out. */
  effects?: string[];
  /**
   * All the writes that the service gets, in order, such as `PATCH /ipsec-shares/<web> {"target":"…"}`; none where it is left out.
   * `<web>` is the id of what has this name, `<old web>` the one it had before it was replaced; `<services[web]>` that of a share of a set.
   */
  writes?: string[];
  /** The writes of a set are sent at the same time. */
  inAnyOrder?: true;
  /** What leaves the state and stays at the service, by logical name. */
  leaves?: string[];
  /** Not even a read is sent. */
  isSilent?: true;
  /** The command fails, and its errors say these, ids by their names too. Else it succeeds. */
  errors?: RegExp[];
  /** Outputs of all that the state holds afterwards, a secret one as `[secret]`; the same as before where it is left out. */
  kept?: Record<string, Record<string, unknown>>;
  /** After each write at least this passes before the next one, or the last look. */
  waitsMs?: number;
}
