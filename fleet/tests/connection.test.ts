import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApplicationFailure, Context } from "@temporalio/activity";
import { Client, type WorkflowHandle } from "@temporalio/client";
import type { Payload, SerializationContext } from "@temporalio/common";
import { stringify } from "yaml";
import { noTemporal, Running, until } from "../lab/lab.ts";
import { beside, dataConverterOf, EncryptingCodec, openClient, openWorkerConnection } from "../src/connection.ts";
import { run } from "../src/workflows.ts";
import { openStage, type Play, type Stage, texts } from "./stage.ts";

describe("a connection to Temporal", () => {
  afterEach(() => {
    for (const name of ["TEMPORAL_ADDRESS", "TEMPORAL_TLS", "TEMPORAL_API_KEY"])
      Reflect.deleteProperty(process.env, name);
  });

  for (const address of [
    "192.0.2.1:7233",
    "temporal.invalid:7233",
    "127.0.0.1.evil.invalid:7233",
    "[2001:db8::1]:7233",
  ])
    it(`is refused in plain text to ${address}`, async () => {
      process.env["TEMPORAL_ADDRESS"] = address;
      await assert.rejects(openClient, /\[temporal-plain-text\]/);
      await assert.rejects(openWorkerConnection, /\[temporal-plain-text\]/);
      Object.assign(process.env, { TEMPORAL_API_KEY: "key", TEMPORAL_TLS: "false" });
      await assert.rejects(openClient, /\[temporal-plain-text\]/);
    });

  it("is tried in plain text on this machine, and by TLS elsewhere", async () => {
    for (const address of ["127.0.0.1:1", "localhost:1", "[::1]:1"]) {
      process.env["TEMPORAL_ADDRESS"] = address;
      await assert.rejects(openWorkerConnection, /can't be reached/);
    }
    Object.assign(process.env, { TEMPORAL_ADDRESS: "temporal.invalid:7233", TEMPORAL_TLS: "true" });
    await assert.rejects(openWorkerConnection, /can't be reached/);
  });
});

const payload = { metadata: { encoding: Buffer.from("json/plain") }, data: Buffer.from('"canary"') };
const key = Buffer.alloc(32, 7);
const here: SerializationContext = { type: "workflow", namespace: "prod", workflowId: "frontdoor-fleet/shops" };
const activity = (activityId: string): SerializationContext => ({
  ...{ type: "activity", namespace: "prod", workflowId: "frontdoor-fleet/shops", isLocal: false, activityId },
});

describe("the codec", () => {
  const codec = new EncryptingCodec(key);

  it("encrypts a payload, and gives it back", async () => {
    const [sealed = {}] = await codec.encode([payload], here);
    assert.doesNotMatch(Buffer.from(sealed.data ?? []).toString("latin1"), /canary|json/);
    assert.deepEqual(await codec.decode([sealed], here), [payload]);
  });

  it("refuses a payload that is not encrypted", async () => {
    await assert.rejects(
      codec.decode([payload], here),
      /Cancel the runs and schedules that were started without the key\. \[payload-not-encrypted\]/,
    );
    await assert.rejects(codec.decode([{}], here), /\[payload-not-encrypted\]/);
  });

  it("does not open a changed payload, or one that another key has sealed", async () => {
    const [sealed = {}] = await codec.encode([payload], here);
    const changed = Buffer.from(sealed.data ?? []);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    await assert.rejects(codec.decode([{ ...sealed, data: changed }], here));
    await assert.rejects(new EncryptingCodec(Buffer.alloc(32, 8)).decode([sealed], here));
  });

  const others: [where: string, made: SerializationContext | undefined, opened: SerializationContext][] = [
    ["another namespace", here, { ...here, namespace: "test" }],
    ["another workflow", here, { ...here, workflowId: "frontdoor-fleet/other" }],
    ["another activity", activity("paris/up"), activity("rome/up")],
    ["an activity instead of its workflow", here, activity("paris/up")],
    ["a workflow instead of none", undefined, here],
  ];
  for (const [where, made, opened] of others)
    it(`does not open a payload in ${where}`, async () => {
      const sealed = await codec.encode([payload], made);
      await assert.rejects(codec.decode(sealed, opened));
      assert.deepEqual(await codec.decode(sealed, made), [payload]);
    });

  it("opens what a schedule holds in the workflows that the schedule starts, and in no other schedule's", async () => {
    const schedule = { ...here, workflowId: "frontdoor-fleet/shops/drift" };
    const started = { ...here, workflowId: "frontdoor-fleet/shops/drift-2026-11-24T17:00:00Z" };
    const sealed = await codec.encode([payload], schedule);
    assert.deepEqual(await codec.decode(sealed, started), [payload]);
    await assert.rejects(
      codec.decode(sealed, { ...started, workflowId: started.workflowId.replace("shops", "other") }),
    );
  });

  it("is there only with a key of 32 bytes", () => {
    assert.equal(dataConverterOf({}).payloadCodecs, undefined);
    assert.equal(dataConverterOf({ FRONTDOOR_FLEET_KEY: key.toString("base64") }).payloadCodecs?.length, 1);
    assert.throws(() => dataConverterOf({ FRONTDOOR_FLEET_KEY: "short" }), /32 bytes/);
  });
});

const FRONTDOOR_FLEET_KEY = Buffer.alloc(32, 5).toString("base64");
const dataConverter = dataConverterOf({ FRONTDOOR_FLEET_KEY });
let stage: Stage;

before(async () => {
  if (!noTemporal) stage = await openStage();
});

after(async () => {
  if (!noTemporal) await stage.close();
});

/** Waits until a worker has refused to read the workflow's input; why, which the worker has encrypted. */
const refusalOf = (handle: WorkflowHandle) =>
  until("the refusal", async () => {
    const { events } = await handle.fetchHistory();
    const failed = events?.find(({ workflowTaskFailedEventAttributes: each }) => each);
    const why = failed?.workflowTaskFailedEventAttributes?.failure?.encodedAttributes;
    const [opened] = why ? ((await dataConverter.payloadCodecs?.[0]?.decode([why])) ?? []) : [];
    return opened && Buffer.from(opened.data ?? []).toString("utf8");
  });

describe("with a key", { timeout: 300_000, skip: noTemporal }, () => {
  const up: Play = () => Promise.resolve({ create: 1 });

  it("a run that was started without the key does nothing", async () => {
    await stage.played(
      { stacks: { a: {} } },
      up,
      async ({ start, seen }) => {
        const handle = await start();
        assert.match(await refusalOf(handle), /\[payload-not-encrypted\]/);
        await handle.terminate();
        assert.deepEqual(seen, []);
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
        const options = { args: [input] as [typeof input], taskQueue: fleet.queue };
        const sealing = new Client({ connection, dataConverter });
        await sealing.workflow.execute(run, { ...options, workflowId: fleet.name });
        assert.equal(seen.length, 1);
        const { events } = await sealing.workflow.getHandle(fleet.name).fetchHistory();
        const stolen = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
        const codec = { encode: () => Promise.resolve(stolen), decode: (all: Payload[]) => Promise.resolve(all) };
        const thief = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
        const handle = await thief.workflow.start(run, { ...options, workflowId: `${fleet.name}-other` });
        assert.match(await refusalOf(handle), /unable to authenticate/);
        await handle.terminate();
        assert.equal(seen.length, 1);
      },
      dataConverter,
    );
  });

  it("a run is unreadable at Temporal, failures and progress included", async () => {
    const words = { name: "veiled-stack", frontDoor: "veiled-door", reason: "veiled reason" };
    const play: Play = async () => {
      Context.current().heartbeat({ note: "veiled progress" });
      await sleep(1000);
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
        const options = { taskQueue: fleet.queue, args: [input] as [typeof input], workflowId: fleet.name };
        const report = await veiled.workflow.execute(run, options);
        assert.deepEqual(texts(report), { [words.name]: "failed: veiled reason" });
        const kept = [stage.temporal.database, `${stage.temporal.database}-wal`].filter((file) => existsSync(file));
        const text = kept.map((file) => readFileSync(file, "latin1")).join("");
        // The activity's id is Temporal's to see; what it is about is not.
        assert.ok(text.includes(fleet.name));
        for (const word of [words.frontDoor, words.reason, "veiled progress"]) assert.ok(!text.includes(word), word);
      },
      dataConverter,
    );
  });

  it("commands and workers understand each other", async () => {
    const own = mkdtempSync(join(stage.folder, "key-"));
    const name = stage.nextName();
    const labels = { silent: "yes" };
    const file = {
      ...{ queue: name, defaults: { program: "p", frontDoor: "fd-1" } },
      ...{ waves: [{ name: "all", approve: true }], stacks: { a: { labels } } },
    };
    writeFileSync(join(own, "fleet.yaml"), stringify({ name, ...file }));
    const env = { ...process.env, TEMPORAL_ADDRESS: stage.temporal.address, FRONTDOOR_FLEET_KEY };
    const command = async (...args: string[]) => {
      const { out, said } = await new Running([beside("main"), "--json", ...args], own, env).ended;
      return out === "" ? { said } : (JSON.parse(out) as Record<string, unknown>);
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
        assert.deepEqual(await command("approve", "all"), { approved: "all" });
        await shows("2 resources done, 1 under way");
        save({});
        assert.equal((await going)["summary"], "up of 1 stacks: 1 done");
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
