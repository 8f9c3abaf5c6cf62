import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import type { Clock } from "../../provider/time";
import { jsonText, visible, visibleAndStyled } from "./output";

/** Standard output; on a terminal with its width and colors. */
export type Output = Writable & Partial<Pick<WriteStream, "isTTY" | "columns" | "rows" | "hasColors">>;

/** Everything that the command uses of its process, so that two runs in one process don't disturb each other. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Writable;
  clock: Clock;
  /** Resolves at the first of these signals, which from now on don't end the process; by default Ctrl-C and SIGTERM. */
  untilStopped: (signals?: NodeJS.Signals[]) => Promise<unknown>;
}

/** The surroundings of one run of the command, and its ways to speak. */
export interface Io extends Surroundings {
  /** True if standard output is a terminal with colors, and NO_COLOR is not set. */
  isColoured: boolean;
  /** Returns the absolute path of a file that is named in the folder of the run. */
  pathOf: (file: string) => string;
  /** Returns a text as standard output can show it: without hidden characters and secrets, and with styles only on a terminal. */
  printable: (text: string) => string;
  print: (text: string) => void;
  /** Prints the only document of `--json`. */
  printJson: (document: unknown) => void;
  /** Prints one line on standard error, for people. */
  say: (line: string) => void;
  /** Sets the function that redacts all later output. */
  redactBy: (redactor: (text: string) => string) => void;
}

export function openIo(surroundings: Surroundings): Io {
  const { cwd, env, stdout, stderr } = surroundings;
  let redact = (text: string) => text;
  const isColoured = stdout.isTTY === true && stdout.hasColors?.(env) === true;
  const printable = (text: string) => redact(isColoured ? visibleAndStyled(text) : visible(text));
  const print = (text: string) => void stdout.write(printable(text));
  return {
    ...surroundings,
    isColoured,
    pathOf: (file) => resolve(cwd, file),
    printable,
    print,
    printJson: (document) => {
      print(jsonText(document));
    },
    say: (line) => void stderr.write(`${redact(visible(line))}\n`),
    redactBy: (redactor) => {
      redact = redactor;
    },
  };
}
