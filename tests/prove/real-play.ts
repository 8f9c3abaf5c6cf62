import { type History, Play } from "./history";
import { RealWorld } from "./real";

/** Plays a history on Pulumi. A run of Pulumi takes seconds: only after a fault and at the end another one has to find nothing to do. */
export async function playReal(history: History): Promise<Pick<Play, "problems" | "log" | "skipped">> {
  const world = await RealWorld.open(history);
  try {
    const played = new Play(world.run, history.programs, () => false);
    for (const step of history.steps) {
      played.log.push(`[${step.edit}]`);
      await played.step(step);
      if (played.problems.length > 0) break;
    }
    if (played.problems.length === 0) await played.quiet();
    if (played.problems.length === 0) await played.end();
    const { problems, log, skipped } = played;
    return { problems: [...problems, ...world.problems, ...world.leaks()], log, skipped };
  } finally {
    await world.close();
  }
}
