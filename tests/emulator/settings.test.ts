import { readFileSync } from "node:fs";
import { join } from "node:path";
import { settingsSchema } from "../../emulator/settings";
import { startEmulator, type Settings } from "../../emulator";
import { ask, own, seen, share, tunnel } from "./own";

type Answer = Awaited<ReturnType<typeof ask>>;

/** One request under one setting, on a front door with a DEPLOYED tunnel tnl-1 and a DEPLOYED share shr-1. */
const cases: [Partial<Settings>, string, unknown, Partial<Answer>][] = [
  [{ conflictStatus: 400 }, "POST /ipsec-tunnels", { ...tunnel, locationId: "loc-t" }, { status: 400 }],
  [{ defaultLocationId: "elsewhere" }, "POST /ipsec-tunnels", tunnel, { status: 202 }],
  [{ defaultLocationId: null }, "POST /ipsec-tunnels", tunnel, { body: { locationId: null } }],
  [
    { duplicateTunnelName: "refused" },
    "POST /ipsec-tunnels",
    { ...tunnel, name: "t", locationId: "x" },
    { status: 409 },
  ],
  [
    { peerMustBePublic: false },
    "POST /ipsec-tunnels",
    { ...tunnel, peerPublicIp: "10.0.0.1", locationId: "x" },
    { status: 202 },
  ],
  [{ cidrHostBits: "refused" }, "POST /ipsec-tunnels", { ...tunnel, peerCidr: "10.1.2.3/16" }, { status: 400 }],
  [{ createStatus: 200 }, "POST /ipsec-shares", share("tnl-1"), { status: 200, body: { status: "NEW" } }],
  [{ createStatus: 204 }, "POST /ipsec-shares", share("tnl-1"), { status: 204, body: "" }],
  [{ createBody: false }, "POST /ipsec-shares", share("tnl-1"), { status: 202, body: "" }],
  [{ duplicateShareName: "refused" }, "POST /ipsec-shares", { ...share("tnl-1"), name: "s" }, { status: 409 }],
  [{}, "POST /ipsec-shares", { ...share("tnl-1"), name: "s" }, { status: 202 }],
  [{}, "POST /ipsec-shares", { ...share("tnl-1"), ingressPort: 8080 }, { status: 409 }],
  [
    { duplicateIngressPort: "allowed" },
    "POST /ipsec-shares",
    { ...share("tnl-1"), ingressPort: 8080 },
    { status: 202 },
  ],
  [{ shareAcceptedOnTunnelIn: ["NEW"] }, "POST /ipsec-shares", share("tnl-1"), { status: 400 }],
  [{ shareLocationFromTunnel: false }, "POST /ipsec-shares", share("tnl-1"), { body: { locationId: "loc-1" } }],
  [{}, "POST /ipsec-shares", share("tnl-1"), { body: { locationId: "loc-t" } }],
  [{}, "POST /ipsec-shares", { ...share("tnl-1"), envId: "other" }, { status: 400 }],
  [
    { bothEnvIds: "envZId" },
    "POST /ipsec-shares",
    { ...share("tnl-1"), envId: "other" },
    { body: { envZId: "env-1" } },
  ],
  [{}, "POST /ipsec-shares", { ...share("tnl-1"), colour: "red" }, { status: 202 }],
  [{ unknownProperty: "refused" }, "POST /ipsec-shares", { ...share("tnl-1"), colour: "red" }, { status: 400 }],
  [
    { nullLocation: "clears" },
    "POST /ipsec-shares",
    { ...share("tnl-1"), locationId: null },
    { body: { locationId: "loc-t" } },
  ],
  [{ nullLocation: "clears" }, "PATCH /ipsec-shares/shr-1", { locationId: null }, { body: { locationId: "loc-t" } }],
  [{}, "PATCH /ipsec-shares/shr-1", { locationId: null }, { status: 400 }],
  [{}, "PATCH /ipsec-shares/shr-1", {}, { status: 202, body: { status: "NEW" } }],
  [{ emptyPatch: "ignored" }, "PATCH /ipsec-shares/shr-1", {}, { status: 202, body: { status: "DEPLOYED" } }],
  [{ emptyPatch: "refused" }, "PATCH /ipsec-shares/shr-1", {}, { status: 400 }],
  [{ updateStatus: 200 }, "PATCH /ipsec-shares/shr-1", { name: "n" }, { status: 200, body: { name: "n" } }],
  [{ updateBody: false }, "PUT /ipsec-shares/shr-1", share("tnl-1"), { status: 202, body: "" }],
  [{ updateAcceptedIn: ["ERROR"] }, "PATCH /ipsec-shares/shr-1", { name: "n" }, { status: 409 }],
  [{ deleteStatus: 204 }, "DELETE /ipsec-shares/shr-1", undefined, { status: 204, body: "" }],
  [{ deleteBody: false }, "DELETE /ipsec-shares/shr-1", undefined, { status: 202, body: "" }],
  [{ deleteAcceptedIn: ["ERROR"] }, "DELETE /ipsec-shares/shr-1", undefined, { status: 409 }],
  [
    { notFoundStatus: 410, notFoundError: "gone" },
    "GET /ipsec-shares/shr-9",
    undefined,
    { status: 410, body: { error: "gone" } },
  ],
  [{ unsetAs: "absent" }, "GET /ipsec-shares/shr-1", undefined, { body: { id: "shr-1" } }],
  [
    { messageQuote: "" },
    "GET /ipsec-shares?page=x",
    undefined,
    { body: { message: "Value for page must be of integer" } },
  ],
  [{ defaultPageSize: 7 }, "GET /ipsec-shares", undefined, { body: { pageable: { pageSize: 7 } } }],
  [{ maxPageSize: 50 }, "GET /ipsec-shares?size=1000", undefined, { body: { pageable: { pageSize: 50 } } }],
  [{ oversizedPage: "refused" }, "GET /ipsec-shares?size=1000", undefined, { status: 400 }],
  [{ filtersHonoured: false }, "GET /ipsec-shares?name=nobody", undefined, { body: { totalElements: 1 } }],
  [{ filtersHonoured: ["id"] }, "GET /ipsec-shares?name=nobody", undefined, { body: { totalElements: 1 } }],
  [{ filtersHonoured: ["id"] }, "GET /ipsec-shares?id=nobody", undefined, { body: { totalElements: 0 } }],
  [{}, "GET /ipsec-tunnels?name=nobody&name=t", undefined, { body: { totalElements: 1 } }],
  [
    { repeatedTunnelFilter: "first" },
    "GET /ipsec-tunnels?name=nobody&name=t",
    undefined,
    { body: { totalElements: 0 } },
  ],
  [{}, "GET /ipsec-tunnels?colour=red", undefined, { status: 200 }],
  [{ unknownQuery: "refused" }, "GET /ipsec-tunnels?colour=red", undefined, { status: 400 }],
  [{ shareDurations: ["15m"] }, "GET /ipsec-shares/shr-1/metrics?duration=1h", undefined, { status: 400 }],
  [{ tokens: {} }, "GET /ipsec-shares", undefined, { status: 401 }],
  [
    { tokens: {}, tokenRejectedStatus: 403 },
    "GET /ipsec-shares",
    undefined,
    { status: 403, body: { error: "not_found" } },
  ],
  [{ tokens: {}, tokenRejectedMessage: "expired" }, "GET /ipsec-shares", undefined, { body: { message: "expired" } }],
  [{ tokens: { "emulator-token": ["fd-2"] } }, "GET /ipsec-shares", undefined, { status: 403 }],
  [{ tokens: { "emulator-token": ["*"] } }, "GET /ipsec-shares", undefined, { status: 200 }],
  [{ ipsecSharesDisabledFor: ["fd-1"] }, "GET /ipsec-shares", undefined, { status: 403, body: { error: "not_found" } }],
  [
    { connectionState: "pending", connectionStatus: "DOWN", connectionStatusMessage: "none" },
    "GET /ipsec-tunnels/tnl-1/tunnel-config",
    undefined,
    { body: { state: "pending", tunnels: [{ status: "DOWN", statusMessage: "none" }] } },
  ],
];

