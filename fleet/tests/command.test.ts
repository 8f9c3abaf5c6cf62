import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Context } from "@temporalio/activity";
import { stringify } from "yaml";
import { Running } from "../lab/lab.ts";
import { until } from "../lab/processes.ts";
import { noTemporal } from "../lab/temporal.ts";
import { beside } from "../src/beside.ts";
import type { FleetFile } from "../src/fleet.ts";
import type { Report } from "../src/operation.ts";
import { openStage, type Stage, texts } from "./stage.ts";

let stage: Stage;

before(async () => {
  if (!noTemporal) stage = await openStage();
});

after(async () => {
  if (!noTemporal) await stage.close();
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
