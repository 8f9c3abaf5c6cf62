import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApplicationFailure, CancelledFailure, Context } from "@temporalio/activity";
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { stringify } from "yaml";
import { kill, type Running, start as startProcess } from "../../tests/harness/command";
import type { FleetFile } from "../src/fleet";
import { type Report, runId, waveId } from "../src/operation";
import { approveSignal, reportQuery, run, scheduledRun } from "../src/workflows";
import { describeOnTemporal, openStage, type Play, refused, type Stage, texts, unreachable, until } from "./stage";

let stage: Stage;

const withStage = (...options: string[]) => {
  beforeAll(async () => {
    stage = await openStage(options);
  });
  afterAll(() => stage.close());
};

describeOnTemporal("a run", () => {
  withStage();

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
      expect([...new Set(Object.values(texts(report)))]).toEqual(["1 create"]);
      expect([order[0], order.at(-1)]).toEqual(["canary", "last"]);
      expect(Math.max(...Object.values(most))).toBeLessThanOrEqual(2);
    });
  });

  it("skips what needs a stack of an earlier wave that failed, and goes on with the others", async () => {
    const waves = [{ name: "canary", stopAfter: 2 }, { name: "rest" }];
    const stacks = { c: { wave: "canary" }, r: { dependsOn: ["c"] }, s: { dependsOn: ["r"] }, t: {} };
    const play: Play = ({ stack: { name } }) => (name === "c" ? Promise.reject(refused()) : Promise.resolve({}));
    await stage.played({ waves, stacks }, play, async ({ start }) => {
      expect(texts(await (await start()).result())).toEqual({
        ...{ c: "failed: 403 not_found", r: "skipped: needs c, which did not succeed" },
        ...{ s: "skipped: needs r, which did not succeed", t: "unchanged" },
      });
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
        expect(texts(await (await start()).result())).toEqual({
          refused: "failed: 403 not_found",
          away: "1 create, attempt 2",
        });
        expect(seen.filter(({ isAfterLoss }) => isAfterLoss)).toEqual([]);
      },
    );
  });

  it("shows no control sequences of a failure, whoever reported it", async () => {
    const play: Play = () => Promise.reject(ApplicationFailure.nonRetryable("a\u001b[2Jb\u009b31mc\u202e", "failed"));
    await stage.played({ stacks: { a: {} } }, play, async ({ start }) => {
      expect(texts(await (await start()).result())).toEqual({ a: "failed: abc" });
    });
  });

  it("stops before the next wave where the canary failed", async () => {
    const waves = [{ name: "canary" }, { name: "rest" }];
    await stage.played(
      { waves, stacks: { c: { wave: "canary" }, r: {} } },
      () => Promise.reject(refused()),
      async ({ start, seen }) => {
        expect(texts(await (await start()).result())).toEqual({
          c: "failed: 403 not_found",
          r: "skipped: wave canary was stopped: 1 failed",
        });
        expect(seen.length).toBe(1);
      },
    );
  });

  it.each(["drift", "preview", "refresh"] as const)("stops at no failed stack if it is a %s", async (operation) => {
    const waves = [{ name: "canary" }, { name: "rest" }];
    const stacks = {
      c: { wave: "canary" },
      d: { wave: "canary", dependsOn: ["c"] },
      r: {},
      s: { dependsOn: ["c"] },
      t: {},
    };
    const play: Play = ({ stack: { name } }) => (/[cr]/.test(name) ? Promise.reject(refused()) : Promise.resolve({}));
    await stage.played({ waves, stacks, limits: { perFrontDoor: 1 } }, play, async ({ start }) => {
      expect(texts(await (await start(operation)).result())).toEqual({
        ...{ c: "failed: 403 not_found", d: "unchanged" },
        ...{ r: "failed: 403 not_found", s: "unchanged", t: "unchanged" },
      });
    });
  });

  it("waits for an approval before up, and not before a preview", async () => {
    const waves = [{ name: "all", approve: true }];
    await stage.played(
      { waves, stacks: { a: {} } },
      () => Promise.resolve({}),
      async ({ start, seen }) => {
        await (await start("preview")).result();
        expect(seen.length).toBe(1);
        const handle = await start();
        await until("the run to wait", async () =>
          (await handle.query(reportQuery)).awaiting === "all" ? true : undefined,
        );
        expect(seen.length).toBe(1);
        await handle.signal(approveSignal, "all");
        expect(texts(await handle.result())).toEqual({ a: "unchanged" });
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
      expect(texts(await handle.result())).toEqual({ a: "cancelled: cancelled", b: "cancelled" });
      expect(seen.length).toBe(1);
    });
  });

  it("tells the next attempts which machines it has lost a worker on, until the attempts are used up", async () => {
    const play: Play = ({ stack: { name } }, attempt) => {
      if (name === "back" && attempt === 2) return Promise.resolve({ create: 1 });
      Context.current().heartbeat({ done: 0, underWay: 1, host: `machine-${attempt}` });
      return Context.current().cancelled;
    };
    const labels = { silent: "yes" };
    const file = {
      stacks: { back: { labels }, gone: { labels } },
      limits: { attempts: 3 },
      waves: [{ name: "all", stopAfter: 2 }],
    };
    await stage.played(file, play, async ({ start, seen }) => {
      expect(texts(await (await start()).result())).toEqual({
        back: "1 create, attempt 2",
        gone: "failed, attempt 3: its worker is silent",
      });
      const told = (stack: string) =>
        seen
          .filter((each) => each.stack.name === stack)
          .map(({ isAfterLoss, lostHosts }) => ({ isAfterLoss, lostHosts }));
      const first = { isAfterLoss: false, lostHosts: [] };
      const second = { isAfterLoss: true, lostHosts: ["machine-1"] };
      expect(told("back")).toEqual([first, second]);
      expect(told("gone")).toEqual([first, second, { isAfterLoss: true, lostHosts: ["machine-1", "machine-2"] }]);
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
        const options = { taskQueue: runId(fleet.name), args: [input] as [typeof input] };
        const first = await stage.client.workflow.start(run, { ...options, workflowId });
        await expect(stage.client.workflow.start(run, { ...options, workflowId })).rejects.toThrow(
          WorkflowExecutionAlreadyStartedError,
        );
        const second = await stage.client.workflow.execute(scheduledRun, { ...options, workflowId: "scheduled" });
        expect(second).toBe("left out: another run of this fleet was under way");
        end({});
        await first.result();
        const third = await stage.client.workflow.execute(scheduledRun, { ...options, workflowId: "scheduled-again" });
        expect((third as Report).operation).toBe("drift");
      },
    );
  });
});

