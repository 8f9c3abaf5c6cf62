import type { Payload, SerializationContext } from "@temporalio/common";
import { decode, encode } from "@temporalio/common/lib/internal-non-workflow";
import { compressing, dataConverterOf, EncryptingCodec, openTemporal, proxyFor } from "../src/temporal";

describe("a connection to Temporal", () => {
  afterEach(() => {
    for (const name of ["TEMPORAL_ADDRESS", "TEMPORAL_TLS", "TEMPORAL_API_KEY", "FRONTDOOR_FLEET_KEY"])
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
      await expect(openTemporal()).rejects.toThrow(/\[temporal-plain-text\]/);
      Object.assign(process.env, { TEMPORAL_API_KEY: "key", TEMPORAL_TLS: "false" });
      await expect(openTemporal()).rejects.toThrow(/\[temporal-plain-text\]/);
    });

  it("is refused without a key, and elsewhere with the key of a lab", async () => {
    Object.assign(process.env, { TEMPORAL_ADDRESS: "127.0.0.1:1" });
    await expect(openTemporal()).rejects.toThrow(/FRONTDOOR_FLEET_KEY is not set.*\[fleet-key\]/);
    const elsewhere = { TEMPORAL_ADDRESS: "temporal.invalid:7233", TEMPORAL_TLS: "true", FRONTDOOR_FLEET_KEY: "none" };
    Object.assign(process.env, elsewhere);
    await expect(openTemporal()).rejects.toThrow(/\[fleet-key\]/);
  });
});

