import { parse, YAMLParseError } from "yaml";
import { safeText } from "../provider/errors";
import { readText } from "./files";
import { Misuse } from "./outcome";

/** Returns the value in a YAML file. @throws Misuse if the file can't be read, or is no YAML. */
export function yamlIn(path: string, text = readText(path)): unknown {
  try {
    return parse(text, { prettyErrors: true });
  } catch (error) {
    const [place] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
    const [words = ""] = (error as Error).message.split(/ at line \d+/);
    throw yamlWrong(path, `${place === undefined ? "" : `line ${place.line}: `}${safeText(words, 200)}`);
  }
}

/** Returns the refusal of a file that is no YAML. `problem` begins with the line. */
export const yamlWrong = (path: string, problem: string): Misuse =>
  new Misuse(`${path} is not YAML (${problem}). Nothing was sent. Correct that line. [yaml-invalid]`);
