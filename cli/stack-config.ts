import { execFile } from "node:child_process";
import { basename, dirname, resolve } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { safeText } from "../provider/errors";
import { readText } from "./files";
import { onPath } from "./on-path";
import { Misuse } from "./outcome";
import { yamlIn, yamlWrong } from "./yaml";

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
  const text = readText(path);
  const { config, environment } = formed(path, await parsed(path, text));
  const ours = Object.entries(config ?? {}).filter(([key]) => isOurs(key));
  const values = ours.map(([key, value]) => [key, plain.safeParse(value).data] as const);
  if (environment === undefined && values.every(([, value]) => value !== undefined)) return Object.fromEntries(values);
  return readByPulumi(resolve(path));
}

/** Parses the file. For a mistake, Pulumi's own words and line number are wanted, because the user sees them everywhere else. */
async function parsed(path: string, text: string): Promise<unknown> {
  try {
    return yamlIn(path, text);
  } catch (error) {
    const [, words] = await readByPulumi(resolve(path)).then(
      () => [],
      (problem: unknown) => /yaml: (line \d+: [^)]*)\)/.exec((problem as Error).message) ?? [],
    );
    throw words === undefined ? error : yamlWrong(path, words);
  }
}

function formed(path: string, value: unknown): z.output<typeof stackFile> {
  // An empty file has no settings.
  const { data } = stackFile.safeParse(value ?? {});
  if (data) return data;
  throw new Misuse(`${path} is no stack configuration. Name a Pulumi.<stack>.yaml. [stack-file-invalid]`);
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
    new Misuse(
      `${path}: its secrets can't be read (${reason.replace(/^error: /, "")}). Nothing was sent. ${remedyFor(reason)}. [stack-secrets-unreadable]`,
    );
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

function remedyFor(reason: string): string {
  if (reason.includes("passphrase")) return "Set PULUMI_CONFIG_PASSPHRASE to the passphrase of this stack";
  if (reason.includes("no pulumi on PATH"))
    return "Install Pulumi, or give --base-url, --frontdoor-id and --token-file";
  if (/log ?in|PULUMI_ACCESS_TOKEN/i.test(reason)) return "Run `pulumi login`";
  return "Run `pulumi config` in that folder, and fix the problem that it reports";
}
