import { startEmulator } from "../../emulator";
import type { Resources } from "../harness/stack";
import { nameOf } from "../harness/state";
import { ModelEngine } from "../model/engine";
import { type OpenHost, type Props, Secret } from "../model/host";
import { ModelProcess } from "../model/process";
import { VirtualClock } from "../provider/virtual-clock";
import { memoryRecords } from "../provider/world";
import { registrationsOf } from "./declared";
import { type Command, type Driver, effectsOf, onAnswer, type Outcome, usual } from "./driver";

/** Between two commands a user takes a minute. */
const betweenMs = 60_000;

/** Rows on the model of the engine, in virtual time. */
export async function openVirtual(open: OpenHost): Promise<Driver> {
  const emulator = await startEmulator({ frozenAtMs: Date.UTC(2030, 0, 1), ...usual });
  const clock = new VirtualClock((ms) => {
    emulator.clock.advance(ms);
  });
  let engine = new ModelEngine();
  let records = memoryRecords();

  const newProcess = () => new ModelProcess(emulator, clock, records, { open });

  /** `pulumi up`, with `--refresh` or without. */
  const up = async (process: ModelProcess, program: Resources, isRefreshed = false) => {
    if (isRefreshed) await engine.refresh(process);
    const found = isRefreshed ? engine.steps : [];
    await engine.up(process, registrationsOf(program));
    engine.steps.unshift(...found);
  };

  const work = (process: ModelProcess, command: Command): Promise<unknown> => {
    switch (command.does) {
      case "preview":
        return engine.preview(process, registrationsOf(command.program));
      case "up":
        return up(process, command.program, command.isRefreshed);
      case "refresh":
        return engine.refresh(process);
      case "destroy":
        return engine.up(process, []);
    }
  };

  return {
    emulator,
    begin(settings) {
      emulator.reset();
      Object.assign(emulator.settings, settings, { onAnswer: null });
      engine = new ModelEngine();
      records = memoryRecords();
    },
    async run(command): Promise<Outcome> {
      const process = newProcess();
      if ("interrupt" in command && command.interrupt) {
        const { after, times } = command.interrupt;
        onAnswer(emulator, after, () => {
          if (times === 1) engine.cancel();
          else process.kill("engine");
        });
      }
      const errors = await work(process, command).then(
        () => [],
        (error: unknown) => [(error as Error).message],
      );
      await clock.sleep(betweenMs);
      process.end();
      return { isDone: errors.length === 0, effects: effectsOf(engine.steps), errors, said: errors.join("\n") };
    },
    async again(program) {
      const { state } = engine;
      for (const isRefreshed of [false, true]) {
        // The row goes on as if this had not been.
        engine.state = state.map((each) => ({ ...each }));
        emulator.requests.length = 0;
        await up(newProcess(), program, isRefreshed);
        const { steps } = engine;
        const writes = emulator.requests.filter(({ method }) => method !== "GET");
        if (steps.length + writes.length > 0)
          throw new Error(
            `${isRefreshed ? "with a refresh, " : ""}the next up is not quiet: ${JSON.stringify({ steps, writes })}`,
          );
      }
      engine.state = state;
    },
    held: () =>
      Object.fromEntries(engine.state.map(({ urn, id, outputs }) => [nameOf(urn), { id, outputs: shown(outputs) }])),
    stateText: () =>
      JSON.stringify(
        engine.state.map((each) => ({ ...each, inputs: shown(each.inputs), outputs: shown(each.outputs) })),
      ),
    close: () => emulator.close(),
  };
}

const shown = (props: Props): Props =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, value instanceof Secret ? "[secret]" : value]));
