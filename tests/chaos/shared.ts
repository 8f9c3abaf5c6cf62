import type { Emulator } from "../../emulator";
import type { Process } from "../harness/processes";
import type { Owners } from "./owners";
import type { Schedule } from "./schedule";
import type { Watch } from "./watch";

export interface Report {
  /** Empty when everything held. */
  problems: string[];
  /** What was run, and how it ended, in lines. */
  log: string[];
  /** Processes killed. */
  kills: number;
  /** Ctrl-C that came while a run was under way, and how many of them came twice. */
  cancels: number;
  doubleCancels: number;
  imports: number;
  runs: number;
  /** Edits that were refused, each with the first words of why. */
  refusals: string[];
}

/** What all stacks of a schedule share. */
export interface Shared {
  schedule: Schedule;
  emulator: Emulator;
  owners: Owners;
  watch: Watch;
  report: Report;
  secrets: () => string[];
  perSecond: number;
  orphans: Process[];
}
