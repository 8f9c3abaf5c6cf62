import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace, type PulumiCommand, Stack } from "@pulumi/pulumi/automation/index.js";
import type { Allowed, Secrets } from "./allowed";
import type { Events } from "./events";
import type { Interruption, Watchdog } from "./lease";
import type { Changes, StackOperation } from "./operation";

/** The surroundings of a worker: the folder of its programs, its environment, its engine. */
export interface WorkerContext {
  root: string;
  /** The environment for references. */
  env: NodeJS.ProcessEnv;
  /** The part of the environment that engines and programs get. */
  engineEnv: Record<string, string>;
  allowed: Allowed;
  pulumi: PulumiCommand;
  watchdog: Watchdog;
}

/** The first line of the copy of a settings file, which can be empty. An empty copy says that there was no file. */
const backupHeader = "# The settings file before the operation:\n";

/** Runs one operation on one stack in the program's folder, with Pulumi's Automation API. */
export class StackRun {
  private readonly request: StackOperation;
  private readonly context: WorkerContext;
  private readonly secrets: Secrets;
  private readonly interruption: Interruption;
  private readonly folder: string;
  /** The stack's settings file. */
  private readonly settings: string;
  /** The copy of the checkout's settings file during an operation, and after a killed one. */
  private readonly backup: string;
  private readonly env: Record<string, string>;

  constructor(request: StackOperation, context: WorkerContext, secrets: Secrets, interruption: Interruption) {
    this.request = request;
    this.context = context;
    this.secrets = secrets;
    this.interruption = interruption;
    const { stack, backend, passphrase, isAfterLoss } = request;
    context.allowed.check(request);
    this.folder = context.allowed.program(stack.program);
    this.settings = join(this.folder, `Pulumi.${stack.name}.yaml`);
    this.backup = join(this.folder, `.frontdoor-fleet.${stack.name}.yaml`);
    this.env = {
      ...context.engineEnv,
      // The lost worker created an identical resource, and its creation record is lost with it.
      ...(isAfterLoss && { FRONTDOOR_TAKE_OVER: "alike" }),
      ...frontDoorSettings(stack.config),
      FRONTDOOR_ID: stack.frontDoor,
      PULUMI_BACKEND_URL: secrets.backend(backend),
      PULUMI_CONFIG_PASSPHRASE: secrets.value(passphrase),
      PULUMI_SKIP_UPDATE_CHECK: "1",
    };
  }

  /** Returns the changes; undefined if the backend does not have the stack. @throws EngineError */
  async operate(events: Events): Promise<Changes | undefined> {
    const { operation, stack } = this.request;
    const isMade = operation === "up" || operation === "preview";
    // All references now, so a refused one ends the operation before the engine begins.
    const values = Object.entries(stack.secrets).map(([key, reference]) => [key, this.secrets.value(reference)]);
    const settings = frontDoorSettings(Object.fromEntries(values) as Record<string, string>);
    this.context.allowed.addresses({ ...frontDoorSettings(stack.config), ...settings });
    Object.assign(this.env, settings);
    this.useCredentials({ ...frontDoorSettings(stack.config), ...settings });
    this.restore();
    writeFileSync(
      this.backup,
      existsSync(this.settings) ? `${backupHeader}${readFileSync(this.settings, "utf8")}` : "",
    );
    try {
      const opened = await this.open(isMade);
      // The stack does not exist, so there is nothing to refresh or to destroy.
      if (!opened) return undefined;
      await this.configure(opened);
      await this.run(opened, events).catch(async (error: unknown) => {
        if (!isLockOf(error, this.request.lostHosts)) throw error;
        await this.pulumi(["cancel", "--yes", "--stack", stack.name]);
        await this.run(opened, events);
      });
      return events.changes;
    } finally {
      this.restore();
    }
  }

