import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { isIPv4 } from "node:net";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { isGrpcServiceError } from "@temporalio/client";
import type { DataConverter, Payload, PayloadCodec, SerializationContext } from "@temporalio/common";
import { loadClientConnectConfig } from "@temporalio/envconfig";
import {
  DefaultLogger,
  type LogLevel,
  makeTelemetryFilterString,
  NativeConnection,
  type NativeConnectionOptions,
  Runtime,
} from "@temporalio/worker";

/** Temporal can't be used: it does not answer, or the connection, the key or a right is wrong. */
export class TemporalError extends Error {}

/** Returns Temporal's own settings: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS and others, or its configuration file. */
const settings = () => {
  const { connectionOptions, namespace = "default" } = loadClientConnectConfig();
  refuseReadable(connectionOptions, process.env);
  return { connection: connectionOptions, namespace, dataConverter: dataConverterOf(process.env) };
};

/** The key of a lab, whose Temporal is on the same machine and keeps everything in plain text. */
const noKey = "none";

const defaultAddress = "127.0.0.1:7233";
const hostOf = (address: string) => address.replace(/:\d*$/, "");
const isThisMachine = (host: string) =>
  host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));

/** @throws TemporalError if there is no key, or if a connection that leaves this machine has no TLS */
function refuseReadable(
  { address = defaultAddress, tls }: { address?: string; tls?: unknown },
  { FRONTDOOR_FLEET_KEY: key }: NodeJS.ProcessEnv,
): void {
  const isLocal = isThisMachine(hostOf(address));
  if (!isLocal && !tls)
    throw new TemporalError(
      `Temporal at ${address} is on another machine, and TLS is off. Nothing was sent. Set TEMPORAL_TLS=true. [temporal-plain-text]`,
    );
  if (!key || (key === noKey && !isLocal))
    throw new TemporalError(
      `FRONTDOOR_FLEET_KEY is not set, so Temporal at ${address} would keep the fleet in plain text. Nothing was sent. Set it to the output of openssl rand -base64 32, the same everywhere. [fleet-key]`,
    );
}

/**
 * Returns the proxy for a host as grpc_proxy, HTTPS_PROXY or HTTP_PROXY names it, unless NO_PROXY has the host or its domain. No proxy leads
 * to this machine. @throws TemporalError
 */
export function proxyFor(host: string, env: NodeJS.ProcessEnv): NativeConnectionOptions["proxy"] {
  const first = (...names: string[]) => names.flatMap((name) => [env[name], env[name.toUpperCase()]]).find(Boolean);
  const proxy = first("grpc_proxy", "https_proxy", "http_proxy");
  const excepted = (first("no_grpc_proxy", "no_proxy") ?? "").split(/[\s,]+/).map((each) => each.replace(/^\*?\./, ""));
  const isExcepted = excepted.some((each) => each === "*" || (each !== "" && `.${host}`.endsWith(`.${each}`)));
  if (proxy === undefined || isThisMachine(host) || isExcepted) return undefined;
  if (!URL.canParse(proxy) || new URL(proxy).protocol !== "http:")
    throw new TemporalError(
      `The proxy for Temporal at ${host} has no http URL. Nothing was sent. Correct HTTPS_PROXY, or name the host in NO_PROXY. [proxy-invalid]`,
    );
  const { hostname, port, username, password } = new URL(proxy);
  const basicAuth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { type: "http-connect", targetHost: `${hostname}:${port || "80"}`, ...(username !== "" && { basicAuth }) };
}

/** Sends what the SDK and its native part say to standard error. The native part would write to standard output, which holds only the result. */
export function logToStandardError(level: LogLevel): void {
  const filter = makeTelemetryFilterString({ core: level, other: level });
  Runtime.install({ logger: new DefaultLogger(level), telemetryOptions: { logging: { forward: {}, filter } } });
}

const connectMs = 10_000;

