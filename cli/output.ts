import { escaped, visible, visibleAndStyled } from "./characters";
import { isColoured } from "./style";

/** Prints a text on standard output, without hidden characters. */
export const print = (text: string): void =>
  void process.stdout.write(isColoured() ? visibleAndStyled(text) : visible(text));

/** Returns a document as JSON text without hidden characters. */
export const jsonText = (document: unknown): string => `${escaped(JSON.stringify(document, undefined, 2))}\n`;

/** Prints the only document of `--json`. */
export const printJson = (document: unknown): void => {
  print(jsonText(document));
};

/** Prints one line on standard error, for people. */
export const say = (line: string): void => void process.stderr.write(`${visible(line)}\n`);
