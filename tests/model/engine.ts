import { isDeepStrictEqual } from "node:util";
import { nameOf } from "../harness/state";
import type { ProviderProcess } from "./process";
import type { Registration } from "./program";
import { all, type Kept, type Run } from "./state";
import { Up } from "./up";

/** What the engine does with a provider, as far as it matters to what is kept when something fails or is killed. */
export class ModelEngine implements Run {
  state: Kept[] = [];
  /** Of the last run, also where it failed. */
  steps: string[] = [];
  isCancelled = false;

  /** The steps that changed something; rejects with the first failure, after what ran beside it has ended. */
  async up(process: ProviderProcess, program: Registration[], replaced: readonly string[] = []): Promise<string[]> {
    this.begin();
    try {
      await new Up(this, process, program, replaced).all();
    } finally {
      process.saved();
    }
    return this.steps;
  }

  /** What an up would do; nothing is called that writes, and the state stays as it is. */
  async preview(process: ProviderProcess, program: Registration[]): Promise<string[]> {
    this.begin();
    const run = { state: this.state.map((each) => ({ ...each })), steps: this.steps, isCancelled: false };
    await new Up(run, process, program, [], true).all();
    return this.steps;
  }

  async refresh(process: ProviderProcess): Promise<void> {
    this.begin();
    await all(
      this.state.map(async (each) => {
        const seen = await process.run(() => process.adapter.read(each, each));
        const isNews = !isDeepStrictEqual(seen?.outputs, each.outputs);
        if (isNews) this.steps.push(`${seen ? "update" : "delete"} ${nameOf(each.urn)}`);
        if (!seen) this.state = this.state.filter((one) => one !== each);
        else
          Object.assign(each, {
            outputs: seen.outputs,
            isPartial: seen.isPartial ?? false,
            ...(seen.inputs && { inputs: seen.inputs }),
          });
      }),
    );
    process.saved();
  }

  /** Ctrl-C: what is under way goes on to its end, and nothing new begins. */
  cancel(): void {
    this.isCancelled = true;
  }

  private begin(): void {
    Object.assign(this, { steps: [], isCancelled: false });
  }
}
