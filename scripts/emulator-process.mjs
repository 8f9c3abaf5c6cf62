/* global AbortController, AbortSignal */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { secretFile } from "./setup/environment.mjs";
import { inState, root } from "./setup/places.mjs";
import { SetUpError } from "./setup/progress.mjs";

const startSeconds = 60;
const stopSeconds = 5;
const lookMs = 50;

/** How Node runs the emulator's command from its source, in the checkout's root. */
export const emulatorCommand = ["-r", "ts-node/register/transpile-only", "emulator/main.ts"];

/** The options with which the quickstart's emulator is started; its data outlive it. Other users can read these options, not the token's file. */
export const quickstartOptions = () => [
  ...["--data", inState("emulator.db"), "--port", "0", "--token-file", secretFile("token")],
  ...["--ready-file", inState("emulator.json"), "--quiet"],
];

/** The quickstart's emulator: the one that runs already, which is left running, or a new one, which `stop` ends. */
export async function startEmulator(env) {
  const running = await findRunning();
  if (running) {
    console.error(`Using the emulator that runs already, process ${running.pid}`);
    return { baseUrl: running.baseUrl, isOurs: false, stop: async () => {} };
  }

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
    await sleep(lookMs);
  }
  if (ended === undefined) await stop();
  const said = readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n");
  throw new SetUpError(`the emulator did not start (${ended}):\n${said}`);
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
