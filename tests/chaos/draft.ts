import type { Random } from "../harness/random";
import type { Program, Step } from "./schedule";

/** What an edit may change: the program, and how the step is run. */
export interface Draft {
  program: Program;
  /** What the program was before the step. */
  before: Program;
  step: Pick<Step, "flags" | "strangers" | "imports" | "renameStack" | "freshMachine">;
}

export interface Edit {
  /** How often it is drawn, against the others. */
  weight: number;
  /** The only host that can do it. */
  host?: "plugin";
  /** False where there is nothing it could change. */
  make: (random: Random, draft: Draft) => boolean;
}
