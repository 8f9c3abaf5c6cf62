import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { logLine } from "./records";
import { publicSchema, type Settings } from "./settings";
import { type Emulator, startEmulator } from "./start";

/** Lines of at most 90 characters. */
const wrapped = (words: string[]) => words.join(", ").replace(/(.{1,88})(?: |$)/g, "  $1\n");

const usage = `Runs an emulator of Frontdoor on this machine until Ctrl-C.

  --port PORT            port on 127.0.0.1, 0 for any free one (default 8480)
  --as netfoundry        behave as NetFoundry's public pages and clients describe
  --settings FILE        JSON file with settings
  --credentials-out FILE write the credentials.json of an API account here (mode 0600)
  --demo                 start with a demo: a front door with three sites and their shares
  --data FILE            keep tunnels and shares in this file (default: keep nothing)
  --token TOKEN          bearer token to accept (default emulator-token)
  --token-file FILE      read the token from this file; no process list or output shows it
  --frontdoor ID         front door that the token opens (default fd-1; with --as netfoundry a UUID)
  --provision SECONDS    time from NEW to DEPLOYED
  --teardown SECONDS     time from DELETING to DELETED
  --set NAME=VALUE       a setting below, as JSON or plain text; you can repeat it
  --ready-file PATH      write {"pid", "baseUrl"} here once the emulator listens
  --quiet                print no line per request
  --help                 this text

Settings of --set:
${wrapped(Object.keys(publicSchema.shape))}
Examples:
  pulumi-frontdoor emulator --demo
  pulumi-frontdoor emulator --as netfoundry --credentials-out credentials.json
  pulumi-frontdoor emulator --port 0 --data my-frontdoor.db --provision 30
`;

