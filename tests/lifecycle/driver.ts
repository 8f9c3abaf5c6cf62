import type { Emulator, Settings } from "../../emulator";
import type { Resources } from "../harness/stack";

/** What a user does. Only preview and up run the program. */
export type Command =
  | { does: "preview"; program: Resources }
  | { does: "up"; program: Resources; interrupt?: Interrupt; flags?: readonly string[] }
  | { does: "refresh" | "destroy" };

/** Ctrl-C as soon as the service has answered such a request, once or twice. */
export interface Interrupt {
  after: string;
  times: 1 | 2;
}

/** The engine takes two interrupts that come together for one. */
export const betweenInterruptsMs = 200;

/** How a command ended. */
export interface Outcome {
  isDone: boolean;
  /** By logical name, in order: `create hq`, `update web`, `replace hq`, `delete web`. */
  effects: string[];
  /** Each begins with the logical name of what it is about, as far as it is about one. */
  errors: string[];
  /** Everything the user was shown. */
  said: string;
}

/** A resource in the state; a secret shows as `[secret]`. */
export interface Held {
  id: string;
  outputs: Record<string, unknown>;
}

/** Something that runs rows: one adapter, on one engine. */
export interface Driver {
  /** Commands cost next to nothing. */
  isVirtual: boolean;
  emulator: Emulator;
  /** An empty stack on a service with nothing in it. */
  begin(settings: Partial<Settings>): void | Promise<void>;
  run(command: Command): Promise<Outcome>;
  /** The same up once more, after a refresh too. */
  again(program: Resources): Promise<Outcome>;
  /** The tunnels and shares in the state, by logical name, without those that are still to be deleted after a replacement. */
  held(): Record<string, Held>;
  /** The state as it is stored. */
  stateText(): string;
  close(): Promise<void>;
}

/** The service of every row: quick, and it refuses a share on a tunnel that was not waited for. */
export const usual: Partial<Settings> = {
  provisionMs: 300,
  teardownMs: 100,
  token: "very-secret-token",
  shareAcceptedOnTunnelIn: ["DEPLOYED"],
};

/** What a command came to, by resource: each part of a replacement is one. */
export function effectsOf(steps: string[]): string[] {
  const effects = new Map<string, string>();
  for (const [op = "", name = ""] of steps.map((step) => step.split(" "))) {
    const isReplaced = op.includes("replace") || (effects.has(name) && effects.get(name) !== op);
    effects.set(name, isReplaced ? "replace" : op);
  }
  return [...effects].map(([name, op]) => `${op} ${name}`).sort();
}

/** Calls this once, at the first answer to such a request. */
export function onAnswer({ settings }: Emulator, request: string, act: () => void): void {
  const heard = settings.onAnswer;
  settings.onAnswer = (entry, tookMs) => {
    heard?.(entry, tookMs);
    if (`${entry.method} ${entry.path}` !== request) return;
    settings.onAnswer = heard;
    act();
  };
}
