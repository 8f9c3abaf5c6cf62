import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { isIPv4 } from "node:net";
import { extname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { Client, Connection } from "@temporalio/client";
import type { DataConverter, Payload, PayloadCodec, SerializationContext } from "@temporalio/common";
import { loadClientConnectConfig } from "@temporalio/envconfig";
import { NativeConnection } from "@temporalio/worker";

/** Nothing answers at the address. */
export class UnreachableError extends Error {}

/** Returns Temporal's own settings: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS and others, or its configuration file. */
const settings = () => {
  const { connectionOptions, namespace = "default" } = loadClientConnectConfig();
  refuseReadable(connectionOptions, process.env);
  return { connection: connectionOptions, namespace, dataConverter: dataConverterOf(process.env) };
};

/** The key of a lab, whose Temporal is on the same machine and keeps everything in plain text. */
const noKey = "none";

/** @throws Error if there is no key, or if a connection that leaves this machine has no TLS */
function refuseReadable(
  { address = "127.0.0.1:7233", tls }: { address?: string; tls?: unknown },
  { FRONTDOOR_FLEET_KEY: key }: NodeJS.ProcessEnv,
): void {
  const host = address.replace(/:\d*$/, "");
  const isLocal = host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
  if (!isLocal && !tls)
    throw new Error(
      `Temporal at ${address} is on another machine, and TLS is off. Nothing was sent. Set TEMPORAL_TLS=true. [temporal-plain-text]`,
    );
  if (!key || (key === noKey && !isLocal))
    throw new Error(
      `FRONTDOOR_FLEET_KEY is not set, so Temporal at ${address} would keep the fleet in plain text. Nothing was sent. Set it to the output of openssl rand -base64 32, the same everywhere. [fleet-key]`,
    );
}

async function reached<T>(connecting: Promise<T>, address: string | undefined): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(
      `Temporal at ${address ?? "127.0.0.1:7233"} can't be reached (${reason}). Check TEMPORAL_ADDRESS. [temporal-unreachable]`,
    );
  }
}

/** @throws UnreachableError */
export async function openClient(): Promise<Client> {
  const { connection, namespace, dataConverter } = settings();
  const opened = await reached(Connection.connect({ connectTimeout: "10s", ...connection }), connection.address);
  return new Client({ connection: opened, namespace, dataConverter });
}

/** Opens the connection of a worker. @throws UnreachableError */
export async function openWorkerConnection(): Promise<{
  connection: NativeConnection;
  namespace: string;
  dataConverter: ReturnType<typeof dataConverterOf>;
}> {
  const { connection, ...rest } = settings();
  return { connection: await reached(NativeConnection.connect(connection), connection.address), ...rest };
}

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
    return Promise.resolve(payloads).then((all) => all.map((each) => this.encrypted(each, boundTo(context))));
  }

  decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.resolve(payloads).then((all) => all.map((each) => this.decrypted(each, boundTo(context))));
  }

  private encrypted({ metadata = {}, data }: Payload, binding: Buffer): Payload {
    const plain = {
      metadata: mapped(metadata ?? {}, (each) => Buffer.from(each).toString("base64")),
      data: text(data),
    };
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.key, iv).setAAD(binding);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(plain), "utf8"), cipher.final()]);
    return { metadata: { encoding }, data: Buffer.concat([iv, cipher.getAuthTag(), sealed]) };
  }

  /** @throws Error unless this key has sealed the payload for this workflow and activity */
  private decrypted({ metadata, data }: Payload, binding: Buffer): Payload {
    if (!Buffer.from(metadata?.["encoding"] ?? []).equals(encoding))
      throw new Error(
        "Temporal holds a payload that is not encrypted, although FRONTDOOR_FLEET_KEY is set. The payload was not used. Cancel the runs and schedules that were started without the key. [payload-not-encrypted]",
      );
    const all = Buffer.from(data ?? []);
    const decipher = createDecipheriv("aes-256-gcm", this.key, all.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(binding).setAuthTag(all.subarray(ivBytes, ivBytes + tagBytes));
    const opened = Buffer.concat([decipher.update(all.subarray(ivBytes + tagBytes)), decipher.final()]);
    const plain = JSON.parse(opened.toString("utf8")) as { metadata: Record<string, string>; data: string | null };
    return {
      metadata: mapped(plain.metadata, (each) => Buffer.from(each, "base64")),
      data: plain.data === null ? undefined : Buffer.from(plain.data, "base64"),
    };
  }
}

const longBytes = 16_384;
/** Far more than the report of the largest fleet. */
const mostBytes = 64 * 2 ** 20;

/** Compresses long payloads: Temporal takes at most 2 MB, which the file and the report of a large fleet exceed. */
export const compressing: PayloadCodec = {
  encode: (payloads) =>
    Promise.resolve(
      payloads.map((each) => {
        if ((each.data?.length ?? 0) < longBytes) return each;
        const gzip = { ...each.metadata, gzip: Buffer.from("1") };
        return { ...each, metadata: gzip, data: gzipSync(each.data ?? "") };
      }),
    ),
  decode: (payloads) =>
    Promise.resolve(payloads).then((all) =>
      all.map((each) => {
        const { gzip, ...metadata } = each.metadata ?? {};
        if (!gzip) return each;
        return { ...each, metadata, data: gunzipSync(each.data ?? "", { maxOutputLength: mostBytes }) };
      }),
    ),
};

/** Matches the time that a schedule adds to the ids of its workflows. */
const startTime = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Returns what a ciphertext is bound to, as additional data of the cipher. Temporal's SDK gives no context when a worker reports that it could not read a workflow's
 * input: such a report opens in no workflow.
 */
function boundTo(context: SerializationContext | undefined): Buffer {
  const activityId = context?.type === "activity" ? context.activityId : undefined;
  return Buffer.from(JSON.stringify([context?.namespace, context?.workflowId?.replace(startTime, ""), activityId]));
}

const text = (data: Uint8Array | null | undefined) => (data ? Buffer.from(data).toString("base64") : null);

const mapped = <From, To>(from: Record<string, From>, change: (each: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, each]) => [key, change(each)]));

/** Returns the converter that compresses everything and encrypts it with FRONTDOOR_FLEET_KEY, which commands and workers share. @throws Error if it is not 32 bytes in base64 */
export function dataConverterOf(env: NodeJS.ProcessEnv): DataConverter {
  const { FRONTDOOR_FLEET_KEY: keyText } = env;
  if (keyText === undefined || keyText === noKey) return { payloadCodecs: [compressing] };
  const key = Buffer.from(keyText, "base64");
  if (key.length !== 32)
    throw new Error(
      "FRONTDOOR_FLEET_KEY is not a key of 32 bytes in base64. Set it to the output of openssl rand -base64 32. [fleet-key]",
    );
  // A ciphertext can't be compressed, so compression comes first.
  return {
    payloadCodecs: [compressing, new EncryptingCodec(key)],
    failureConverterPath: modulePath("failure-converter"),
  };
}

/** Returns the file of a module beside this one: `.js` in the package, otherwise `.ts`. */
export const modulePath = (name: string): string => join(__dirname, `${name}${extname(__filename)}`);
