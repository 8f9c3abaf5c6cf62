import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApplicationFailure, Context } from "@temporalio/activity";
import { Client, type WorkflowHandle } from "@temporalio/client";
import type { Payload } from "@temporalio/common";
import { stringify } from "yaml";
import { start } from "../../tests/harness/command";
import { dataConverterOf } from "../src/temporal";
import { runId, waveId } from "../src/operation";
import { run } from "../src/workflows";
import { describeOnTemporal, openStage, type Play, type Stage, texts, until } from "./stage";

const FRONTDOOR_FLEET_KEY = Buffer.alloc(32, 5).toString("base64");
const dataConverter = dataConverterOf({ FRONTDOOR_FLEET_KEY });
let stage: Stage;

/** Waits until a worker has refused to read the workflow's input; why, which the worker has encrypted. */
const refusalOf = (handle: WorkflowHandle) =>
  until("the refusal", async () => {
    const { events } = await handle.fetchHistory();
    const failed = events?.find(({ workflowTaskFailedEventAttributes: each }) => each);
    const why = failed?.workflowTaskFailedEventAttributes?.failure?.encodedAttributes;
    const [opened] = why ? ((await dataConverter.payloadCodecs?.[1]?.decode([why])) ?? []) : [];
    return opened && Buffer.from(opened.data ?? []).toString("utf8");
  });

