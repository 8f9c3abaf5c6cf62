import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, before, describe, it } from "node:test";
import { ApplicationFailure, CancelledFailure, Context } from "@temporalio/activity";
import { Client, Connection, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { bundleWorkflowCode, NativeConnection, Runtime, DefaultLogger, Worker } from "@temporalio/worker";
import { stringify } from "yaml";
import { Running } from "../lab/lab.ts";
import { until } from "../lab/processes.ts";
import { noTemporal, Temporal } from "../lab/temporal.ts";
import { beside } from "../src/beside.ts";
import { dataConverterOf } from "../src/codec.ts";
import { type FleetFile, readFleet } from "../src/fleet.ts";
import type { Activities, Operation, Report, StackOperation } from "../src/operation.ts";
import { stateText } from "../src/report.ts";
import { approveSignal, reportQuery, run, scheduledRun } from "../src/workflows.ts";

/** What stands for the engine: it is called for each attempt, and says how that goes. */
type Play = (asked: StackOperation, attempt: number) => Promise<Record<string, number> | undefined>;

const folder = mkdtempSync(join(tmpdir(), "fleet-run-"));
const temporal = new Temporal(folder);
let connection: NativeConnection;
let client: Client;
let bundle: Awaited<ReturnType<typeof bundleWorkflowCode>>;

before(async () => {
  if (noTemporal) return;
  Runtime.install({ logger: new DefaultLogger("ERROR") });
  await temporal.start(process.env);
  const { address } = temporal;
  connection = await NativeConnection.connect({ address });
  client = new Client({ connection: await Connection.connect({ address }) });
  bundle = await bundleWorkflowCode({ workflowsPath: beside("workflows"), logger: new DefaultLogger("ERROR") });
});

after(async () => {
  if (noTemporal) return;
  await client.connection.close();
  await connection.close();
  await temporal.kill();
  rmSync(folder, { recursive: true });
});

let fleets = 0;

/** A fleet of its own with a worker that plays, while the work goes on. */
async function played<T>(
  file: Omit<FleetFile, "name">,
  play: Play,
  work: (started: {
    start: (operation?: Operation) => ReturnType<typeof begin>;
    seen: StackOperation[];
    unlocked: string[];
    fleet: ReturnType<typeof readFleet>;
  }) => Promise<T>,
  dataConverter: ReturnType<typeof dataConverterOf> = {},
): Promise<T> {
  const name = `fleet-${++fleets}`;
  const fleet = readFleet({ name, queue: name, defaults: { program: "p", frontDoor: "fd-1" }, ...file });
  const attempts = new Map<string, number>();
  const seen: StackOperation[] = [];
  const unlocked: string[] = [];
  const activities: Activities = {
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
    unlockStack: ({ stack }) => Promise.resolve(void unlocked.push(stack.name)),
  };
  const worker = await Worker.create({
    connection,
    taskQueue: name,
    workflowBundle: bundle,
    activities,
    dataConverter,
    maxHeartbeatThrottleInterval: 500,
  });
  const start = (operation: Operation = "up") => begin(fleet, operation);
  return worker.runUntil(work({ start, seen, unlocked, fleet }));
}

const begin = (fleet: ReturnType<typeof readFleet>, operation: Operation) =>
  client.workflow.start(run, {
    args: [{ fleet, operation, stacks: fleet.stacks.map(({ name }) => name) }],
    taskQueue: fleet.queue,
    workflowId: fleet.name,
  });

const texts = ({ stacks }: Report) => Object.fromEntries(stacks.map((each) => [each.name, stateText(each)]));
const refused = () => ApplicationFailure.create({ type: "failed", message: "403 not_found", nonRetryable: true });
const unreachable = () =>
  ApplicationFailure.create({ type: "unreachable", message: "503 from the server", nonRetryable: true });

describe("a run", { timeout: 300_000, skip: noTemporal }, () => {
  it("goes wave by wave and after dependencies, with so many stacks at a time on each front door", async () => {
    const busy: Record<string, number> = {};
    const most: Record<string, number> = {};
    const order: string[] = [];
    const play: Play = async ({ stack: { name, frontDoor } }) => {
      order.push(name);
      busy[frontDoor] = (busy[frontDoor] ?? 0) + 1;
      most[frontDoor] = Math.max(most[frontDoor] ?? 0, busy[frontDoor]);
      await sleep(50);
      busy[frontDoor] -= 1;
      return { create: 1 };
    };
    const many = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`s${at}`, { frontDoor: at % 2 === 0 ? "fd-1" : "fd-2" }]),
    );
    const stacks = { ...many, last: { dependsOn: ["s5"] }, canary: { wave: "canary" } };
    const waves = [{ name: "canary" }, { name: "rest" }];
    await played({ waves, stacks, limits: { perFrontDoor: 2 } }, play, async ({ start }) => {
      const report = await (await start()).result();
      assert.deepEqual([...new Set(Object.values(texts(report)))], ["1 create"]);
      assert.deepEqual([order[0], order.at(-1)], ["canary", "last"]);
      assert.ok(Math.max(...Object.values(most)) <= 2, JSON.stringify(most));
    });
  });

  it("tries an unreachable service again, a refusal never", async () => {
    const play: Play = ({ stack: { name } }, attempt) => {
      if (name === "refused") return Promise.reject(refused());
      return attempt === 1 ? Promise.reject(unreachable()) : Promise.resolve({ create: 1 });
    };
    await played(
      { stacks: { refused: {}, away: {} }, waves: [{ name: "all", stopAfter: 2 }] },
      play,
      async ({ start, seen }) => {
        assert.deepEqual(texts(await (await start()).result()), {
          refused: "failed: 403 not_found",
          away: "1 create, attempt 2",
        });
        // Only a lost worker leaves a lock.
        assert.ok(seen.every(({ isAfterLoss }) => !isAfterLoss));
      },
    );
  });

  it("ends where the attempts are used up", async () => {
    await played(
      { stacks: { away: {} }, limits: { attempts: 1 } },
      () => Promise.reject(unreachable()),
      async ({ start }) => {
        assert.deepEqual(texts(await (await start()).result()), { away: "failed: 503 from the server" });
      },
    );
  });

  it("stops before the next wave where the canary failed", async () => {
    const waves = [{ name: "canary" }, { name: "rest" }];
    await played(
      { waves, stacks: { c: { wave: "canary" }, r: {} } },
      () => Promise.reject(refused()),
      async ({ start, seen }) => {
        assert.deepEqual(texts(await (await start()).result()), {
          c: "failed: 403 not_found",
          r: "skipped: wave canary was stopped: 1 failed",
        });
        assert.equal(seen.length, 1);
      },
    );
  });

  it("waits for an approval before up, and not before a preview", async () => {
    const waves = [{ name: "all", approve: true }];
    await played(
      { waves, stacks: { a: {} } },
      () => Promise.resolve({}),
      async ({ start, seen }) => {
        await (await start("preview")).result();
        assert.equal(seen.length, 1);
        const handle = await start();
        await until("the run to wait", async () =>
          (await handle.query(reportQuery)).awaiting === "all" ? true : undefined,
        );
        assert.equal(seen.length, 1);
        await handle.signal(approveSignal, "all");
        assert.deepEqual(texts(await handle.result()), { a: "unchanged" });
      },
    );
  });

  it("that is cancelled ends what is under way in order, begins nothing more, and reports", async () => {
    const play: Play = async () => {
      await Context.current().cancelled.catch(() => undefined);
      // The engine saves.
      await sleep(300);
      throw new CancelledFailure("cancelled");
    };
    await played({ stacks: { a: {}, b: { dependsOn: ["a"] } } }, play, async ({ start, seen }) => {
      const handle = await start();
      await until("an operation", () => (seen.length > 0 ? true : undefined));
      await handle.cancel();
      assert.deepEqual(texts(await handle.result()), { a: "cancelled: cancelled", b: "cancelled" });
      assert.equal(seen.length, 1);
    });
  });

  it("tells the next attempt to take over the lock of a worker that was lost, and takes it off after the last one", async () => {
    const silent: Play = ({ stack: { name } }, attempt) =>
      name === "back" && attempt === 2 ? Promise.resolve({ create: 1 }) : Context.current().cancelled;
    const labels = { silent: "yes" };
    const file = {
      stacks: { back: { labels }, gone: { labels } },
      limits: { attempts: 2, lostAfterSeconds: 10 },
      waves: [{ name: "all", stopAfter: 2 }],
    };
    await played(file, silent, async ({ start, seen, unlocked }) => {
      const report = await (await start()).result();
      assert.deepEqual(texts(report), {
        back: "1 create, attempt 2",
        gone: "failed, attempt 2: nothing was heard of its worker any more",
      });
      assert.deepEqual(
        seen.filter(({ stack }) => stack.name === "back").map(({ isAfterLoss }) => isAfterLoss),
        [false, true],
      );
      // Once before the second attempt of each, and after the last one of what is lost again.
      assert.deepEqual(unlocked.toSorted(), ["back", "gone", "gone"]);
    });
  });

  it("is unreadable at Temporal with a key, failures and progress included", async () => {
    const dataConverter = dataConverterOf({ FRONTDOOR_FLEET_KEY: Buffer.alloc(32, 5).toString("base64") });
    const words = { name: "veiled-stack", frontDoor: "veiled-door", reason: "veiled reason" };
    const play: Play = async () => {
      Context.current().heartbeat({ note: "veiled progress" });
      await sleep(1000);
      throw ApplicationFailure.create({ type: "failed", message: words.reason, nonRetryable: true });
    };
    const stacks = { [words.name]: { frontDoor: words.frontDoor } };
    await played(
      { stacks },
      play,
      async ({ fleet }) => {
        const { connection: same } = client;
        const veiled = new Client({ connection: same, dataConverter });
        const input = { fleet, operation: "up" as const, stacks: [words.name] };
        const options = { taskQueue: fleet.queue, args: [input] as [typeof input], workflowId: fleet.name };
        const report = await veiled.workflow.execute(run, options);
        assert.deepEqual(texts(report), { [words.name]: "failed: veiled reason" });
        const kept = [temporal.database, `${temporal.database}-wal`].filter((file) => existsSync(file));
        const text = kept.map((file) => readFileSync(file, "latin1")).join("");
        // The activity's id is Temporal's to see; what it is about is not.
        assert.ok(text.includes(fleet.name));
        for (const word of [words.frontDoor, words.reason, "veiled progress"]) assert.ok(!text.includes(word), word);
      },
      dataConverter,
    );
  });

  it("takes off the lock of a worker that was lost also where the next attempt never comes to the engine", async () => {
    const play: Play = (_, attempt) => (attempt === 1 ? Context.current().cancelled : Promise.reject(refused()));
    const file = {
      stacks: { a: { labels: { silent: "yes" } } },
      limits: { attempts: 5, lostAfterSeconds: 10 },
    };
    await played(file, play, async ({ start, unlocked }) => {
      assert.deepEqual(texts(await (await start()).result()), { a: "failed, attempt 2: 403 not_found" });
      assert.deepEqual(unlocked, ["a"]);
    });
  });

  it("is the only one of its fleet, and what a schedule starts meanwhile is left out", async () => {
    const { promise: held, resolve: end } = Promise.withResolvers<object>();
    await played(
      { stacks: { a: {} } },
      () => held.then(() => ({})),
      async ({ fleet }) => {
        const workflowId = `frontdoor-fleet/${fleet.name}`;
        const input = { fleet, operation: "drift" as const, stacks: ["a"] };
        const options = { taskQueue: fleet.queue, args: [input] as [typeof input] };
        const first = await client.workflow.start(run, { ...options, workflowId });
        await assert.rejects(
          client.workflow.start(run, { ...options, workflowId }),
          WorkflowExecutionAlreadyStartedError,
        );
        const second = await client.workflow.execute(scheduledRun, { ...options, workflowId: "scheduled" });
        assert.equal(second, "left out: another run of this fleet was under way");
        end({});
        await first.result();
        const third = await client.workflow.execute(scheduledRun, { ...options, workflowId: "scheduled-again" });
        assert.equal((third as Report).operation, "drift");
      },
    );
  });
});

