import type { Emulator, Settings } from "../../emulator";
import { presets } from "../../emulator/command";
import { ask, own, share, tunnel } from "./own";

const grant = {
  grant_type: "client_credentials",
  client_id: "emulator-client",
  client_secret: "emulator-client-secret",
};

async function fetchToken(emulator: Emulator, body: object | URLSearchParams, headers: Record<string, string> = {}) {
  const isForm = body instanceof URLSearchParams;
  const answer = await fetch(emulator.tokenUrl, {
    method: "POST",
    headers: isForm ? headers : { "content-type": "application/json" },
    body: isForm ? body : JSON.stringify(body),
  });
  return { status: answer.status, ...((await answer.json()) as { access_token?: string; error?: string }) };
}

const list = (emulator: Emulator, token = "") =>
  ask(emulator, "GET /ipsec-shares", undefined, { authorization: `Bearer ${token}` });

describe("the token endpoint", () => {
  it("gives a token for a form with HTTP Basic, both parts form-encoded", async () => {
    const emulator = await own({ oauthClientSecret: "a b:c%+" });
    const authorization = `Basic ${Buffer.from("emulator-client:a+b%3Ac%25%2B").toString("base64")}`;
    const form = new URLSearchParams({ grant_type: "client_credentials" });
    expect(await fetchToken(emulator, form, { authorization })).toMatchObject({ status: 200 });
  });

  it.each([
    ["a wrong secret", { client_secret: "no" }, {}, 401, "invalid_client"],
    ["another grant", { grant_type: "password" }, {}, 400, "unsupported_grant_type"],
    ["a wrong audience", { audience: "b" }, { oauthAudience: "a" }, 400, "invalid_target"],
    ["no scope", {}, { oauthScope: "all" }, 400, "invalid_scope"],
  ])("refuses %s", async (_what, change, settings, status, error) => {
    const emulator = await own(settings);
    expect(await fetchToken(emulator, { ...grant, ...change })).toEqual({ status, error });
  });

  it("gives tokens that end with their lifetime, after so many calls, or when they are revoked", async () => {
    const emulator = await own({ oauthLifetimeSeconds: 60, oauthTokenCalls: 2 });
    const first = await fetchToken(emulator, grant);
    expect(first).toMatchObject({ status: 200, token_type: "Bearer", expires_in: 60 });
    expect(JSON.stringify(emulator.requests)).not.toContain("emulator-client-secret");
    for (const status of [200, 200, 401]) expect((await list(emulator, first.access_token)).status).toBe(status);
    const second = (await fetchToken(emulator, grant)).access_token;
    emulator.clock.advance(60_000);
    expect((await list(emulator, second)).status).toBe(401);
    const third = (await fetchToken(emulator, grant)).access_token;
    emulator.revokeTokens();
    expect((await list(emulator, third)).status).toBe(401);
  });
});

describe("a body of more than 1 MB", () => {
  const big = "x".repeat(1_000_001);
  const statusOf = async (emulator: Emulator, path: string, init: RequestInit) =>
    (await fetch(new URL(path, emulator.baseUrl), { method: "POST", ...init })).status;

  it.each(["/oauth/token", "/_admin/faults", "/_admin/settings", "/frontdoor/v2/fd-1/ipsec-tunnels"])(
    "is refused by %s, with its length told or not",
    async (path) => {
      const emulator = await own({ admin: true });
      const streamed = { body: new Blob([big]).stream(), duplex: "half" } as const;
      expect(await statusOf(emulator, path, { body: big })).toBe(413);
      expect(await statusOf(emulator, path, streamed)).toBe(413);
      expect(emulator.requests).toEqual([]);
    },
  );
});

const preset = presets.netfoundry();
const asNetfoundry = (more: Partial<Settings> = {}) => own({ ...preset, ...more });
const tokenFor = async (emulator: Awaited<ReturnType<typeof own>>, headers: Record<string, string>, body: string) => {
  const answer = await emulator.ask(new Request(emulator.tokenUrl, { method: "POST", headers, body }));
  return answer?.status;
};