describeOnTemporal("with a key", () => {
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const up: Play = () => Promise.resolve({ create: 1 });

  it("a run that was started without the key does nothing", async () => {
    await stage.played(
      { stacks: { a: {} } },
      up,
      async ({ start, seen }) => {
        const handle = await start();
        expect(await refusalOf(handle)).toMatch(/\[payload-not-encrypted\]/);
        await handle.terminate();
        expect(seen).toEqual([]);
      },
      dataConverter,
    );
  });

  it("a run that was started with another fleet's input does nothing", async () => {
    await stage.played(
      { stacks: { a: {} } },
      up,
      async ({ fleet, seen }) => {
        const { connection } = stage.client;
        const input = { fleet, operation: "up" as const, stacks: ["a"] };
        const options = { args: [input] as [typeof input], taskQueue: runId(fleet.name) };
        const sealing = new Client({ connection, dataConverter });
        await sealing.workflow.execute(run, { ...options, workflowId: fleet.name });
        expect(seen.length).toBe(1);
        const { events } = await sealing.workflow.getHandle(fleet.name).fetchHistory();
        const stolen = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
        const codec = { encode: () => Promise.resolve(stolen), decode: (all: Payload[]) => Promise.resolve(all) };
        const thief = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
        const handle = await thief.workflow.start(run, { ...options, workflowId: `${fleet.name}-other` });
        expect(await refusalOf(handle)).toMatch(/or belongs to another run\..*\[fleet-key\]/);
        await handle.terminate();
        expect(seen.length).toBe(1);
      },
      dataConverter,
    );
  });

  it("a run is unreadable at Temporal, failures and progress included", async () => {
    const words = { name: "veiled-stack", frontDoor: "veiled-door", reason: "veiled reason" };
    const { promise: beaten, resolve: end } = Promise.withResolvers<object>();
    const play: Play = async () => {
      Context.current().heartbeat({ note: "veiled progress" });
      await beaten;
      throw ApplicationFailure.create({ type: "failed", message: words.reason, nonRetryable: true });
    };
    const stacks = { [words.name]: { frontDoor: words.frontDoor } };
    await stage.played(
      { stacks },
      play,
      async ({ fleet }) => {
        const { connection: same } = stage.client;
        const veiled = new Client({ connection: same, dataConverter });
        const input = { fleet, operation: "up" as const, stacks: [words.name] };
        const options = { taskQueue: runId(fleet.name), args: [input] as [typeof input], workflowId: fleet.name };
        const handle = await veiled.workflow.start(run, options);
        await until("the heartbeat at Temporal", async () => {
          const wave = veiled.workflow.getHandle(waveId(fleet.name, "all"));
          const raw = await wave.describe().then(
            (described) => described.raw,
            () => undefined,
          );
          return raw?.pendingActivities?.some(({ heartbeatDetails }) => heartbeatDetails) ? true : undefined;
        });
        end({});
        expect(texts(await handle.result())).toEqual({ [words.name]: "failed: veiled reason" });
        const kept = [stage.temporal.database, `${stage.temporal.database}-wal`].filter((file) => existsSync(file));
        const text = kept.map((file) => readFileSync(file, "latin1")).join("");
        // The activity's id is Temporal's to see; what it is about is not.
        expect(text).toContain(fleet.name);
        const shown = [words.frontDoor, words.reason, "veiled progress"].filter((word) => text.includes(word));
        expect(shown).toEqual([]);
      },
      dataConverter,
    );
  });

  it("a run reads the machine of a lost worker", async () => {
    const play: Play = (_, attempt) => {
      if (attempt === 2) return Promise.resolve({ create: 1 });
      Context.current().heartbeat({ done: 0, underWay: 1, host: "machine-1" });
      return Context.current().cancelled;
    };
    await stage.played(
      { stacks: { a: { labels: { silent: "yes" } } } },
      play,
      async ({ fleet, seen }) => {
        const sealing = new Client({ connection: stage.client.connection, dataConverter });
        const input = { fleet, operation: "up" as const, stacks: ["a"], pauseScale: 0 };
        const options = { args: [input] as [typeof input], taskQueue: runId(fleet.name), workflowId: fleet.name };
        await sealing.workflow.execute(run, options);
        expect(seen.map(({ lostHosts }) => lostHosts)).toEqual([[], ["machine-1"]]);
      },
      dataConverter,
    );
  });

  describe("and a command with another one", () => {
    const another = Buffer.alloc(32, 6).toString("base64");
    /** Twice the time that is promised, because the machine of the tests can be busy. */
    const limitMs = 20_000;
    const named = (approve: boolean) => {
      const own = mkdtempSync(join(stage.folder, "other-key-"));
      const file = {
        defaults: { program: "p", frontDoor: "fd-1" },
        waves: [{ name: "all", approve }],
        stacks: { a: {} },
      };
      writeFileSync(join(own, "fleet.yaml"), stringify({ name: stage.nextName(), ...file }));
      const command = async (key: string, ...args: string[]) => {
        const startedMs = performance.now();
        const env = { ...process.env, TEMPORAL_ADDRESS: stage.temporal.address, FRONTDOOR_FLEET_KEY: key };
        const ended = await start("node", [stage.command, ...args], { cwd: own, env }).end;
        if (key !== FRONTDOOR_FLEET_KEY) expect(performance.now() - startedMs).toBeLessThan(limitMs);
        return ended;
      };
      return { file, command };
    };

    it.each([
      ["a key", another],
      ["the key of a lab", "none"],
    ])(
      "up with %s says that the workers have another key, and ends the run that no worker can begin",
      async (_, key) => {
        const { file, command } = named(false);
        await stage.played(
          file,
          up,
          async ({ seen }) => {
            const { code, stderr: said } = await command(key, "up");
            expect(said).toMatch(
              /the workers of this fleet have another FRONTDOOR_FLEET_KEY .*No stack began\..*\[fleet-key\]\n$/,
            );
            expect([code, seen.length]).toEqual([3, 0]);
            const again = await command(FRONTDOOR_FLEET_KEY, "up");
            expect([again.code, seen.length]).toEqual([0, 1]);
          },
          dataConverter,
        );
      },
    );

    it("status, approve and cancel name the key, and leave the run as it is", async () => {
      const { file, command } = named(true);
      await stage.played(
        file,
        up,
        async ({ seen }) => {
          const running = command(FRONTDOOR_FLEET_KEY, "up");
          await until("the run to wait", async () =>
            (await command(FRONTDOOR_FLEET_KEY, "status")).stdout.includes("waiting") ? true : undefined,
          );
          for (const args of [["status"], ["approve", "all"], ["cancel"]]) {
            const { code, stderr: said } = await command(another, ...args);
            expect([code, said]).toEqual([
              3,
              expect.stringMatching(/FRONTDOOR_FLEET_KEY does not open .*\[fleet-key\]\n$/),
            ]);
          }
          expect((await command(FRONTDOOR_FLEET_KEY, "approve", "all")).code).toBe(0);
          expect([(await running).code, seen.length]).toEqual([0, 1]);
        },
        dataConverter,
      );
    });
  });

  it("commands and workers understand each other", async () => {
    const own = mkdtempSync(join(stage.folder, "key-"));
    const name = stage.nextName();
    const labels = { silent: "yes" };
    const file = {
      defaults: { program: "p", frontDoor: "fd-1" },
      ...{ waves: [{ name: "all", approve: true }], stacks: { a: { labels } } },
    };
    writeFileSync(join(own, "fleet.yaml"), stringify({ name, ...file }));
    const env = { ...process.env, TEMPORAL_ADDRESS: stage.temporal.address, FRONTDOOR_FLEET_KEY };
    const command = async (...args: string[]) => {
      const { stdout, stderr } = await start("node", [stage.command, "--json", ...args], { cwd: own, env }).end;
      return stdout === "" ? { stderr } : (JSON.parse(stdout) as Record<string, unknown>);
    };
    const { promise: saved, resolve: save } = Promise.withResolvers<object>();
    const play: Play = async ({ operation }): Promise<Record<string, number>> => {
      if (operation === "drift") return { update: 1 };
      Context.current().heartbeat({ done: 2, underWay: 1 });
      await saved;
      return { create: 3 };
    };
    const shows = (value: string) =>
      until(value, async () => (JSON.stringify(await command("status")).includes(value) ? true : undefined));
    await stage.played(
      file,
      play,
      async () => {
        const going = command("up");
        await shows('"awaiting":"all"');
        expect(await command("approve", "all")).toEqual({ approved: "all" });
        await shows("2 resources done, 1 under way");
        save({});
        expect((await going)["summary"]).toBe("up of 1 stacks: 1 done");
        await command("schedule", "--every", "24h");
        await stage.client.schedule.getHandle(`frontdoor-fleet/${name}/drift`).trigger();
        await shows("drift of 1 stacks: 1 done");
        await command("schedule", "--every", "48h");
        await command("schedule", "--remove");
      },
      dataConverter,
    );
  });
});