describe("the command", { timeout: 300_000, skip: noTemporal }, () => {
  let own = "";
  const env = () => ({ ...process.env, TEMPORAL_ADDRESS: temporal.address });
  const start = (...args: string[]) =>
    new Running([beside("main"), "--file", join(own, "fleet.yaml"), "--json", ...args], own, env());
  const said = async (...args: string[]) => {
    const { code, out, said: text } = await start(...args).ended;
    return { code, answer: out === "" ? undefined : (JSON.parse(out) as Record<string, unknown>), text };
  };
  const file = (more: object) => {
    own = mkdtempSync(join(folder, "command-"));
    const name = `fleet-${fleets + 1}`;
    const rest = { queue: name, defaults: { program: "p", frontDoor: "fd-1" }, ...more };
    writeFileSync(join(own, "fleet.yaml"), stringify({ name, ...rest }));
    return rest as Omit<FleetFile, "name">;
  };

  it("starts a run, shows it, approves a wave, and ends with the report", async () => {
    const given = file({ waves: [{ name: "all", approve: true }], stacks: { a: {} } });
    await played(
      given,
      () => Promise.resolve({ create: 2 }),
      async () => {
        const up = start("up");
        await until("the run to wait", async () => {
          const { answer } = await said("status");
          return answer?.["awaiting"] === "all" ? true : undefined;
        });
        const second = await said("up");
        assert.equal(second.code, 1);
        assert.match(JSON.stringify(second.answer), /a run of this fleet is under way/);
        assert.equal((await said("approve", "nowhere")).code, 2);
        assert.deepEqual((await said("approve", "all")).answer, { approved: "all" });
        const { code, out } = await up.ended;
        assert.equal(code, 0);
        const report = JSON.parse(out) as Report & { summary: string };
        assert.deepEqual([texts(report), report.summary], [{ a: "2 create" }, "up of 1 stacks: 1 done"]);
        assert.equal((await said("status")).answer?.["summary"], report.summary);
      },
    );
  });

  it("cancels a run that another command has started", async () => {
    await played(
      file({ stacks: { a: {}, b: { dependsOn: ["a"] } } }),
      () => Context.current().cancelled,
      async ({ seen }) => {
        const up = start("up");
        await until("an operation", () => (seen.length > 0 ? true : undefined));
        const { code, answer } = await said("cancel");
        assert.deepEqual([code, answer?.["summary"]], [0, "up of 2 stacks: 2 cancelled"]);
        assert.equal((await up.ended).code, 1);
      },
    );
  });

  it("leaves a run to itself at the second Ctrl-C", async () => {
    const { promise: saved, resolve: save } = Promise.withResolvers<object>();
    await played(
      file({ stacks: { a: {} } }),
      () => saved.then(() => ({ create: 1 })),
      async ({ seen }) => {
        const up = start("up");
        await until("an operation", () => (seen.length > 0 ? true : undefined));
        up.interrupt();
        await until("the cancellation", () => (up.said.includes("cancelling") ? true : undefined));
        up.interrupt();
        const { code, out, said: text } = await up.ended;
        assert.deepEqual([code, out], [1, ""]);
        assert.match(text, /the run goes on without this command/);
        save({});
        await until("the report", async () => {
          const { answer } = await said("status");
          return answer?.["summary"] === "up of 1 stacks: 1 done" ? true : undefined;
        });
      },
    );
  });

  it("schedules drift, and removes the schedule", async () => {
    await played(
      file({ stacks: { a: {} } }),
      () => Promise.resolve({ update: 1 }),
      async ({ fleet, seen }) => {
        for (const every of ["48h", "24h"]) assert.equal((await said("schedule", "--every", every)).code, 0);
        const handle = client.schedule.getHandle(`frontdoor-fleet/${fleet.name}/drift`);
        const { spec } = await handle.describe();
        assert.deepEqual(
          spec.intervals?.map(({ every }) => every),
          [86_400_000],
        );
        await handle.trigger();
        await until("a run", () => (seen.length > 0 ? true : undefined));
        const status = await until("the report", async () => {
          const { code, answer } = await said("status");
          return answer?.["summary"] === "drift of 1 stacks: 1 done" ? code : undefined;
        });
        assert.equal(status, 1);
        assert.equal((await said("schedule", "--remove")).code, 0);
        await assert.rejects(handle.describe());
      },
    );
  });

  it("tells by its exit code what is wrong", async () => {
    file({ stacks: { a: {} } });
    assert.equal((await said("plan")).code, 0);
    assert.equal((await said("up", "--nonsense")).code, 2);
    assert.equal((await said("up", "--stack", "nobody")).code, 2);
    assert.equal((await said("destroy")).code, 2);
    assert.equal((await said("status")).code, 1);
    for (const command of ["up", "worker"]) {
      const away = new Running([beside("main"), "--file", join(own, "fleet.yaml"), command], own, {
        ...process.env,
        TEMPORAL_ADDRESS: "127.0.0.1:1",
      });
      const { code, said: text } = await away.ended;
      assert.equal(code, 3, text);
      assert.match(text, /Temporal at 127\.0\.0\.1:1 can't be reached/);
    }
  });
});