  private async run(opened: Stack, events: Events): Promise<void> {
    const { operation } = this.request;
    const options = { onEvent: events.on };
    if (operation === "up") await opened.up(options);
    else if (operation === "preview") await opened.preview(options);
    else if (operation === "refresh") await opened.refresh(options);
    else if (operation === "destroy") await opened.destroy(options);
    else await opened.previewRefresh(options);
  }

  /** The stack's own token or file overrides the worker's token endpoint. */
  private useCredentials(settings: Record<string, string>): void {
    const { FRONTDOOR_CREDENTIALS_FILE: path, FRONTDOOR_TOKEN, FRONTDOOR_TOKEN_URL } = settings;
    if (path !== undefined) this.env["FRONTDOOR_CREDENTIALS_FILE"] = this.secrets.credentialsFile(path);
    const isWhole = path !== undefined || FRONTDOOR_TOKEN !== undefined;
    if (isWhole && FRONTDOOR_TOKEN_URL === undefined) delete this.env["FRONTDOOR_TOKEN_URL"];
  }

  /** Restores the checkout's settings file. The file of an operation holds encrypted secrets that nobody needs there. */
  private restore(): void {
    if (!existsSync(this.backup)) return;
    const before = readFileSync(this.backup, "utf8");
    if (before.length > 0) writeFileSync(this.settings, before.replace(backupHeader, ""));
    else rmSync(this.settings, { force: true });
    rmSync(this.backup);
  }

  private async open(isMade: boolean): Promise<Stack | undefined> {
    const { pulumi, watchdog } = this.context;
    const pulumiCommand = engineCommand(pulumi, watchdog, this.interruption);
    const workspace = await LocalWorkspace.create({ workDir: this.folder, envVars: this.env, pulumiCommand });
    const { name } = this.request.stack;
    try {
      return await Stack.select(name, workspace);
    } catch (error) {
      unlessUnknown(error);
      return isMade ? Stack.create(name, workspace) : undefined;
    }
  }

  private async configure(opened: Stack): Promise<void> {
    const { name, config, secrets } = this.request.stack;
    const { workspace } = opened;
    const { name: project } = await workspace.projectSettings();
    // The provider prefers stack configuration to the environment, which holds the settings that were checked.
    if (isOfFrontDoor(`${project}:`))
      throw new Error(
        "The project is named frontdoor, and so are the provider's settings. The stack was not touched. Rename the project in Pulumi.yaml. [worker-project]",
      );
    const settings = existsSync(this.settings) ? await workspace.stackSettings(name) : {};
    const values = { ...settings.config };
    for (const [key, value] of Object.entries(config))
      if (!isOfFrontDoor(key)) values[key.includes(":") ? key : `${project}:${key}`] = value;
    await workspace.saveStackSettings(name, { ...settings, config: values });
    for (const [key, reference] of Object.entries(secrets).filter(([each]) => !isOfFrontDoor(each)))
      await this.pulumi(["config", "set", "--secret", "--stack", name, key], this.secrets.value(reference));
  }

  private async pulumi(args: string[], input?: string): Promise<void> {
    const { pulumi, watchdog } = this.context;
    await runEngine(pulumi.command, args, {
      cwd: this.folder,
      env: this.env,
      watchdog,
      interruption: this.interruption,
      input,
    });
  }
}

/** True if locks keep the engine from the stack, and all of them were made on these machines. */
function isLockOf(error: unknown, hosts: string[]): boolean {
  if (!(error instanceof EngineError)) return false;
  const owners = [...error.stderr.matchAll(/: created by [^\n]*@(\S+) \(pid \d+\)/g)].map(([, host = ""]) => host);
  return owners.length > 0 && owners.every((host) => hosts.includes(host));
}

/** @throws the error, unless it says that there is no such stack */
function unlessUnknown(error: unknown): void {
  if (!(error instanceof EngineError) || !/no stack named [^\n]{0,200} found/.test(error.stderr)) throw error;
}

