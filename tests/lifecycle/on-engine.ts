import { type Run, nameOf } from "../harness/state";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { forwarded } from "../harness/forwarded";
import { Stack } from "../harness/stack";
import {
  beforeKillMs,
  betweenInterruptsMs,
  type Command,
  type Driver,
  effectsOf,
  onAnswer,
  otherAddress,
  otherHost,
  type Outcome,
  type Row,
  usual,
} from "./row";
import { rowsOf, runRow } from "./run-row";

/** Rows on Pulumi's engine; the adapter is that of the package that the program imports. */
export async function openEngine(imports: string): Promise<Driver> {
  const stack = await Stack.open(usual, { imports });
  const { emulator } = stack;
  const empty = stack.stateText();
  const other = await forwarded(emulator.baseUrl, otherHost, Number(new URL(emulator.baseUrl).port));

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
      stack.env["FRONTDOOR_BASE_URL"] = command.isElsewhere ? otherAddress(emulator) : emulator.baseUrl;
      let later: NodeJS.Timeout | undefined;
      if ("interrupt" in command && command.interrupt) {
        const { interrupt } = command;
        const interruptStack = () => {
          stack.interrupt();
        };
        onAnswer(emulator, interrupt.after, () => {
          if ("kills" in interrupt)
            later = setTimeout(() => {
              stack.killProvider();
            }, beforeKillMs);
          else {
            interruptStack();
            if (interrupt.times === 2) later = setTimeout(interruptStack, betweenInterruptsMs);
          }
        });
      }
      const run = await work(command);
      clearTimeout(later);
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
    async close() {
      other.close();
      await stack.close();
    },
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

type Name = "dynamic" | "plugin";

/** The rows of this adapter alone, and every other one of the rest. */
const rowsHere = (adapter: Name, rows: (name: Name) => Row[]) =>
  rows(adapter).filter((row, index) => row.adapter === adapter || index % 2 === (adapter === "plugin" ? 1 : 0));

const adapters: [name: Name, imports: string][] = [
  ["dynamic", dynamicClasses],
  ["plugin", pluginClasses],
];

/** True for the rows that `npm run test:all` runs on the engine: every eighth one. `npm run test:long` runs the others. */
export const isQuick = (index: number): boolean => index % 8 === 0;

/** Declares the tests of rows on the engine, all of them unless told which: most of the time a row waits, so as many run beside each other as jest lets, each on a stack of its own. */
export function onEngine(
  isWanted: (index: number) => boolean = () => true,
  from: (name: Name) => Row[] = rowsOf,
): void {
  const wanted = adapters.map(([adapter, imports]) => ({
    ...{ adapter, imports },
    rows: rowsHere(adapter, from).filter((_row, index) => isWanted(index)),
  }));
  describe.each(wanted.filter(({ rows }) => rows.length > 0))("on the $adapter adapter", ({ imports, rows }) => {
    const idle: Driver[] = [];
    afterAll(() => Promise.all(idle.map((driver) => driver.close())));

    it.concurrent.each(rows)("$name", async (row) => {
      const driver = idle.pop() ?? (await openEngine(imports));
      await runRow(driver, row).finally(() => idle.push(driver));
    });
  });
}