describeOnTemporal("a wave with a long history", () => {
  withStage("--dynamic-config-value", "limit.historyCount.suggestContinueAsNew=60");

  const stacks = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `s${at}`,
      { frontDoor: `fd-${at % 6}`, dependsOn: at > 5 ? [`s${at - 6}`] : [] },
    ]),
  );
  const historiesOf = async ({ name }: { name: string }) =>
    (await stage.client.workflow.count(`WorkflowId = '${waveId(name, "all")}'`)).count;

  it("goes on with a new one, and does each stack once", async () => {
    const play: Play = (_, attempt) => (attempt === 1 ? Promise.reject(unreachable()) : Promise.resolve({ create: 1 }));
    await stage.played({ stacks }, play, async ({ start, seen, fleet }) => {
      const report = await (await start()).result();
      expect(new Set(Object.values(texts(report)))).toEqual(new Set(["1 create, attempt 2"]));
      expect(seen.length).toBe(120);
      expect(await historiesOf(fleet)).toBeGreaterThan(3);
    });
  });

  it("counts the failures of all of them", async () => {
    const waves = [{ name: "all", stopAfter: 2 }];
    const play: Play = ({ stack: { name } }) =>
      name === "s0" || name === "s55" ? Promise.reject(refused()) : Promise.resolve({});
    await stage.played({ stacks, waves }, play, async ({ start, fleet }) => {
      const all = Object.entries(texts(await (await start()).result()));
      expect(all.filter(([, text]) => text.startsWith("failed")).map(([name]) => name)).toEqual(["s0", "s55"]);
      expect(all.filter(([, text]) => text === "unchanged").length).toBeGreaterThan(40);
      expect(await historiesOf(fleet)).toBeGreaterThan(1);
    });
  });
});

