import { configuredFrontDoor, type ConfigOptions, reading } from "./shared/configuration";
import { checkSecretOut, onlyOwner, readText, writeText } from "./shared/files";
import { findTunnel } from "./shared/find";
import type { Io } from "./shared/io";
import { CheckFailed, Misuse } from "./shared/outcome";
import { visible } from "./shared/output";

export interface SampleOptions extends ConfigOptions {
  out?: string;
  diff?: string;
  force?: true;
  json?: true;
}

/** Writes the sample configuration, or compares a file with it. Prints the key only if the options ask for that. */
export async function sampleConfig(io: Io, text: string, options: SampleOptions): Promise<void> {
  const { out, diff, force: isForced = false, json: isJson = false } = options;
  if (out !== undefined && diff !== undefined)
    throw new Misuse("--out and --diff exclude each other. Give one of them. [options-conflict]");
  const isPrinted = diff === undefined && checkSecretOut(io, "sample configuration", out, isForced);
  const site = diff === undefined ? undefined : readText(io, diff);

  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  const { tunnel, sample } = await reading(io, config, async (reads) => {
    const { id, name } = await findTunnel(io, reads, { text, frontdoorId });
    return { tunnel: { id, name }, sample: await reads.getSampleConfig({ id, frontdoorId }) };
  });
  if (diff !== undefined && site !== undefined) {
    const difference = differenceOf(site, sample);
    if (isJson) io.printJson({ tunnel, file: diff, ...difference });
    if (!difference.isCurrent)
      throw new CheckFailed(
        `${diff} is not current: ${difference.what}. Write it again with --out and --force, and load it on the remote device. [config-not-current]`,
      );
    io.say(`${diff} is current`);
  } else if (out === undefined || isPrinted) {
    if (isJson) io.printJson({ tunnel, sampleConfig: sample });
    else io.print(visible(sample));
  } else {
    writeText(io, out, sample, { isForced, mode: onlyOwner });
    if (isJson) io.printJson({ tunnel, written: out });
    io.say(`${out} is written. It holds the pre-shared key, and only you can read it.`);
  }
}

interface Difference {
  isCurrent: boolean;
  /** Numbers of the file's lines that the present sample configuration does not have. */
  changedLines: number[];
  /** The number of the sample configuration's lines that the file lacks. */
  missingLines: number;
  /** The difference in words. It shows no line, because a line can hold the key. */
  what: string;
}

/** Compares a site's file with the sample configuration. White space at the ends of lines does not count. */
export function differenceOf(file: string, sample: string): Difference {
  const mine = linesOf(file);
  const theirs = linesOf(sample);
  const left = [...theirs];
  const changedLines = mine.flatMap((line, index) => {
    const at = left.indexOf(line);
    if (at === -1) return [index + 1];
    left.splice(at, 1);
    return [];
  });
  const missingLines = left.length;
  const isCurrent = mine.join("\n") === theirs.join("\n");
  const parts = [
    ...(changedLines.length > 0 ? [`the sample configuration does not have its line ${changedLines.join(", ")}`] : []),
    ...(missingLines > 0 ? [`it lacks ${missingLines} of ${theirs.length} lines`] : []),
  ];
  const what = isCurrent ? "" : parts.length > 0 ? parts.join(", and ") : "its lines are in another order";
  return { isCurrent, changedLines, missingLines, what };
}

const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