/** Opens the connection of a command or of a worker: both have one rule for proxy and certificates. @throws TemporalError */
export async function openTemporal(): Promise<{
  connection: NativeConnection;
  namespace: string;
  dataConverter: DataConverter;
}> {
  const { connection: options, ...rest } = settings();
  const { address = defaultAddress } = options;
  const proxy = proxyFor(hostOf(address), process.env);
  const overdue = new AbortController();
  const late = sleep(connectMs, undefined, { signal: overdue.signal }).then(() => {
    throw new Error(`no answer in ${connectMs / 1000} s`);
  });
  try {
    return { connection: await Promise.race([NativeConnection.connect({ ...options, proxy }), late]), ...rest };
  } catch (error) {
    throw refusalOf(error) ?? unreached(error, address, proxy?.targetHost);
  } finally {
    overdue.abort();
    await late.catch(() => undefined);
  }
}

/** Returns what keeps a connection from being made, with the part of the native client's message that names the cause. */
function unreached(error: unknown, address: string, proxy = ""): TemporalError {
  const text = error instanceof Error ? error.message : String(error);
  const [, certificate] = /InvalidCertificate\(([\w ]+)/.exec(text) ?? [];
  if (certificate !== undefined)
    return new TemporalError(
      `Temporal at ${address} has a certificate that this machine does not trust (${certificate}). Nothing was sent. Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificate of its authority. [temporal-certificate]`,
    );
  const [, alert] = /(?:AlertReceived\(|fatal alert: )(\w+)/.exec(text) ?? [];
  if (alert !== undefined)
    return new TemporalError(
      `Temporal at ${address} does not accept the certificate of this machine (${alert}). Nothing was done. Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH. [temporal-certificate]`,
    );
  const through = proxy === "" ? "" : ` through the proxy ${proxy}`;
  const [line = ""] = text.replace(/^.*ConnectError\(/, "").split("\n");
  const [, reason = line] = /message: "([^"]+)"/.exec(line) ?? [];
  return new TemporalError(
    `Temporal at ${address} can't be reached${through} (${reason}). Nothing was done. Check TEMPORAL_ADDRESS. [temporal-unreachable]`,
  );
}

/** PERMISSION_DENIED and UNAUTHENTICATED. */
const refusals: readonly number[] = [7, 16];
/** How the native client names these two codes while it connects, or starts a worker. */
const refused =
  /(?:does not have (?:permission|valid authentication)|PermissionDenied|Unauthenticated).*?message: "([^"]*)"/s;

/** Returns the error of a key or a right that is wrong: another try can't help, unlike in an outage. Undefined for every other error. */
export function refusalOf(error: unknown): TemporalError | undefined {
  if (error instanceof TemporalError) return error;
  if (!(error instanceof Error)) return undefined;
  const isRefused = isGrpcServiceError(error) && refusals.includes(error.code);
  const words = isRefused ? error.details || error.message : refused.exec(error.message)?.[1];
  if (words === undefined) return refusalOf(error.cause);
  return new TemporalError(
    `Temporal does not allow this (${words}). A run that was started goes on. Check TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and the rights of this user. [temporal-right]`,
  );
}

/** INVALID_ARGUMENT. */
const invalid: readonly number[] = [3];

/** True if the namespace does not have a search attribute of the request. */
export function isUnknownAttribute(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!isGrpcServiceError(error)) return isUnknownAttribute(error.cause);
  return invalid.includes(error.code) && /search attribute/i.test(error.details || error.message);
}

const encoding = Buffer.from("binary/encrypted");
const ivBytes = 12;
const tagBytes = 16;

const keyIdName = "encryption-key-id";

/** Returns the name of a key, which says nothing about the key. */
const idOf = (key: Buffer) => createHash("sha256").update("frontdoor-fleet").update(key).digest("hex").slice(0, 16);

/**
 * Encrypts all that Temporal keeps of a run (AES-256-GCM). A ciphertext names its key, and opens only in the namespace, the workflow and the
 * activity that it was made for. The codec refuses a payload that is not encrypted. It writes with the first key, and reads with each.
 */