describe("a setting, changed while the emulator runs", () => {
  it.each(cases)("%j: %s %j answers %j", async (settings, request, body, answer) => {
    const emulator = await own();
    emulator.seedTunnel({ name: "t", locationId: "loc-t" });
    emulator.seedShare({ name: "s", ingressPort: 8080, locationId: null });
    Object.assign(emulator.settings, settings);
    expect(await ask(emulator, request, body)).toMatchObject(answer);
  });

  it.each([
    ["" as const, { nlbDnsName: "", vpnConnectionId: "" }],
    [null, { nlbDnsName: null, vpnConnectionId: null }],
    ["absent" as const, {}],
  ])("emptyAs %j shows in a tunnel at NEW", async (emptyAs, shown) => {
    const emulator = await own({ emptyAs, nlbPrivateIpShown: "DEPLOYED", unsetAs: "absent", defaultLocationId: null });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    const { body } = await ask(emulator, "GET /ipsec-tunnels/tnl-1");
    const nlbPrivateIp = emptyAs === "absent" ? {} : { nlbPrivateIp: emptyAs };
    expect(body).toEqual({ ...tunnel, id: "tnl-1", frontdoorId: "fd-1", status: "NEW", ...nlbPrivateIp, ...shown });
  });

  it("notReadyStatus is the answer before a tunnel is DEPLOYED", async () => {
    const emulator = await own({ notReadyStatus: 404 });
    emulator.seedTunnel({ status: "ERROR" });
    expect(await ask(emulator, "GET /ipsec-tunnels/tnl-1/sample-config")).toMatchObject({
      status: 404,
      body: { error: "not_found" },
    });
  });

  it("a second DELETE is refused, or harmless where DELETING is accepted", async () => {
    const emulator = await own();
    emulator.seedTunnel();
    await ask(emulator, "DELETE /ipsec-tunnels/tnl-1");
    emulator.clock.advance(600);
    expect((await ask(emulator, "DELETE /ipsec-tunnels/tnl-1")).status).toBe(409);
    emulator.settings.deleteAcceptedIn.push("DELETING");
    expect(await ask(emulator, "DELETE /ipsec-tunnels/tnl-1")).toMatchObject({ body: { status: "DELETING" } });
    emulator.clock.advance(400);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETED");
  });

  it("defaultSort orders a list that asks for none", async () => {
    const emulator = await own({ defaultSort: "name,desc" });
    for (const name of ["b", "c", "a"]) emulator.seedTunnel({ name });
    const { body } = await ask(emulator, "GET /ipsec-tunnels");
    expect((body as { content: { name: string }[] }).content.map(({ name }) => name)).toEqual(["c", "b", "a"]);
  });

  it("nlbPrivateIpPool gives the first free address and frees it again", async () => {
    const emulator = await own({ nlbPrivateIpPool: "10.4.0.0/24" });
    const first = emulator.seedTunnel({ locationId: "a" });
    const second = emulator.seedTunnel({ locationId: "b" });
    emulator.removeTunnel(first.id);
    const third = emulator.seedTunnel({ locationId: "c" });
    expect([first, second, third].map(({ nlbPrivateIp }) => nlbPrivateIp)).toEqual([
      "10.4.0.10",
      "10.4.0.11",
      "10.4.0.10",
    ]);
  });

  it("serviceClockSkewMs shifts the Date header", async () => {
    const emulator = await own({ serviceClockSkewMs: -3_600_000 });
    const hourAgo = () => Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
    const before = hourAgo();
    const { headers } = await ask(emulator, "GET /ipsec-tunnels", undefined, { authorization: "Bearer x" });
    const told = Date.parse(headers.get("date") ?? "");
    expect([told >= before, told <= hourAgo()]).toEqual([true, true]);
  });

  it("createLocationHeader names what was made", async () => {
    const emulator = await own({ createBody: false });
    const without = await ask(emulator, "POST /ipsec-tunnels", { ...tunnel, locationId: "a" });
    emulator.settings.createLocationHeader = true;
    const named = await ask(emulator, "POST /ipsec-tunnels", { ...tunnel, locationId: "b" });
    expect(without.headers.get("location")).toBeNull();
    expect(named.headers.get("location")).toBe("/frontdoor/v2/fd-1/ipsec-tunnels/tnl-2");
  });

  it("contentTypeRequired false takes a body sent as anything", async () => {
    const emulator = await own({ contentTypeRequired: false });
    const answer = await ask(emulator, "POST /ipsec-tunnels", tunnel, { "content-type": "text/plain" });
    expect(answer.status).toBe(202);
  });

  it("acceptChecked answers 406", async () => {
    const emulator = await own({ acceptChecked: true });
    expect((await ask(emulator, "GET /ipsec-tunnels", undefined, { accept: "text/html" })).status).toBe(406);
    expect((await ask(emulator, "GET /ipsec-tunnels", undefined, { accept: "text/html, */*;q=0.1" })).status).toBe(200);
  });
});

