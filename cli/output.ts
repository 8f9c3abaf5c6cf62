/** Writes to standard output, which is for what reads on. */
export const print = (text: string): void => void process.stdout.write(text);

/** The one document of `--json`. */
export const printJson = (document: unknown): void => {
  print(`${JSON.stringify(document, undefined, 2)}\n`);
};

/** One line for the eyes, beside what reads on. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);
