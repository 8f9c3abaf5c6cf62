import { runSchedule } from "./run-schedule";
import type { Schedule, Step } from "./schedule";

const mostTries = 12;

/** The smallest schedule found that fails too, within a dozen tries. */
export async function shrink(failing: Schedule): Promise<Schedule> {
  let best = failing;
  let tries = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of smaller(best)) {
      if (tries++ >= mostTries) return best;
      const { problems } = await runSchedule(candidate);
      if (problems.length === 0) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Each schedule that lacks one thing: the last run, a run's faults or kill, a fault, a share, all sets, the service's peculiarities. */
function smaller(schedule: Schedule): Schedule[] {
  const { steps } = schedule;
  const withStep = (index: number, change: Partial<Step>): Schedule => ({
    ...schedule,
    steps: steps.map((step, n) => (n === index ? { ...step, ...change } : step)),
  });
  return [
    ...(steps.length > 1
      ? [
          { ...schedule, steps: steps.slice(0, -1) },
          { ...schedule, steps: steps.slice(1) },
        ]
      : []),
    ...steps.flatMap(({ faults }, n) => (faults.length > 0 ? [withStep(n, { faults: [] })] : [])),
    ...steps.flatMap(({ kill }, n) => (kill ? [withStep(n, { kill: undefined })] : [])),
    ...steps.flatMap(({ cancel }, n) => (cancel ? [withStep(n, { cancel: undefined })] : [])),
    ...steps.flatMap(({ faults }, n) =>
      faults.length > 1 ? faults.map((one) => withStep(n, { faults: faults.filter((each) => each !== one) })) : [],
    ),
    ...Object.keys(steps[0]?.program.shares ?? {}).map((name) => withoutShare(schedule, name)),
    ...(steps.some(({ program }) => program.sets) ? [withoutSets(schedule)] : []),
    ...(Object.keys(schedule.settings).length > 0 ? [{ ...schedule, settings: {} }] : []),
  ];
}

const withoutSets = (schedule: Schedule): Schedule => ({
  ...schedule,
  steps: schedule.steps.map((step) => ({ ...step, program: { ...step.program, sets: {} } })),
});

function withoutShare(schedule: Schedule, name: string): Schedule {
  const steps = schedule.steps.map((step) => {
    const shares = Object.fromEntries(Object.entries(step.program.shares).filter(([each]) => each !== name));
    return { ...step, program: { ...step.program, shares } };
  });
  return { ...schedule, steps };
}
