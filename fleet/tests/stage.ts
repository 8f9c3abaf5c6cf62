import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApplicationFailure, Context } from "@temporalio/activity";
import { Client, Connection } from "@temporalio/client";
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { kill, type Running, start } from "../../tests/harness/command";
import { needs } from "../../tests/harness/needs";
import { buildIn } from "../build";
import { modulePath, dataConverterOf } from "../src/temporal";
import { type FleetFile, readFleet } from "../src/fleet";
import { type Activities, type Operation, type Report, runId, type StackOperation } from "../src/operation";
import { stateText } from "../src/report";
import { run } from "../src/workflows";

/** What stands for the engine: it is called for each attempt, and says how that goes. */
export type Play = (asked: StackOperation, attempt: number) => Promise<Record<string, number> | undefined>;

type Fleet = ReturnType<typeof readFleet>;

/** What a test sees of a fleet whose worker plays. */
interface Played {
  start: (operation?: Operation) => ReturnType<typeof begin>;
  seen: StackOperation[];
  fleet: Fleet;
}

const hasTemporal = needs("Temporal", spawnSync("temporal", ["--version"]).status === 0);
/** Tests that need Temporal's development server, `temporal`, on PATH. */
export const describeOnTemporal = hasTemporal ? describe : describe.skip;

/** Temporal's development server, whose data outlive it: it can be killed and started again. */
export class Temporal {
  readonly database: string;
  private server: Running | undefined;
  private port = 0;

  constructor(
    private readonly folder: string,
    private readonly options: string[] = [],
  ) {
    this.database = join(folder, "temporal.db");
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    const flags = ["--headless", "--ip", "127.0.0.1", "--port", String(this.port), "--log-level", "error"];
    const args = ["server", "start-dev", ...flags, "--db-filename", this.database, ...this.options];
    this.server = start("temporal", args, { cwd: this.folder, env: process.env });
    await until("Temporal", () =>
      Connection.connect({ address: this.address, connectTimeout: 2000 }).then(
        (opened) => opened.close().then(() => true),
        () => undefined,
      ),
    );
  }

  async kill(): Promise<void> {
    if (!this.server) return;
    kill(this.server.pid);
    await this.server.end;
  }
}

/** A port that nothing uses now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks time and again until the answer is not undefined. @throws Error after a while, with what was waited for */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  patienceMs = 120_000,
): Promise<T> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(200);
  }
  throw new Error(`waited in vain for ${what}`);
}

const logger = new DefaultLogger("ERROR");

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A Temporal server of its own, with fleets whose workers play the engine. Their runs try again without a pause. */
export async function openStage(options: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "fleet-run-"));
  const command = buildIn(folder);
  const temporal = new Temporal(folder, options);
  Runtime.install({ logger });
  await temporal.start();
  const { address } = temporal;
  const client = new Client({ connection: await Connection.connect({ address }) });
  const connection = await NativeConnection.connect({ address });
  const workflowBundle = await bundleWorkflowCode({ workflowsPath: modulePath("workflows"), logger });
  let fleets = 0;
  const nextName = () => `fleet-${fleets + 1}`;

  /** A fleet of its own with a worker that plays, while the work goes on. */
  const played = async <T>(
    file: Omit<FleetFile, "name">,
    play: Play,
    work: (played: Played) => Promise<T>,
    dataConverter: ReturnType<typeof dataConverterOf> = {},
  ): Promise<T> => {
    const name = nextName();
    fleets += 1;
    const fleet = readFleet({ name, defaults: { program: "p", frontDoor: "fd-1" }, ...file });
    // Less than a fleet file may say: the server's clock is real, and a silence takes its time.
    if (fleet.stacks.some(({ labels }) => labels["silent"])) fleet.limits.lostAfterSeconds = 1;
    const seen: StackOperation[] = [];
    const activities = playing(play, seen);
    const worker = await Worker.create({
      ...{ connection, taskQueue: runId(name), workflowBundle, activities, dataConverter },
      maxHeartbeatThrottleInterval: 500,
    });
    const start = (operation: Operation = "up") => begin(client, fleet, operation);
    return worker.runUntil(work({ start, seen, fleet }));
  };

  const close = async () => {
    await client.connection.close();
    await connection.close();
    await temporal.kill();
    rmSync(folder, { recursive: true });
  };

  return { folder, command, temporal, client, nextName, played, close };
}

const begin = (client: Client, fleet: Fleet, operation: Operation) =>
  client.workflow.start(run, {
    args: [{ fleet, operation, stacks: fleet.stacks.map(({ name }) => name), pauseScale: 0 }],
    taskQueue: runId(fleet.name),
    workflowId: fleet.name,
  });

/** The work of a worker, which notes what it is asked for. A stack with the label `silent` is one whose worker is not heard of. */
function playing(play: Play, seen: StackOperation[]): Activities {
  const attempts = new Map<string, number>();
  return {
    async operateStack(asked) {
      const attempt = (attempts.get(asked.stack.name) ?? 0) + 1;
      attempts.set(asked.stack.name, attempt);
      seen.push(asked);
      const context = Context.current();
      const beat = setInterval(() => {
        if (!asked.stack.labels["silent"]) context.heartbeat();
      }, 500);
      try {
        return await play(asked, attempt);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

/** What a report says of each stack. */
export const texts = ({ stacks }: Report) => Object.fromEntries(stacks.map((each) => [each.name, stateText(each)]));
export const refused = () =>
  ApplicationFailure.create({ type: "failed", message: "403 not_found", nonRetryable: true });
export const unreachable = () =>
  ApplicationFailure.create({ type: "unreachable", message: "503 from the server", nonRetryable: true });