export class EncryptingCodec implements PayloadCodec {
  private readonly keys: Map<string, Buffer>;

  constructor(
    private readonly key: Buffer,
    others: Buffer[] = [],
  ) {
    this.keys = new Map([key, ...others].map((each) => [idOf(each), each]));
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
    const named = { encoding, [keyIdName]: Buffer.from(idOf(this.key)) };
    return { metadata: named, data: Buffer.concat([iv, cipher.getAuthTag(), sealed]) };
  }

  /** @throws Error unless one of the keys has sealed the payload for this workflow and activity */
  private decrypted({ metadata, data }: Payload, binding: Buffer): Payload {
    if (!Buffer.from(metadata?.["encoding"] ?? []).equals(encoding))
      throw new Error(
        "Temporal holds a payload that is not encrypted, although FRONTDOOR_FLEET_KEY is set. The payload was not used. Cancel the runs and schedules that were started without the key. [payload-not-encrypted]",
      );
    // A payload of the first release names no key.
    const id = Buffer.from(metadata?.[keyIdName] ?? []).toString();
    const plain = JSON.parse(openedBy(id === "" ? this.key : this.keys.get(id), Buffer.from(data ?? []), binding)) as {
      metadata: Record<string, string>;
      data: string | null;
    };
    return {
      metadata: mapped(plain.metadata, (each) => Buffer.from(each, "base64")),
      data: plain.data === null ? undefined : Buffer.from(plain.data, "base64"),
    };
  }
}

/** @throws TemporalError if the ciphertext was made with another key, or for another namespace, workflow or activity */
function openedBy(key: Buffer | undefined, data: Buffer, binding: Buffer): string {
  try {
    if (!key) throw new Error("no such key");
    const decipher = createDecipheriv("aes-256-gcm", key, data.subarray(0, ivBytes), { authTagLength: tagBytes });
    decipher.setAAD(binding).setAuthTag(data.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(data.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
  } catch {
    throw new TemporalError(
      "FRONTDOOR_FLEET_KEY does not open what Temporal holds of this fleet: it has another key, or belongs to another run. It was not used. Set the same key for all commands and workers. [fleet-key]",
    );
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

/**
 * Returns the converter that compresses everything and encrypts it with FRONTDOOR_FLEET_KEY, which commands and workers share. It also reads
 * what FRONTDOOR_FLEET_OTHER_KEYS have encrypted. @throws TemporalError if a key is not 32 bytes in base64
 */
export function dataConverterOf(env: NodeJS.ProcessEnv): DataConverter {
  const { FRONTDOOR_FLEET_KEY: keyText, FRONTDOOR_FLEET_OTHER_KEYS: others = "" } = env;
  if (keyText === undefined || keyText === noKey) return { payloadCodecs: [compressing] };
  const key = keyIn(keyText, "FRONTDOOR_FLEET_KEY");
  const read = others.split(",").filter((each) => each !== "");
  const otherKeys = read.map((each) => keyIn(each, "A part of FRONTDOOR_FLEET_OTHER_KEYS"));
  // A ciphertext can't be compressed, so compression comes first.
  return {
    payloadCodecs: [compressing, new EncryptingCodec(key, otherKeys)],
    failureConverterPath: modulePath("failure-converter"),
  };
}

/** @throws TemporalError */
function keyIn(base64: string, name: string): Buffer {
  const key = Buffer.from(base64, "base64");
  if (key.length === 32) return key;
  throw new TemporalError(
    `${name} is not a key of 32 bytes in base64. Nothing was sent. Set it to the output of openssl rand -base64 32. [fleet-key]`,
  );
}

/** Returns the file of a module beside this one: `.js` in the package, otherwise `.ts`. */
export const modulePath = (name: string): string => join(__dirname, `${name}${extname(__filename)}`);
