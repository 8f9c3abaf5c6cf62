import type { Emulator } from "../../emulator";
import { ask, own } from "./own";

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

  it("meets faults like any other request", async () => {
    const emulator = await own();
    emulator.faults.answerNext({ path: "/oauth/", status: 503 });
    expect((await ask(emulator, "GET /ipsec-shares")).status).toBe(200);
    expect((await fetch(emulator.tokenUrl, { method: "POST" })).status).toBe(503);
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