const options = {
  port: { type: "string", default: "8480" },
  as: { type: "string" },
  settings: { type: "string" },
  "credentials-out": { type: "string" },
  demo: { type: "boolean", default: false },
  data: { type: "string" },
  token: { type: "string" },
  "token-file": { type: "string" },
  frontdoor: { type: "string" },
  provision: { type: "string" },
  teardown: { type: "string" },
  set: { type: "string", multiple: true, default: [] as string[] },
  "ready-file": { type: "string" },
  quiet: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/**
 * Runs the emulator until Ctrl-C or SIGTERM. Resolves once it listens. @throws TypeError if an argument is wrong, Error if it cannot use
 * the port or the file.
 */
export async function runEmulator(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const tokenFile = values["token-file"];
  const token = tokenFile === undefined ? values.token : textIn(tokenFile).trim();
  const printLine = (line: string) => process.stdout.write(`${line}\n`);
  const emulator = await startEmulator({
    admin: true,
    ...presetOf(values.as),
    ...(values.settings !== undefined && settingsIn(values.settings)),
    port: number("port", values.port),
    ...(values.data !== undefined && { dataFile: values.data }),
    ...(token !== undefined && { token }),
    ...(values.frontdoor !== undefined && { frontdoorId: values.frontdoor }),
    ...(values.provision !== undefined && { provisionMs: 1000 * number("provision", values.provision) }),
    ...(values.teardown !== undefined && { teardownMs: 1000 * number("teardown", values.teardown) }),
    ...settingsOf(values.set),
    ...(!values.quiet && { onAnswer: (entry, tookMs) => printLine(logLine(entry, tookMs)) }),
  });
  // A data file can hold the demo of an earlier start, which continues.
  if (values.demo) emulator.seedDemo();

  printLine(
    `${emulator.baseUrl} (front door ${emulator.frontdoorId}; dashboard at ${new URL("/", emulator.baseUrl).href})`,
  );
  const credentials = values["credentials-out"];
  try {
    if (credentials !== undefined) writeCredentials(credentials, emulator);
  } catch (error) {
    await emulator.close();
    throw error;
  }
  printLine(exportLine(emulator, tokenFile === undefined, credentials));
  const ready = values["ready-file"];
  if (ready !== undefined) writeReadyFile(ready, emulator.baseUrl);

  const stop = () => {
    if (ready !== undefined) removeReadyFile(ready);
    void emulator.close();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

/** The scope of an API account's token request. It is required and has no effect. */
const apiAccountScope = "https://gateway.production.netfoundry.io//ignore-scope";

/** The services that the emulator can imitate: NetFoundry's as its public pages and clients describe it. */
export const presets = {
  netfoundry: (): Partial<Settings> => ({
    frontdoorId: "7d9c2f1e-40b6-4c8a-9e53-1fb2a06d84c7",
    organizationId: "c2e8a5b0-936d-4f17-8a4c-5d70e1f9b326",
    environments: { "ijcrWb-ZOq": "datacenter-1" },
    unknownEnvironment: "refused",
    oauthForm: "form",
    oauthScope: apiAccountScope,
    listForm: "as accepted",
    deletedListed: false,
    notFoundStatus: 403,
    gatewayTimeoutMs: 3000,
    tunnelConfigForm: "aws",
    metricsForm: "samples",
    defaultLocationId: "us-east-1",
    oneTunnelPerLocation: false,
  }),
};

function presetOf(name: string | undefined): Partial<Settings> {
  if (name === undefined) return {};
  if (Object.hasOwn(presets, name)) return presets[name as keyof typeof presets]();
  throw new TypeError(`--as must be ${Object.keys(presets).join(" or ")}`);
}

/** Encodings by the mark at the begin of a file, in hexadecimal digits. PowerShell 5 writes UTF-16. */
const encodings: Partial<Record<string, string>> = { fffe: "utf-16le", feff: "utf-16be" };

/** Returns the text of a file. @throws TypeError if the file can't be read. */
function textIn(file: string): string {
  try {
    const bytes = readFileSync(file);
    return new TextDecoder(encodings[bytes.toString("hex", 0, 2)] ?? "utf-8").decode(bytes);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new TypeError(`${file} can't be read (${code})`, { cause: error });
  }
}

/** Returns the settings in a file. @throws TypeError if they can't be read. */
function settingsIn(file: string): Partial<Settings> {
  const text = textIn(file);
  try {
    return publicSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new TypeError(`${file}: ${error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message}`, {
      cause: error,
    });
  }
}

/** Writes the file of an API account, which only its owner can read. It refuses a file that exists with other contents. */
function writeCredentials(file: string, { settings, tokenUrl }: Emulator): void {
  const { oauthClientId: clientId, oauthClientSecret: password } = settings;
  const text = `${JSON.stringify({ clientId, password, authenticationUrl: tokenUrl }, undefined, 2)}\n`;
  const old = lstatSync(file, { throwIfNoEntry: false });
  if (old && (!old.isFile() || !isCredentials(readFileSync(file, "utf8"), clientId)))
    throw new TypeError(`--credentials-out ${file} exists, and is no file of this emulator`);
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600, flag: "wx" });
  renameSync(fresh, file);
}

function isCredentials(text: string, clientId: string): boolean {
  try {
    return (JSON.parse(text) as { clientId?: unknown }).clientId === clientId;
  } catch {
    return false;
  }
}

/** Returns the line that sets the emulator's variables in a shell. Without the token it can be in a log. */
function exportLine(
  { baseUrl, frontdoorId, token, settings }: Emulator,
  withToken: boolean,
  credentials: string | undefined,
): string {
  const variables = {
    FRONTDOOR_BASE_URL: baseUrl,
    FRONTDOOR_ID: frontdoorId,
    ...(credentials === undefined
      ? withToken && { FRONTDOOR_TOKEN: token }
      : {
          FRONTDOOR_CREDENTIALS_FILE: resolve(credentials),
          // At the vendor's own token host the provider chooses both by itself.
          ...(settings.oauthForm === "form" && { FRONTDOOR_TOKEN_REQUEST: "form" }),
          ...(settings.oauthScope !== null && { FRONTDOOR_SCOPE: settings.oauthScope }),
        }),
  };
  const quoted = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return `export ${Object.entries(variables)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(" ")}`;
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) throw new TypeError(`--${name} must be a number`);
  return value;
}

/** Returns the settings of `--set`. @throws TypeError if one of them is wrong, or is not public. */
function settingsOf(texts: string[]): Partial<Settings> {
  const result = publicSchema.safeParse(Object.fromEntries(texts.map(setting)));
  if (!result.success) throw new TypeError(`--set: ${z.prettifyError(result.error)}`);
  return result.data;
}

function setting(text: string): [string, unknown] {
  const [, name, value] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new TypeError(`--set takes NAME=VALUE, not ${text}`);
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}

/** Writes the ready file. It renames it into place, so a reader never gets half of it. */
function writeReadyFile(file: string, baseUrl: string): void {
  writeFileSync(`${file}.new`, JSON.stringify({ pid: process.pid, baseUrl }));
  renameSync(`${file}.new`, file);
}

/** Removes the ready file, unless another emulator has written it. */
function removeReadyFile(file: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(file, "utf8")) as { pid?: unknown };
    if (pid === process.pid) rmSync(file);
  } catch {
    // Gone already.
  }
}

if (require.main === module)
  runEmulator(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
