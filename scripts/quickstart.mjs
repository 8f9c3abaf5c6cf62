import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { setUp } from "./setup.mjs";
import { inState, root, run, runMain, secretFile, secretText, SetUpError, withLock } from "./setup/environment.mjs";

// `node scripts/quickstart.mjs start [--watch]` and `node scripts/quickstart.mjs destroy`.

const [command, ...options] = process.argv.slice(2);

const stack = "quickstart";
/** The emulator's own default front door. */
const frontdoorId = "fd-1";

/** Brings the quickstart up. With `--watch` its emulator runs on until Ctrl-C. */
function start() {
  const isWatching = options.includes("--watch");
  const tryNext = "change an ingressPort in examples/quickstart/index.ts and run";
  return quickstart(async (pulumi, _quietly, { page, path }) => {
    if (isWatching) console.log(`Watch it live: ${page}`);
    console.log("Running pulumi up …");
    const code =
      (await pulumi(["up", "--yes", "--skip-preview", "--suppress-outputs"])) || (await pulumi(["stack", "output"]));
    if (code !== 0) return code;
    console.log(`\nTo use this Node and this Pulumi in your own projects:\n  export PATH="${path}:$PATH"`);
    console.log(
      isWatching
        ? `\nLook: ${page}, until Ctrl-C. Try next: ${tryNext} "npm start" in another terminal.`
        : `\nLook: npm start -- --watch. Try next: ${tryNext} "npm start" again.`,
    );
    return code;
  }, isWatching);
}

async function destroy() {
  if (!existsSync(inState(`Pulumi.${stack}.yaml`))) {
    console.log("Nothing to destroy: the quickstart was not started in this checkout.");
    return 0;
  }
  return quickstart(async (pulumi, quietly) => {
    const { deployment } = JSON.parse(await quietly(["stack", "export"]));
    if (deployment.resources?.length) return pulumi(["destroy", "--yes", "--skip-preview"]);
    console.log("Nothing to destroy: the quickstart's stack is empty.");
    return 0;
  });
}

/**
 * Makes the checkout ready and hands over a `pulumi` that runs with the quickstart's own state, passphrase and stack: its output shown, its exit code
 * given; a `quietly` that gives its output; and the address of the emulator's page with the folders of Node and Pulumi. The quickstart's emulator runs
 * meanwhile and the stack points to it. With `isWatching` it runs on until Ctrl-C, for other runs, too.
 */
async function quickstart(work, isWatching = false) {
  const ready = await setUp({ quiet: true });
  console.log(`Node    ${ready.node}\nPulumi  ${ready.pulumi}`);
  // Without its program, a destroy or refresh takes the configuration of the last `up`: the emulator's port of that time.
  const ours = { FRONTDOOR_STATE_DIR: inState("records"), PULUMI_STACK: stack, PULUMI_RUN_PROGRAM: "true" };
  const env = { ...withoutFrontdoor(ready.env), ...ours };
  const foreground = stopInOrder();
  const pulumi = (args) => foreground.run(ready.pulumi, args, { cwd: root, env });
  const quietly = (args, input) => run(ready.pulumi, ["--non-interactive", ...args], { cwd: root, env, input });
  const inTurn = (run) => withLock(inState("quickstart.lock"), run);
  let emulator;
  const stop = () => emulator?.stop();
  const code = await inTurn(async () => {
    try {
      emulator = await startEmulator(env);
      const page = new URL("/", emulator.baseUrl).href;
      const end = isWatching ? "until Ctrl-C" : "until this command ends";
      console.log(
        `Emulator at ${page} ${emulator.isOurs ? end : `of process ${emulator.pid}, which goes on running`}. Its data stay in .frontdoor.`,
      );
      console.log(`Setting up the stack ${stack} in .frontdoor …`);
      await quietly(["stack", "select", "--create", stack]);
      const plain = [`frontdoor:baseUrl=${emulator.baseUrl}`, `frontdoor:frontdoorId=${frontdoorId}`];
      await quietly(["config", "set-all", ...plain.flatMap((each) => ["--plaintext", each])]);
      await quietly(["config", "set", "--secret", "frontdoor:token"], secretText("token"));
      return await work(pulumi, quietly, { page, path: ready.path });
    } catch (error) {
      if (isWatching) await stop();
      throw error;
    } finally {
      if (!isWatching) await stop();
    }
  });
  if (isWatching && emulator.isOurs) {
    await foreground.untilStopped;
    await inTurn(stop);
  }
  return code;
}

/** The caller's own service address and credentials must not reach the emulator's stack. */
const withoutFrontdoor = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("FRONTDOOR_") || name === "FRONTDOOR_CACHE_DIR"),
  );

/* global AbortController, AbortSignal */

