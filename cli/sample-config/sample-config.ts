import { type ConnectionOptions, connectionOf, reading } from "../connection";
import { readText, refuseIfThere } from "../files";
import { findTunnel } from "../find";
import { CheckFailed, Misuse } from "../outcome";
import { print, printJson, say } from "../output";
import { differenceOf } from "./difference";
import { writeSecret } from "./secret-file";

export interface SampleOptions extends ConnectionOptions {
  out?: string;
  diff?: string;
  force?: true;
  json?: true;
}

/** Writes the sample configuration, or holds a file against it; nothing of it reaches a terminal unless forced. */
export async function sampleConfig(text: string, options: SampleOptions): Promise<void> {
  const { out, diff, force: isForced = false, json: isJson = false } = options;
  if (out !== undefined && diff !== undefined) throw new Misuse("--out and --diff don't go together");
  if (out !== undefined) refuseIfThere(out, isForced);
  if (out === undefined && diff === undefined && process.stdout.isTTY && !isForced)
    throw new Misuse("it holds the pre-shared key: name a file by --out, or add --force to show it on the terminal");
  const site = diff === undefined ? undefined : readText(diff);

  const { config, frontdoorId } = await connectionOf(options, process.env);
  const { tunnel, sample } = await reading(config, async (reads) => {
    const { id, name } = await findTunnel(reads, text, frontdoorId);
    return { tunnel: { id, name }, sample: await reads.getSampleConfig({ id, frontdoorId }) };
  });
  if (diff !== undefined && site !== undefined) {
    const difference = differenceOf(site, sample);
    if (isJson) printJson({ tunnel, file: diff, ...difference });
    if (!difference.isCurrent) throw new CheckFailed(`${diff} is not current: ${difference.what}`);
    say(`${diff} is current`);
  } else if (out === undefined) {
    if (isJson) printJson({ tunnel, sampleConfig: sample });
    else print(sample);
  } else {
    writeSecret(out, sample, isForced);
    if (isJson) printJson({ tunnel, written: out });
    say(`${out}: written; it holds the pre-shared key, and only you can read it`);
  }
}
