import type { Run } from "../harness/event-log";
import { Stack } from "../harness/stack";
import { type BackEnd, nameOf } from "../harness/state";
import { betweenInterruptsMs, type Command, type Driver, effectsOf, onAnswer, type Outcome, usual } from "./driver";

/** Rows on Pulumi's engine; the adapter is that of the package that the program imports. Without a back end the state lies in files. */
export async function openEngine(imports: string, backEnd?: BackEnd): Promise<Driver> {
  const stack = await Stack.open(usual, { imports, ...(backEnd && { backEnd }) });
  const { emulator } = stack;
  const empty = stack.stateText();

  const work = (command: Command) => {
    switch (command.does) {
      case "preview":
        return stack.preview(command.program);
      case "up":
        return stack.up(command.program, ...(command.flags ?? []));
      case "refresh":
        return stack.refresh();
      case "destroy":
        return stack.destroy();
    }
  };

  return {
    isVirtual: false,
    emulator,
    begin(settings) {
      emulator.reset();
      Object.assign(emulator.settings, settings, { onAnswer: null });
      stack.restore(empty);
    },
    async run(command) {
      let second: NodeJS.Timeout | undefined;
      if ("interrupt" in command && command.interrupt) {
        const { after, times } = command.interrupt;
        onAnswer(emulator, after, () => {
          stack.interrupt();
          if (times === 2)
            second = setTimeout(() => {
              stack.interrupt();
            }, betweenInterruptsMs);
        });
      }
      const run = await work(command);
      clearTimeout(second);
      return outcomeOf(run);
    },
    again: async (program) => outcomeOf(await stack.up(program, "--refresh")),
    held: () =>
      Object.fromEntries(
        stack
          .entries()
          .filter((entry) => entry.delete !== true)
          .map(({ urn, id, outputs }) => [nameOf(urn), { id, outputs: shown(outputs) }]),
      ),
    stateText: () => stack.stateText(),
    close: () => stack.close(),
  };
}

/** The engine sets what is partly made out in several lines. */
const outcomeOf = ({ code, steps, errors, text }: Run): Outcome => ({
  ...{ isDone: code === 0, effects: effectsOf(steps), said: text },
  errors: errors.map((error) => error.replace(/\s+/g, " ")),
});

const isSecret = (value: unknown) => typeof value === "object" && value !== null && "ciphertext" in value;

const shown = (outputs: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(outputs).map(([key, value]) => [key, isSecret(value) ? "[secret]" : value]));
