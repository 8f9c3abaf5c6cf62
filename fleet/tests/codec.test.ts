import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SerializationContext } from "@temporalio/common";
import { dataConverterOf, EncryptingCodec } from "../src/codec.ts";

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