describeOnTemporal("a namespace with the search attributes of a run", () => {
  withStage("--search-attribute", "FrontdoorFleet=Keyword", "--search-attribute", "FrontdoorOperation=Keyword");

  it("tells runs apart by them, with their waves, scheduled ones too", async () => {
    const own = mkdtempSync(join(stage.folder, "attributes-"));
    const file = { defaults: { program: "p", frontDoor: "fd-1" }, stacks: { a: {} } };
    const env = { ...process.env, TEMPORAL_ADDRESS: stage.temporal.address, FRONTDOOR_FLEET_KEY: "none" };
    const command = (...args: string[]) => startProcess("node", [stage.command, ...args], { cwd: own, env }).end;
    const counted = async (name: string, operation: string) =>
      (await stage.client.workflow.count(`FrontdoorFleet = "${name}" AND FrontdoorOperation = "${operation}"`)).count;
    await stage.played(
      file,
      () => Promise.resolve({}),
      async ({ fleet: { name }, seen }) => {
        writeFileSync(join(own, "fleet.yaml"), stringify({ name, ...file }));
        expect((await command("up")).code).toBe(0);
        expect((await command("schedule", "--every", "24h")).code).toBe(0);
        await stage.client.schedule.getHandle(`frontdoor-fleet/${name}/drift`).trigger();
        await until("the scheduled run", () => (seen.length > 1 ? true : undefined));
        expect((await command("schedule", "--remove")).code).toBe(0);
        // Temporal's index can lag behind.
        await until("run and wave", async () => ((await counted(name, "up")) === 2 ? true : undefined));
        await until("schedule, run and wave", async () => ((await counted(name, "drift")) === 3 ? true : undefined));
      },
    );
  });
});

describeOnTemporal("two teams in one namespace", () => {
  withStage();

  it("have workers that take only the stacks of their own fleet", async () => {
    const own = mkdtempSync(join(stage.folder, "teams-"));
    const env = { ...process.env, TEMPORAL_ADDRESS: stage.temporal.address, FRONTDOOR_FLEET_KEY: "none" };
    const workers: Running[] = [];
    const worker = async (fleet: string) => {
      const begun = startProcess("node", [stage.command, "worker", "--fleet", fleet], { cwd: own, env });
      workers.push(begun);
      await begun.says(/stacks at a time/);
    };
    const command = async (...args: string[]) => {
      const { stdout } = await startProcess("node", [stage.command, "--json", ...args], { cwd: own, env }).end;
      return stdout;
    };
    writeFileSync(
      join(own, "fleet.yaml"),
      stringify({ name: "ours", stacks: { a: { program: "p", frontDoor: "fd-1" } } }),
    );
    try {
      await worker("theirs");
      const up = command("up");
      await until("the run", async () => ((await command("status")).includes("[no-worker]") ? true : undefined));
      await worker("ours");
      expect(texts(JSON.parse(await up) as Report)["a"]).toMatch(/^failed: p: .*\[worker-no-program\]/);
    } finally {
      for (const { pid } of workers) kill(pid, "SIGTERM");
      await Promise.all(workers.map(({ end }) => end));
    }
  });
});

