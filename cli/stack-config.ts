import { execFile } from "node:child_process";
import { basename, dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import * as z from "zod";
import { safeText } from "../provider/errors";
import { readText } from "./files";
import { onPath } from "./on-path";
import { Misuse } from "./outcome";

/** Settings by their keys in the stack configuration, such as `frontdoor:baseUrl`. */
export type Settings = Partial<Record<string, string>>;

const plain = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const stackFile = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  environment: z.unknown().optional(),
});
const shownConfig = z.record(z.string(), z.object({ value: z.string().optional() }));

const isOurs = (key: string) => key.startsWith("frontdoor:");

/**
 * Returns the front door's settings in a `Pulumi.<stack>.yaml`. If one of them is encrypted, or the file names an environment of
 * Pulumi, `pulumi` reads them. @throws Misuse.
 */
export async function readStackConfig(path: string): Promise<Settings> {
  const { config, environment } = parsed(path);
  const ours = Object.entries(config ?? {}).filter(([key]) => isOurs(key));
  const values = ours.map(([key, value]) => [key, plain.safeParse(value).data] as const);
  if (environment === undefined && values.every(([, value]) => value !== undefined)) return Object.fromEntries(values);
  return readByPulumi(resolve(path));
}

function parsed(path: string): z.output<typeof stackFile> {
  const text = readText(path);
  try {
    // An empty file has no settings.
    return stackFile.parse(parse(text) ?? {});
  } catch {
    throw new Misuse(`${path} is no stack configuration. Name a Pulumi.<stack>.yaml. [stack-file-invalid]`);
  }
}

async function readByPulumi(path: string): Promise<Settings> {
  const [, stack] = /^Pulumi\.(.+)\.ya?ml$/.exec(basename(path)) ?? [];
  if (stack === undefined)
    throw new Misuse(
      `${path} holds secrets, and pulumi needs the stack's name to decrypt them. Rename the file to Pulumi.<stack>.yaml. [stack-file-name]`,
    );
  const args = ["config", "--show-secrets", "--json", "--non-interactive", "--stack", stack, "--config-file", path];
  const pulumi = onPath("pulumi");
  const unread = (reason: string) =>
    new Misuse(`${path}: its secrets can't be read (${reason}). Fix this problem. [stack-secrets-unreadable]`);
  if (pulumi === undefined) throw unread("there is no pulumi on PATH");
  try {
    const { stdout } = await promisify(execFile)(pulumi, args, { cwd: dirname(path), maxBuffer: 16 * 1024 * 1024 });
    const all = Object.entries(shownConfig.parse(JSON.parse(stdout)));
    return Object.fromEntries(all.filter(([key]) => isOurs(key)).map(([key, { value }]) => [key, value]));
  } catch (error) {
    // Only standard error: standard output holds the secrets.
    const { stderr } = error as { stderr?: string };
    throw unread(safeText(stderr ?? "pulumi printed no settings"));
  }
}