describe("the emulator as NetFoundry's service", () => {
  it("gives a token only for the form and the scope of an API account", async () => {
    const emulator = await asNetfoundry();
    const { oauthClientId: id, oauthClientSecret: secret, oauthScope: scope } = emulator.settings;
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
    const form = { ...basic, "content-type": "application/x-www-form-urlencoded" };
    const fields = { grant_type: "client_credentials", scope: String(scope) };
    expect(scope).toBe("https://gateway.production.netfoundry.io//ignore-scope");
    expect(await tokenFor(emulator, form, new URLSearchParams(fields).toString())).toBe(200);
    expect(await tokenFor(emulator, form, "grant_type=client_credentials")).toBe(400);
    const json = JSON.stringify({ ...fields, client_id: id, client_secret: secret });
    expect(await tokenFor(emulator, { "content-type": "application/json" }, json)).toBe(400);
  });

  it.each([
    [undefined, { content: expect.any(Array) as unknown, totalElements: 1 }],
    [{ accept: "application/hal+json" }, { _embedded: expect.any(Object) as unknown, page: { totalElements: 1 } }],
  ])("lists in the form that the header %j asks for", async (headers, body) => {
    const emulator = await asNetfoundry();
    emulator.seedTunnel();
    expect(await ask(emulator, "GET /ipsec-tunnels", undefined, headers)).toMatchObject({ status: 200, body });
  });

  it("shows a deleted resource by its id, and in no list", async () => {
    const emulator = await asNetfoundry();
    emulator.seedTunnel();
    await ask(emulator, "DELETE /ipsec-tunnels/tnl-1");
    emulator.clock.advance(1000);
    expect(await ask(emulator, "GET /ipsec-tunnels/tnl-1")).toMatchObject({ body: { status: "DELETED" } });
    expect(await ask(emulator, "GET /ipsec-tunnels")).toMatchObject({ body: { content: [], totalElements: 0 } });
  });

  it("sends 503 when its back end takes too long, and the work still happens", async () => {
    const emulator = await asNetfoundry({ gatewayTimeoutMs: 20 });
    emulator.faults.delayNext({ delayMs: 200 });
    expect((await ask(emulator, "POST /ipsec-tunnels", tunnel)).status).toBe(503);
    while (emulator.tunnels().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(preset.gatewayTimeoutMs).toBeGreaterThan(0);
  });

  it("takes the zId of an environment, and refuses its name", async () => {
    const emulator = await asNetfoundry();
    emulator.seedTunnel();
    const [zId, name] = ["ijcrWb-ZOq", "datacenter-1"];
    const create = (envZId: string) => ask(emulator, "POST /ipsec-shares", { ...share("tnl-1"), envZId });
    const message = "Value for `envZId` must be of `identifier of an environment`";
    expect(await create(name)).toMatchObject({ status: 400, body: { error: "invalid_request", message } });
    expect((await create(zId)).status).toBe(202);
    expect(await ask(emulator, "PATCH /ipsec-shares/shr-1", { envZId: name })).toMatchObject({ status: 400 });
    emulator.seedDemo();
    expect(emulator.shares().map(({ envZId }) => envZId)).toEqual(emulator.shares().map(() => zId));
  });
});

describe("a token", () => {
  it.each<[Partial<Settings>, number]>([
    [{ tokens: {} }, 401],
    [{ tokens: { "emulator-token": ["fd-2"] } }, 403],
    [{ tokens: { "emulator-token": ["*"] } }, 200],
    [{ ipsecSharesDisabledFor: ["fd-1"] }, 403],
  ])("opens what %j says", async (settings, status) => {
    expect((await ask(await own(settings), "GET /ipsec-shares")).status).toBe(status);
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