describe("Basic", () => {
  const basicUsers = { ana: { token: "s3cret", frontdoorIds: ["fd-1"] } };
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it.each([
    ["either", "ana:s3cret", 200],
    ["either", base64("ana:s3cret"), 200],
    ["literal", "ana:s3cret", 200],
    ["literal", base64("ana:s3cret"), 400],
    ["base64", base64("ana:s3cret"), 200],
    ["base64", "ana:s3cret", 400],
    ["either", "ana:wrong", 401],
    ["either", "bob:s3cret", 401],
    ["either", "constructor:s3cret", 401],
    ["either", base64("no colon"), 400],
  ] as const)("in the form %s: %s answers %d", async (basicForm, credential, status) => {
    const emulator = await own({ basicForm, basicUsers });
    const answer = await ask(emulator, "GET /ipsec-tunnels", undefined, { authorization: `Basic ${credential}` });
    expect(answer.status).toBe(status);
  });
});

describe("the settings as a whole", () => {
  it("refuse a wrong value at the start and say which", async () => {
    await expect(startEmulator({ jitter: 2 })).rejects.toThrow(/jitter/);
  });

  it("are all named in docs/emulator.md", () => {
    const text = readFileSync(join(__dirname, "../../docs/emulator.md"), "utf8");
    expect(Object.keys(settingsSchema.shape).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("a tunnel that changes its shares one at a time", () => {
  it("refuses other writes to them while one is NEW or DELETING, and takes them afterwards", async () => {
    const emulator = await own({ tunnelShareChanges: "one at a time" });
    emulator.seedTunnel({ id: "tnl-1" });
    emulator.seedTunnel({ id: "tnl-2", locationId: "loc-2" });
    const { id } = emulator.seedShare({ ipsecTunnelId: "tnl-1", ingressPort: 8080 });
    const statusOf = async (request: string, body?: object) => (await ask(emulator, request, body)).status;

    expect(await statusOf("POST /ipsec-shares", share("tnl-1"))).toBe(202);
    expect(await statusOf("POST /ipsec-shares", { ...share("tnl-1"), ingressPort: 1 })).toBe(409);
    expect(await statusOf(`PATCH /ipsec-shares/${id}`, { target: "a:1" })).toBe(409);
    expect(await statusOf(`DELETE /ipsec-shares/${id}`)).toBe(409);
    expect(await statusOf("POST /ipsec-shares", share("tnl-2"))).toBe(202);
    emulator.clock.advance(1000);
    expect(await statusOf(`DELETE /ipsec-shares/${id}`)).toBe(202);
    expect(await statusOf("POST /ipsec-shares", { ...share("tnl-1"), ingressPort: 1 })).toBe(409);
    emulator.clock.advance(1000);
    expect(await statusOf("POST /ipsec-shares", { ...share("tnl-1"), ingressPort: 1 })).toBe(202);
  });
});
