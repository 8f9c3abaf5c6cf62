import { startEmulator, type Settings } from "../../emulator";
import { ask, own, share, tunnel } from "./own";

type Answer = Awaited<ReturnType<typeof ask>>;

const elsewhere = { ...tunnel, locationId: "loc-x" };
const onTunnel = share("tnl-1");
const list = "GET /ipsec-shares";
const post = "POST /ipsec-shares";
const patch = "PATCH /ipsec-shares/shr-1";
const total = (totalElements: number) => ({ body: { totalElements } });
const down = { connectionState: "pending", connectionStatus: "DOWN", connectionStatusMessage: "none" } as const;
const refused = { status: 403, body: { error: "not_found" } };

/**
 * What tests/verify/emulator.test.ts does not show of settings: a request under them, its status or what else of its answer counts, and
 * its body. It is about tunnel tnl-1 and share shr-1, both DEPLOYED.
 */
const cases: [Partial<Settings>, string, number | Partial<Answer>, object?, Record<string, string>?][] = [
  [{ defaultLocationId: "elsewhere" }, "POST /ipsec-tunnels", 202, tunnel],
  [{ defaultLocationId: null }, "POST /ipsec-tunnels", { body: { locationId: null } }, tunnel],
  [{ oneTunnelPerLocation: false }, "POST /ipsec-tunnels", 202, { ...elsewhere, locationId: "loc-t" }],
  [{ createStatus: 200 }, post, { status: 200, body: { status: "NEW" } }, onTunnel],
  [{ createStatus: 204 }, post, { status: 204, body: "" }, onTunnel],
  [{ shareAcceptedOnTunnelIn: ["NEW"] }, post, 400, onTunnel],
  [{ bothEnvIds: "envZId" }, post, { body: { envZId: onTunnel.envZId } }, { ...onTunnel, envId: "other" }],
  [{ nullLocation: "clears" }, post, { body: { locationId: "loc-t" } }, { ...onTunnel, locationId: null }],
  [{ nullLocation: "clears" }, patch, { body: { locationId: "loc-t" } }, { locationId: null }],
  [{ emptyPatch: "refused" }, patch, 400, {}],
  [{ deleteAcceptedIn: ["ERROR"] }, "DELETE /ipsec-shares/shr-1", 409],
  [{ spellings: { name: "upper" } }, "GET /ipsec-shares/shr-1", { body: { name: "S" } }],
  [{ spellings: { name: "other" } }, `${list}?name=x-s`, total(1)],
  [{ tokens: {} }, list, 401],
  [{ tokens: { "emulator-token": ["fd-2"] } }, list, 403],
  [{ tokens: { "emulator-token": ["*"] } }, list, 200],
  [{ ipsecSharesDisabledFor: ["fd-1"] }, list, refused],
  [
    ...([down, "GET /ipsec-tunnels/tnl-1/tunnel-config"] as const),
    { body: { state: "pending", tunnels: [{ status: "DOWN", statusMessage: "none" }] } },
  ],
  [
    { connectionStatus: "DOWN", connectionStatuses: { "tnl-1": "UP" } },
    ...(["GET /ipsec-tunnels/tnl-1/tunnel-config", { body: { tunnels: [{ status: "UP" }] } }] as const),
  ],
];

describe("a setting, changed while the emulator runs", () => {
  it.each(cases)("%j: %s answers %j to %j", async (...[settings, request, wanted, body, headers]) => {
    const emulator = await own();
    emulator.seedTunnel({ name: "t", locationId: "loc-t" });
    emulator.seedShare({ name: "s", ingressPort: 8080, locationId: null });
    Object.assign(emulator.settings, settings);
    const answer = typeof wanted === "number" ? { status: wanted } : wanted;
    expect(await ask(emulator, request, body, headers)).toMatchObject(answer);
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

  it("a load balancer has the first free address, which its tunnel frees at its end", async () => {
    const emulator = await own();
    const first = emulator.seedTunnel({ locationId: "a" });
    const second = emulator.seedTunnel({ locationId: "b" });
    emulator.removeTunnel(first.id);
    const third = emulator.seedTunnel({ locationId: "c" });
    const addresses = [first, second, third].map(({ nlbPrivateIp }) => nlbPrivateIp);
    expect(addresses).toEqual(["10.90.0.10", "10.90.0.11", "10.90.0.10"]);
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
