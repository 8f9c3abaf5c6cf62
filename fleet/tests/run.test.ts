import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApplicationFailure, CancelledFailure, Context } from "@temporalio/activity";
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { stringify } from "yaml";
import { noTemporal, Running, until } from "../lab/lab.ts";
import { beside } from "../src/connection.ts";
import type { FleetFile } from "../src/fleet.ts";
import type { Report } from "../src/operation.ts";
import { approveSignal, reportQuery, run, scheduledRun } from "../src/workflows.ts";
import { openStage, type Play, refused, type Stage, texts, unreachable } from "./stage.ts";

let stage: Stage;

before(async () => {
  if (!noTemporal) stage = await openStage();
});

after(async () => {
  if (!noTemporal) await stage.close();
});

/** A request timeout with which a lost engine's creates settle soon. */
const quick = { "frontdoor:requestTimeout": "2" };

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
    await stage.played({ waves, stacks, limits: { perFrontDoor: 2 } }, play, async ({ start }) => {
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
    await stage.played(
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

  it("shows no control sequences of a failure, whoever reported it", async () => {
    const play: Play = () => Promise.reject(ApplicationFailure.nonRetryable("a\u001b[2Jb\u009b31mc\u202e", "failed"));
    await stage.played({ stacks: { a: {} } }, play, async ({ start }) => {
      assert.deepEqual(texts(await (await start()).result()), { a: "failed: abc" });
    });
  });

  it("ends where the attempts are used up", async () => {
    await stage.played(
      { stacks: { away: {} }, limits: { attempts: 1 } },
      () => Promise.reject(unreachable()),
      async ({ start }) => {
        assert.deepEqual(texts(await (await start()).result()), { away: "failed: 503 from the server" });
      },
    );
  });

  it("stops before the next wave where the canary failed", async () => {
    const waves = [{ name: "canary" }, { name: "rest" }];
    await stage.played(
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
    await stage.played(
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
    await stage.played({ stacks: { a: {}, b: { dependsOn: ["a"] } } }, play, async ({ start, seen }) => {
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
      stacks: { back: { labels, config: quick }, gone: { labels, config: quick } },
      limits: { attempts: 2, lostAfterSeconds: 14 },
      waves: [{ name: "all", stopAfter: 2 }],
    };
    await stage.played(file, silent, async ({ start, seen, unlocked }) => {
      const report = await (await start()).result();
      assert.deepEqual(texts(report), {
        back: "1 create, attempt 2",
        gone: "failed, attempt 2: its worker is silent",
      });
      assert.deepEqual(
        seen.filter(({ stack }) => stack.name === "back").map(({ isAfterLoss }) => isAfterLoss),
        [false, true],
      );
      // Once before the second attempt of each, and after the last one of what is lost again.
      assert.deepEqual(unlocked.toSorted(), ["back", "gone", "gone"]);
    });
  });

  it("takes off the lock of a worker that was lost also where the next attempt never comes to the engine", async () => {
    const play: Play = (_, attempt) => (attempt === 1 ? Context.current().cancelled : Promise.reject(refused()));
    const file = {
      stacks: { a: { labels: { silent: "yes" }, config: quick } },
      limits: { attempts: 5, lostAfterSeconds: 14 },
    };
    await stage.played(file, play, async ({ start, unlocked }) => {
      assert.deepEqual(texts(await (await start()).result()), { a: "failed, attempt 2: 403 not_found" });
      assert.deepEqual(unlocked, ["a"]);
    });
  });

  it("is the only one of its fleet, and what a schedule starts meanwhile is left out", async () => {
    const { promise: held, resolve: end } = Promise.withResolvers<object>();
    await stage.played(
      { stacks: { a: {} } },
      () => held.then(() => ({})),
      async ({ fleet }) => {
        const workflowId = `frontdoor-fleet/${fleet.name}`;
        const input = { fleet, operation: "drift" as const, stacks: ["a"] };
        const options = { taskQueue: fleet.queue, args: [input] as [typeof input] };
        const first = await stage.client.workflow.start(run, { ...options, workflowId });
        await assert.rejects(
          stage.client.workflow.start(run, { ...options, workflowId }),
          WorkflowExecutionAlreadyStartedError,
        );
        const second = await stage.client.workflow.execute(scheduledRun, { ...options, workflowId: "scheduled" });
        assert.equal(second, "left out: another run of this fleet was under way");
        end({});
        await first.result();
        const third = await stage.client.workflow.execute(scheduledRun, { ...options, workflowId: "scheduled-again" });
        assert.equal((third as Report).operation, "drift");
      },
    );
  });
});

describe("the command", { timeout: 300_000, skip: noTemporal }, () => {
  let own = "";
  const env = () => ({ ...process.env, TEMPORAL_ADDRESS: stage.temporal.address });
  const start = (...args: string[]) =>
    new Running([beside("main"), "--file", join(own, "fleet.yaml"), "--json", ...args], own, env());
  const said = async (...args: string[]) => {
    const { code, out, said: text } = await start(...args).ended;
    return { code, answer: out === "" ? undefined : (JSON.parse(out) as Record<string, unknown>), text };
  };
  const file = (more: object) => {
    own = mkdtempSync(join(stage.folder, "command-"));
    const name = stage.nextName();
    const rest = { queue: name, defaults: { program: "p", frontDoor: "fd-1" }, ...more };
    writeFileSync(join(own, "fleet.yaml"), stringify({ name, ...rest }));
    return rest as Omit<FleetFile, "name">;
  };

  it("starts a run, shows it, approves a wave, and ends with the report", async () => {
    const given = file({ waves: [{ name: "all", approve: true }], stacks: { a: {} } });
    await stage.played(
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
        assert.match(JSON.stringify(second.answer), /another run of this fleet is under way/);
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
    await stage.played(
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
    await stage.played(
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
    await stage.played(
      file({ stacks: { a: {} } }),
      () => Promise.resolve({ update: 1 }),
      async ({ fleet, seen }) => {
        for (const every of ["48h", "24h"]) assert.equal((await said("schedule", "--every", every)).code, 0);
        const handle = stage.client.schedule.getHandle(`frontdoor-fleet/${fleet.name}/drift`);
        const { spec } = await handle.describe();
        assert.deepEqual(
          spec.intervals?.map(({ every }) => every),
          [86_400_000],
        );
        await handle.trigger();
        await until("a run", () => (seen.length > 0 ? true : undefined));
        const status = await until("the report", async () => {
          const { code, answer } = await said("status");
          // A run whose stacks are done is under way for a moment longer, and a status has its exit code only at the end.
          const isOver = answer !== undefined && !("underWay" in answer);
          return isOver && answer["summary"] === "drift of 1 stacks: 1 done" ? code : undefined;
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
