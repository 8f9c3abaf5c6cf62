import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { DataConverter, Payload, PayloadCodec, SerializationContext } from "@temporalio/common";
import { beside } from "./beside.ts";

const encoding = Buffer.from("binary/encrypted");
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypts all that Temporal keeps of a run (AES-256-GCM). A ciphertext opens only in the namespace, the workflow and the activity that
 * it was made for. The codec refuses a payload that is not encrypted.
 */
export class EncryptingCodec implements PayloadCodec {
  private readonly key: Buffer;

  constructor(key: Buffer) {
    this.key = key;
  }

  encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.resolve(payloads).then((all) => all.map((each) => this.encrypted(each, placeOf(context))));
  }

  decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.resolve(payloads).then((all) => all.map((each) => this.decrypted(each, placeOf(context))));
  }

  private encrypted({ metadata = {}, data }: Payload, place: Buffer): Payload {
    const plain = {
      metadata: mapped(metadata ?? {}, (each) => Buffer.from(each).toString("base64")),
      data: text(data),
    };
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.key, iv).setAAD(place);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(plain), "utf8"), cipher.final()]);
    return { metadata: { encoding }, data: Buffer.concat([iv, cipher.getAuthTag(), sealed]) };
  }

  /** @throws Error unless this key has sealed the payload for this place */
  private decrypted({ metadata, data }: Payload, place: Buffer): Payload {
    if (!Buffer.from(metadata?.["encoding"] ?? []).equals(encoding))
      throw new Error(
        "Temporal holds a payload that is not encrypted, although FRONTDOOR_FLEET_KEY is set. The payload was not used. Cancel the runs and schedules that were started without the key. [payload-not-encrypted]",
      );
    const all = Buffer.from(data ?? []);
    const decipher = createDecipheriv("aes-256-gcm", this.key, all.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(place).setAuthTag(all.subarray(ivBytes, ivBytes + tagBytes));
    const opened = Buffer.concat([decipher.update(all.subarray(ivBytes + tagBytes)), decipher.final()]);
    const plain = JSON.parse(opened.toString("utf8")) as { metadata: Record<string, string>; data: string | null };
    return {
      metadata: mapped(plain.metadata, (each) => Buffer.from(each, "base64")),
      data: plain.data === null ? undefined : Buffer.from(plain.data, "base64"),
    };
  }
}

/** Matches the time that a schedule adds to the ids of its workflows. */
const startTime = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Names the place that a ciphertext is bound to. Temporal's SDK gives no context when a worker reports that it could not read a workflow's
 * input: such a report opens in no workflow.
 */
function placeOf(context: SerializationContext | undefined): Buffer {
  const activityId = context?.type === "activity" ? context.activityId : undefined;
  return Buffer.from(JSON.stringify([context?.namespace, context?.workflowId?.replace(startTime, ""), activityId]));
}

const text = (data: Uint8Array | null | undefined) => (data ? Buffer.from(data).toString("base64") : null);

const mapped = <From, To>(from: Record<string, From>, change: (each: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, each]) => [key, change(each)]));

/** Returns the converter that encrypts everything with FRONTDOOR_FLEET_KEY. Clients and workers share this key. @throws Error if it is not 32 bytes in base64 */
export function dataConverterOf(env: NodeJS.ProcessEnv): DataConverter {
  const { FRONTDOOR_FLEET_KEY: given } = env;
  if (!given) return {};
  const key = Buffer.from(given, "base64");
  if (key.length !== 32)
    throw new Error(
      "FRONTDOOR_FLEET_KEY is not a key of 32 bytes in base64. Set it to the output of openssl rand -base64 32. [fleet-key]",
    );
  return { payloadCodecs: [new EncryptingCodec(key)], failureConverterPath: beside("failure-converter") };
}
