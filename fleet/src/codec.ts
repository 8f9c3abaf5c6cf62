import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { DataConverter, Payload, PayloadCodec } from "@temporalio/common";
import { beside } from "./beside.ts";

const encoding = Buffer.from("binary/encrypted");
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts all that Temporal keeps of a run (AES-256-GCM). Without it names, settings and reasons are readable there; secrets are never in it. */
export class EncryptingCodec implements PayloadCodec {
  private readonly key: Buffer;

  constructor(key: Buffer) {
    this.key = key;
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads).then((all) => all.map((each) => this.encrypted(each)));
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    const isOurs = ({ metadata }: Payload) => Buffer.from(metadata?.["encoding"] ?? []).equals(encoding);
    return Promise.resolve(payloads).then((all) => all.map((each) => (isOurs(each) ? this.decrypted(each) : each)));
  }

  private encrypted({ metadata = {}, data }: Payload): Payload {
    const plain = {
      metadata: mapped(metadata ?? {}, (each) => Buffer.from(each).toString("base64")),
      data: text(data),
    };
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", this.key, iv);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(plain), "utf8"), cipher.final()]);
    return { metadata: { encoding }, data: Buffer.concat([iv, cipher.getAuthTag(), sealed]) };
  }

  private decrypted({ data }: Payload): Payload {
    const all = Buffer.from(data ?? []);
    const decipher = createDecipheriv("aes-256-gcm", this.key, all.subarray(0, ivBytes));
    decipher.setAuthTag(all.subarray(ivBytes, ivBytes + tagBytes));
    const opened = Buffer.concat([decipher.update(all.subarray(ivBytes + tagBytes)), decipher.final()]);
    const plain = JSON.parse(opened.toString("utf8")) as { metadata: Record<string, string>; data: string | null };
    return {
      metadata: mapped(plain.metadata, (each) => Buffer.from(each, "base64")),
      data: plain.data === null ? undefined : Buffer.from(plain.data, "base64"),
    };
  }
}

const text = (data: Uint8Array | null | undefined) => (data ? Buffer.from(data).toString("base64") : null);

const mapped = <From, To>(from: Record<string, From>, change: (each: From) => To) =>
  Object.fromEntries(Object.entries(from).map(([key, each]) => [key, change(each)]));

/** With FRONTDOOR_FLEET_KEY, 32 bytes in base64, which clients and workers share: everything is encrypted. @throws Error where it is no such key */
export function dataConverterOf(env: NodeJS.ProcessEnv): DataConverter {
  const { FRONTDOOR_FLEET_KEY: given } = env;
  if (!given) return {};
  const key = Buffer.from(given, "base64");
  if (key.length !== 32)
    throw new Error("FRONTDOOR_FLEET_KEY: 32 bytes in base64 are needed (openssl rand -base64 32)");
  return { payloadCodecs: [new EncryptingCodec(key)], failureConverterPath: beside("failure-converter") };
}