describeOnTemporal("the command", () => {
  withStage();

  let own = "";
  const env = () => ({ ...process.env, TEMPORAL_ADDRESS: stage.temporal.address, FRONTDOOR_FLEET_KEY: "none" });
  const start = (...args: string[]) =>
    startProcess("node", [stage.command, "--file", join(own, "fleet.yaml"), "--json", ...args], {
      cwd: own,
      env: env(),
    });
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await start(...args).end;
    return { code, answer: stdout === "" ? undefined : (JSON.parse(stdout) as Record<string, unknown>), text: stderr };
  };
  const file = (more: object) => {
    own = mkdtempSync(join(stage.folder, "command-"));
    const name = stage.nextName();
    const rest = { defaults: { program: "p", frontDoor: "fd-1" }, ...more };
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
        expect(second.code).toBe(1);
        expect(JSON.stringify(second.answer)).toMatch(/another run of this fleet is under way/);
        expect((await said("approve", "nowhere")).code).toBe(2);
        expect((await said("approve", "all")).answer).toEqual({ approved: "all" });
        const { code, stdout } = await up.end;
        expect(code).toBe(0);
        const report = JSON.parse(stdout) as Report & { summary: string };
        expect([texts(report), report.summary]).toEqual([{ a: "2 create" }, "up of 1 stacks: 1 done"]);
        expect((await said("status")).answer?.["summary"]).toBe(report.summary);
      },
    );
  });

  it("cancels with exit code 1 where a stack has failed", async () => {
    await stage.played(
      file({ waves: [{ name: "all", stopAfter: 2 }], stacks: { a: {}, b: {} } }),
      ({ stack: { name } }) => (name === "a" ? Promise.reject(refused()) : Context.current().cancelled),
      async ({ seen }) => {
        const up = start("up");
        await until("the operations", () => (seen.length > 1 ? true : undefined));
        await until("the failure", async () =>
          ((await said("status")).answer?.["summary"] as string).includes("1 failed") ? true : undefined,
        );
        const { code, answer } = await said("cancel");
        expect([code, answer?.["summary"]]).toEqual([1, "up of 2 stacks: 1 failed, 1 cancelled"]);
        expect((await up.end).code).toBe(1);
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
        expect([code, answer?.["summary"]]).toEqual([0, "up of 2 stacks: 2 cancelled"]);
        expect((await up.end).code).toBe(1);
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
        kill(up.pid, "SIGINT");
        await up.says(/cancelling/);
        kill(up.pid, "SIGINT");
        const { code, stdout, stderr } = await up.end;
        expect([code, stdout]).toEqual([1, ""]);
        expect(stderr).toMatch(/the run goes on without this command/);
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
        for (const every of ["48h", "24h"]) expect((await said("schedule", "--every", every)).code).toBe(0);
        expect((await said("status")).text).not.toContain("fleet-schedule");
        const handle = stage.client.schedule.getHandle(`frontdoor-fleet/${fleet.name}/drift`);
        const { spec } = await handle.describe();
        expect(spec.intervals?.map(({ every }) => every)).toEqual([86_400_000]);
        await handle.trigger();
        await until("a run", () => (seen.length > 0 ? true : undefined));
        const status = await until("the report", async () => {
          const { code, answer } = await said("status");
          // A run whose stacks are done is under way for a moment longer, and a status has its exit code only at the end.
          const isOver = answer !== undefined && !("underWay" in answer);
          return isOver && answer["summary"] === "drift of 1 stacks: 1 done" ? code : undefined;
        });
        expect(status).toBe(1);
        const path = join(own, "fleet.yaml");
        writeFileSync(path, readFileSync(path, "utf8").replace("a: {}", "a: {}\n  b: {}"));
        expect((await said("status")).text).toMatch(/has another fleet than the file.*\[fleet-schedule\]/);
        expect((await said("schedule", "--remove")).code).toBe(0);
        await expect(handle.describe()).rejects.toThrow();
      },
    );
  });

  it("tells by its exit code what is wrong", async () => {
    file({ stacks: { a: {} } });
    expect((await said("plan")).code).toBe(0);
    expect((await said("up", "--nonsense")).code).toBe(2);
    expect((await said("up", "--stack", "nobody")).code).toBe(2);
    expect((await said("destroy")).code).toBe(2);
    expect((await said("status")).code).toBe(1);
    const unreachable = { ...env(), TEMPORAL_ADDRESS: "127.0.0.1:1" };
    const away = startProcess("node", [stage.command, "worker", "--fleet", "f"], { cwd: own, env: unreachable });
    const { code, stderr } = await away.end;
    expect(code).toBe(3);
    expect(stderr).toMatch(/Temporal at 127\.0\.0\.1:1 can't be reached/);
  });
});