const startSeconds = 60;
const stopSeconds = 5;
const pollMs = 50;

/** How Node runs the emulator's command from its source, in the checkout's root. */
export const emulatorCommand = ["-r", "ts-node/register/transpile-only", "emulator/command.ts"];

/** The options with which the quickstart's emulator is started; its data outlive it. Other users can read these options, not the token's file. */
export const quickstartOptions = () => [
  ...["--data", inState("emulator.db"), "--port", "0", "--token-file", secretFile("token")],
  ...["--ready-file", inState("emulator.json"), "--quiet"],
];

/** The quickstart's emulator: the one that runs already, which is left running, or a new one, which `stop` ends. */
async function startEmulator(env) {
  const running = await findRunning();
  if (running) {
    return { baseUrl: running.baseUrl, pid: running.pid, isOurs: false, stop: async () => {} };
  }
  console.log("Starting the emulator …");

  rmSync(inState("emulator.json"), { force: true });
  const log = inState("emulator.log");
  const output = openSync(log, "w", 0o600);
  // In a process group of its own, so that Ctrl-C leaves it there until the engine has finished with it.
  const child = spawn("node", [...emulatorCommand, ...quickstartOptions()], {
    cwd: root,
    env,
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  let ended;
  const end = new Promise((resolve) => {
    child.once("error", (error) => resolve((ended = error.message)));
    child.once("exit", (code, signal) => resolve((ended = signal ?? `exit code ${code}`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    const overdue = new AbortController();
    await Promise.race([end, sleep(stopSeconds * 1000, undefined, { signal: overdue.signal }).catch(() => {})]);
    overdue.abort();
    if (ended === undefined) child.kill("SIGKILL");
    await end;
    rmSync(inState("emulator.json"), { force: true });
  };

  const deadlineMs = Date.now() + startSeconds * 1000;
  while (ended === undefined && Date.now() < deadlineMs) {
    const ready = readReady();
    if (ready) return { baseUrl: ready.baseUrl, isOurs: true, stop };
    await sleep(pollMs);
  }
  if (ended === undefined) await stop();
  const lastLines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n");
  throw new SetUpError(`the emulator did not start (${ended}):\n${lastLines}`);
}

/** The running emulator's address, when its process lives and something answers there. */
async function findRunning() {
  const ready = readReady();
  if (!ready || !isAlive(ready.pid)) return undefined;
  const answers = await fetch(ready.baseUrl, { redirect: "manual", signal: AbortSignal.timeout(2000) }).then(
    () => true,
    () => false,
  );
  return answers ? ready : undefined;
}

/** What the emulator writes when it listens, or undefined while it is not there or half written. */
function readReady() {
  try {
    return JSON.parse(readFileSync(inState("emulator.json"), "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

const sameKeyMs = 1000;
const stops = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Turns Ctrl-C and its like into an orderly end: the command in the foreground is asked to stop and waited for, then the
 * caller's `finally` blocks run. A second Ctrl-C is passed on too; terminal and npm both telling of the same one count once.
 */
export function stopInOrder() {
  let child;
  let lastMs = 0;
  let stopped;
  let resolveStopped;
  const untilStopped = new Promise((resolve) => (resolveStopped = resolve));
  const onStop = (signal) => {
    const nowMs = Date.now();
    stopped ??= signal;
    resolveStopped();
    if (child?.pid && nowMs - lastMs > sameKeyMs) child.kill("SIGINT");
    lastMs = nowMs;
  };
  for (const signal of stops) process.on(signal, onStop);

  /** Runs a command with its output shown and gives its exit code. It has a process group of its own, so that it hears of Ctrl-C from here alone. */
  async function run(command, args, { cwd, env }) {
    if (stopped) throw new SetUpError(`stopped by ${stopped}`);
    child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "inherit", "inherit"] });
    const code = await new Promise((resolve, reject) => {
      child.once("error", (error) => reject(new SetUpError(`${command} cannot be started: ${error.message}`)));
      child.once("close", (exitCode) => resolve(exitCode ?? 1));
    });
    child = undefined;
    return code;
  }

  return { run, untilStopped };
}

const commands = { start, destroy };
const usage = `npm start              brings the quickstart up
npm start -- --watch   and shows it on a page until Ctrl-C
npm run destroy        removes what is up
`;

/** Runs the command that is named, or prints the usage; a wrong option starts nothing. */
function main() {
  const known = command === "start" ? ["--watch"] : [];
  const wrong = options.find((option) => !known.includes(option));
  if (wrong === undefined) return commands[command]();
  if (wrong !== "--help") throw new SetUpError(`${wrong} is no option. Nothing was started.\n${usage}`);
  console.log(usage);
}

if (process.argv[1] === import.meta.filename) await runMain(main);
