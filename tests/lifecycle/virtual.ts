import { startEmulator } from "../../emulator";
import { nameOf } from "../harness/state";
import { ModelEngine } from "../model/engine";
import { type OpenAdapter, type Props, Secret } from "../model/adapter";
import { ModelProcess } from "../model/process";
import { VirtualClock } from "../provider/virtual-clock";
import { memoryRecords } from "../provider/world";
import { registrationsOf } from "./declared";
import { betweenInterruptsMs, type Command, type Driver, effectsOf, onAnswer, type Outcome, usual } from "./driver";

/** Between two commands a user takes a minute. */
const betweenMs = 60_000;

/** Rows on the model of the engine, in virtual time. */
export async function openVirtual(open: OpenAdapter): Promise<Driver> {
  const emulator = await startEmulator({ frozenAtMs: Date.UTC(2030, 0, 1), ...usual });
  const clock = new VirtualClock((ms) => {
    emulator.clock.advance(ms);
  });
  let engine = new ModelEngine();
  let records = memoryRecords();

  const newProcess = () => new ModelProcess(emulator, clock, records, open);

  const work = (process: ModelProcess, command: Command): Promise<unknown> => {
    switch (command.does) {
      case "preview":
        return engine.preview(process, registrationsOf(command.program));
      case "up":
        return engine.up(process, registrationsOf(command.program));
      case "refresh":
        return engine.refresh(process);
      case "destroy":
        return engine.up(process, []);
    }
  };

  const outcomeOf = async (work: () => Promise<unknown>): Promise<Outcome> => {
    const errors = await work().then(
      () => [],
      (error: unknown) => [(error as Error).message],
    );
    return { isDone: errors.length === 0, effects: effectsOf(engine.steps), errors, said: errors.join("\n") };
  };

  return {
    isVirtual: true,
    emulator,
    begin(settings) {
      emulator.reset();
      Object.assign(emulator.settings, settings, { onAnswer: null });
      engine = new ModelEngine();
      records = memoryRecords();
    },
    async run(command) {
      const process = newProcess();
      if ("interrupt" in command && command.interrupt) {
        const { after, times } = command.interrupt;
        onAnswer(emulator, after, () => {
          engine.cancel();
          process.adapter.cancel?.();
          if (times === 2)
            void clock.sleep(betweenInterruptsMs).then(() => {
              process.kill("engine");
            });
        });
      }
      const outcome = await outcomeOf(() => work(process, command));
      await clock.sleep(betweenMs);
      process.end();
      return outcome;
    },
    async again(program) {
      const { state } = engine;
      // The row goes on as if this had not been.
      engine.state = state.map((each) => ({ ...each }));
      const found: string[] = [];
      const outcome = await outcomeOf(async () => {
        for (const does of ["up", "refresh", "up"] as const) {
          await work(newProcess(), does === "up" ? { does, program } : { does });
          found.push(...engine.steps);
        }
      });
      engine.state = state;
      return { ...outcome, effects: effectsOf(found) };
    },
    held: () =>
      Object.fromEntries(
        engine.state
          .filter((each) => each.delete !== true)
          .map(({ urn, id, outputs }) => [nameOf(urn), { id, outputs: shown(outputs) }]),
      ),
    stateText: () =>
      JSON.stringify(
        engine.state.map((each) => ({ ...each, inputs: shown(each.inputs), outputs: shown(each.outputs) })),
      ),
    close: () => emulator.close(),
  };
}

const shown = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, value instanceof Secret ? "[secret]" : value]));