describe("the proxy for Temporal", () => {
  const via = (targetHost: string) => ({ type: "http-connect", targetHost });
  const proxy = { HTTPS_PROXY: "http://proxy.example:3128" };
  const credentials = { username: "me", password: "p:w" };
  const rows: [what: string, host: string, env: NodeJS.ProcessEnv, proxy: object | undefined][] = [
    ["is none without a variable", "temporal.example", {}, undefined],
    ["is that of HTTPS_PROXY", "temporal.example", proxy, via("proxy.example:3128")],
    ["is that of HTTP_PROXY, if no other is set", "temporal.example", { http_proxy: "http://p" }, via("p:80")],
    ["is that of grpc_proxy before all others", "t.example", { ...proxy, grpc_proxy: "http://g:1" }, via("g:1")],
    ["has its user", "t.example", { https_proxy: "http://me:p%3Aw@p:1" }, { ...via("p:1"), basicAuth: credentials }],
    ["is none for a host of NO_PROXY", "t.example", { ...proxy, NO_PROXY: "a, t.example" }, undefined],
    ["is none for a domain of NO_PROXY", "t.eu.example", { ...proxy, no_proxy: ".example" }, undefined],
    ["is none if NO_PROXY is *", "t.example", { ...proxy, no_proxy: "*" }, undefined],
    [
      "is used for a host that only ends as one of NO_PROXY",
      "not.example",
      { ...proxy, NO_PROXY: "t.example" },
      via("proxy.example:3128"),
    ],
    ["is none for this machine", "localhost", proxy, undefined],
  ];
  it.each(rows)("%s", (_, host, env, expected) => {
    expect(proxyFor(host, env)).toEqual(expected);
  });

  it("needs an http URL, and a message never shows its password", () => {
    for (const url of ["proxy.example:3128", "socks5://me:hunter2@proxy.example"])
      expect(() => proxyFor("t.example", { HTTPS_PROXY: url })).toThrow(/^(?!.*hunter2).*\[proxy-invalid\]$/);
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
    expect(Buffer.from(sealed.data ?? []).toString("latin1")).not.toMatch(/canary|json/);
    expect(await codec.decode([sealed], here)).toEqual([payload]);
  });

  it("refuses a payload that is not encrypted", async () => {
    await expect(codec.decode([payload], here)).rejects.toThrow(
      /Cancel the runs and schedules that were started without the key\. \[payload-not-encrypted\]/,
    );
    await expect(codec.decode([{}], here)).rejects.toThrow(/\[payload-not-encrypted\]/);
  });

  it("does not open a changed payload, or one that another key has sealed", async () => {
    const [sealed = {}] = await codec.encode([payload], here);
    const changed = Buffer.from(sealed.data ?? []);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    await expect(codec.decode([{ ...sealed, data: changed }], here)).rejects.toThrow();
    await expect(new EncryptingCodec(Buffer.alloc(32, 8)).decode([sealed], here)).rejects.toThrow();
  });

  it("names the key of a payload, and also reads what other keys have sealed", async () => {
    const [old, next] = [Buffer.alloc(32, 8), Buffer.alloc(32, 9)];
    const idIn = ([sealed]: Payload[]) => Buffer.from(sealed?.metadata?.["encryption-key-id"] ?? []).toString();
    const sealed = await new EncryptingCodec(old).encode([payload], here);
    const renewed = new EncryptingCodec(next, [old, key]);
    expect(await renewed.decode(sealed, here)).toEqual([payload]);
    const [byOld, byNext] = [idIn(sealed), idIn(await renewed.encode([payload], here))];
    expect([byOld.length, byOld === byNext]).toEqual([16, false]);
    expect(byOld).toBe(idIn(await new EncryptingCodec(old, [next]).encode([payload], here)));
    await expect(new EncryptingCodec(next).decode(sealed, here)).rejects.toThrow(/\[fleet-key\]/);
  });

  it("opens a payload of the first release, which names no key", async () => {
    const [sealed = {}] = await codec.encode([payload], here);
    const { encoding = Buffer.of() } = sealed.metadata ?? {};
    expect(await codec.decode([{ ...sealed, metadata: { encoding } }], here)).toEqual([payload]);
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
      await expect(codec.decode(sealed, opened)).rejects.toThrow();
      expect(await codec.decode(sealed, made)).toEqual([payload]);
    });

  it("opens what a schedule holds in the workflows that the schedule starts, and in no other schedule's", async () => {
    const schedule = { ...here, workflowId: "frontdoor-fleet/shops/drift" };
    const started = { ...here, workflowId: "frontdoor-fleet/shops/drift-2026-11-24T17:00:00Z" };
    const sealed = await codec.encode([payload], schedule);
    expect(await codec.decode(sealed, started)).toEqual([payload]);
    await expect(
      codec.decode(sealed, { ...started, workflowId: started.workflowId.replace("shops", "other") }),
    ).rejects.toThrow();
  });

  it("has at most 2 MB for Temporal, also for the file and the report of a large fleet", async () => {
    const stack = { frontDoor: "fd-1", config: { number: "1" }, secrets: { "frontdoor:token": "env:FRONTDOOR_TOKEN" } };
    const all = Array.from({ length: 10_000 }, (_, at) => ({ name: `site-${at}`, program: "programs/site", ...stack }));
    const long = { metadata: payload.metadata, data: Buffer.from(JSON.stringify({ all, again: all })) };
    expect(long.data.length).toBeGreaterThan(2_000_000);
    const { payloadCodecs = [] } = dataConverterOf({ FRONTDOOR_FLEET_KEY: key.toString("base64") });
    let sealed: Payload[] = [long];
    sealed = await encode(payloadCodecs, sealed, here);
    expect(sealed[0]?.data?.length).toBeLessThan(1_000_000);
    sealed = await decode(payloadCodecs, sealed, here);
    // Jest takes ten seconds to compare so many bytes.
    expect(sealed[0]?.metadata).toEqual(long.metadata);
    expect(Buffer.compare(sealed[0]?.data ?? Buffer.of(), long.data)).toBe(0);
  });

  it("is there only with a key of 32 bytes", () => {
    expect(dataConverterOf({}).payloadCodecs).toEqual([compressing]);
    expect(dataConverterOf({ FRONTDOOR_FLEET_KEY: key.toString("base64") }).payloadCodecs?.length).toBe(2);
    expect(() => dataConverterOf({ FRONTDOOR_FLEET_KEY: "short" })).toThrow(/32 bytes/);
    const both = { FRONTDOOR_FLEET_KEY: key.toString("base64"), FRONTDOOR_FLEET_OTHER_KEYS: "short" };
    expect(() => dataConverterOf(both)).toThrow(/^A part of FRONTDOOR_FLEET_OTHER_KEYS is not a key of 32 bytes/);
  });
});