const isOfFrontDoor = (key: string) => key.startsWith("frontdoor:");

/**
 * Returns the provider's settings as variables. The engine would keep stack configuration in the state, and `refresh` and `destroy` would
 * use the settings of the last `up`.
 */
function frontDoorSettings(from: Record<string, string>): Record<string, string> {
  const own = Object.entries(from).filter(([key]) => isOfFrontDoor(key));
  return Object.fromEntries(own.map(([key, text]) => [variable(key), text]));
}

/** Returns the variable of a setting: FRONTDOOR_TOKEN_URL for `frontdoor:tokenUrl`. */
const variable = (key: string) =>
  key
    .replace(":", "_")
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();

/** A failure of the engine, with its standard error. */
export class EngineError extends Error {
  readonly stderr: string;
  /** True after a SIGKILL, which leaves the lock of the stack. */
  readonly isKilled: boolean;

  constructor(stderr: string, isKilled: boolean) {
    super("Pulumi failed");
    this.stderr = stderr;
    this.isKilled = isKilled;
  }
}

type Run = (args: string[], cwd: string, env: NodeJS.ProcessEnv) => Promise<{ stdout: string; stderr: string }>;

/** Returns the engine on PATH for the Automation API. */
export function engineCommand(found: PulumiCommand, watchdog: Watchdog, interruption: Interruption): PulumiCommand {
  const run: Run = async (args, cwd, env) => {
    // The Automation API would read the outputs, also secret ones, and the history. The fleet uses neither.
    if (args[0] === "stack" && (args[1] === "output" || args[1] === "history"))
      return { stdout: args[1] === "output" ? "{}" : "[]", stderr: "" };
    return runEngine(found.command, args, { cwd, env, watchdog, interruption });
  };
  return { command: found.command, version: found.version, run } as unknown as PulumiCommand;
}

/** Runs one command of the engine with only this environment. `input` holds secrets, because other users can see arguments. @throws EngineError */
export async function runEngine(
  command: string,
  args: string[],
  {
    cwd,
    env,
    watchdog,
    interruption,
    input = "",
  }: { cwd: string; env: NodeJS.ProcessEnv; watchdog: Watchdog; interruption: Interruption; input?: string },
): Promise<{ stdout: string; stderr: string }> {
  interruption.signal.throwIfAborted();
  const child = spawn(command, [...args, "--non-interactive"], {
    cwd,
    env: { ...env, PULUMI_AUTOMATION_API: "true" },
    // Its own process group: a Ctrl-C in the worker's terminal reaches it only through the worker.
    detached: true,
    stdio: "pipe",
  });
  const { pid } = child;
  if (pid !== undefined) watchdog.begun(pid, interruption.lostAfterSeconds);
  const interrupt = () => child.kill("SIGINT");
  interruption.signal.addEventListener("abort", interrupt);
  try {
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.on("error", () => undefined).end(input);
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw new EngineError(stderr, signal === "SIGKILL");
    return { stdout, stderr };
  } finally {
    interruption.signal.removeEventListener("abort", interrupt);
    if (pid !== undefined) watchdog.over(pid);
  }
}

/** The variables of a worker that every engine and its program get. None of them holds a credential of a stack. */
const inherited = new Set(
  [
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP",
    "XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR",
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS",
    "PULUMI_HOME FRONTDOOR_STATE_DIR FRONTDOOR_BASE_URL FRONTDOOR_TOKEN_URL",
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH",
    "APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES",
  ].flatMap((line) => line.split(" ")),
);

/** Returns the part of a worker's environment that engines get: the list above, and the variables in the worker's settings. */
export function engineEnvironment(env: NodeJS.ProcessEnv, allowed: string[] = []): Record<string, string> {
  const isPassed = (name: string) =>
    inherited.has(name.toUpperCase()) || name.startsWith("LC_") || allowed.includes(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && isPassed(name) ? [[name, value]] : [])),
  );
}
