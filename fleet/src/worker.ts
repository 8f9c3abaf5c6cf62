import { resolve } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { Runtime, DefaultLogger, Worker } from "@temporalio/worker";
import { activitiesOf } from "./activities.ts";
import { Allowed } from "./allowed.ts";
import { beside } from "./beside.ts";
import { openClient, openWorkerConnection } from "./connection.ts";
import { Watch } from "./engine.ts";
import { engineEnvironment } from "./environment.ts";
import { Lease } from "./lease.ts";

export interface WorkerOptions {
  /** The folder of the programs. */
  root: string;
  queue: string;
  /** The number of stacks at a time. */
  maxStacks: number;
  allowSecret?: string[];
  allowBackend?: string[];
  allowUrl?: string[];
  /** More variables of the worker that engines get. */
  allowVariable?: string[];
}

/** Runs a worker until Ctrl-C or SIGTERM. It then ends its engines in order, and their stacks go to other workers. */
export async function runWorker({ queue, maxStacks, ...options }: WorkerOptions): Promise<void> {
  Runtime.install({ logger: new DefaultLogger("WARN") });
  const client = await openClient();
  const { connection, namespace, dataConverter } = await openWorkerConnection();
  const watch = new Watch();
  const lease = new Lease(client.connection, watch);
  try {
    const place = { ...placeOf(options), pulumi: await PulumiCommand.get(), watch };
    const worker = await Worker.create({
      connection,
      namespace,
      dataConverter,
      taskQueue: queue,
      workflowsPath: beside("workflows"),
      activities: activitiesOf(place, lease),
      maxConcurrentActivityTaskExecutions: maxStacks,
      // A cancellation comes with the answer to a heartbeat.
      maxHeartbeatThrottleInterval: "3s",
      shutdownGraceTime: 0,
    });
    void watch.ended.then(() => {
      if (worker.getState() === "RUNNING") worker.shutdown();
    });
    console.error(`frontdoor-fleet: worker on ${queue}, ${maxStacks} stacks at a time, programs in ${place.root}`);
    await worker.run();
  } finally {
    lease.close();
    watch.close();
    await connection.close();
    await client.connection.close();
  }
}

function placeOf({
  root,
  allowSecret,
  allowBackend,
  allowUrl,
  allowVariable,
}: Omit<WorkerOptions, "queue" | "maxStacks">) {
  const folder = resolve(root);
  const allowed = new Allowed(folder, { secrets: allowSecret, backends: allowBackend, urls: allowUrl });
  return { root: folder, env: process.env, engineEnv: engineEnvironment(process.env, allowVariable), allowed };
}
