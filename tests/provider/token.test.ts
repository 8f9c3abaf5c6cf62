import type { Config, Credentials } from "../../provider/config";
import { mayHaveRun } from "../../provider/api/collection";
import { isRefused } from "../../provider/errors";
import { Client } from "../../provider/http/client";
import type { Received, Sent } from "../../provider/http/send";
import { VirtualClock } from "./virtual-clock";

const tokenUrl = "https://id.example.com/oauth/token";
const credentials: Extract<Credentials, { kind: "client" }> = {
  kind: "client",
  tokenUrl,
  clientId: "ann",
  clientSecret: 'canary"secret/1+',
  audience: undefined,
  scope: undefined,
  request: "json",
};
const ok = (body: unknown): Received => ({ status: 200, headers: {}, text: JSON.stringify(body) });

/** A client whose requests are answered by `answer`, which is told how many tokens were asked for before. */
const open = (answer: (request: Sent, tokens: number) => Received, change: Partial<typeof credentials> = {}) => {
  const clock = new VirtualClock(() => undefined);
  const sent: Sent[] = [];
  const send = async (request: Sent) => {
    const tokens = sent.filter(({ url }) => url === tokenUrl).length;
    sent.push(request);
    await Promise.resolve();
    return answer(request, tokens);
  };
  const config: Config = {
    baseUrl: "https://gateway.example.com/frontdoor",
    frontdoorId: "fd-1",
    credentials: { ...credentials, ...change },
    requestTimeoutMs: 30_000,
    requestsPerSecond: 1000,
    takeOver: "interrupted",
  };
  const client = new Client(config, send, clock);
  const get = () => client.call({ method: "GET", path: "/v2/x", until: { deadlineMs: clock.now() + 120_000 } });
  return {
    clock,
    get,
    sent,
    requests: () => sent.map(({ url, headers }) => (url === tokenUrl ? "token" : headers["authorization"])),
  };
};
const issuing =
  (lifetime: unknown = 3600) =>
  (request: Sent, tokens: number) =>
    ok(
      request.url === tokenUrl
        ? { access_token: `token-${tokens + 1}`, token_type: "Bearer", expires_in: lifetime }
        : {},
    );

describe("client credentials", () => {
  it("ask for one token however many calls begin at once", async () => {
    const { get, requests } = open(issuing());
    await Promise.all([get(), get(), get()]);
    expect(requests()).toEqual(["token", "Bearer token-1", "Bearer token-1", "Bearer token-1"]);
  });

  it.each([
    [
      "json",
      "application/json",
      '{"grant_type":"client_credentials","audience":"aud","scope":"a b","client_id":"ann","client_secret":"canary\\"secret/1+"}',
      undefined,
    ],
    [
      "form",
      "application/x-www-form-urlencoded",
      "grant_type=client_credentials&audience=aud&scope=a+b",
      `Basic ${Buffer.from("ann:canary%22secret%2F1%2B").toString("base64")}`,
    ],
  ] as const)("are sent as %s", async (request, type, body, authorization) => {
    const { get, sent } = open(issuing(), { request, audience: "aud", scope: "a b" });
    await get();
    expect(sent[0]).toMatchObject({ method: "POST", body, headers: { "content-type": type } });
    expect(sent[0]?.headers["authorization"]).toBe(authorization);
  });

  it.each([[3600], ["3600"], [undefined], [-1], ["soon"]])(
    "renew before the token expires (expires_in %j)",
    async (lifetime) => {
      const { get, requests, clock } = open(issuing(lifetime));
      await get();
      await clock.sleep(3600_000 - 30_000);
      await get();
      expect(requests()).toEqual(["token", "Bearer token-1", "token", "Bearer token-2"]);
    },
  );

  it("renew once on a 401 and send the call once more", async () => {
    const answer = (request: Sent, tokens: number): Received =>
      request.headers["authorization"] === "Bearer token-1"
        ? { status: 401, headers: {}, text: "" }
        : issuing()(request, tokens);
    const { get, requests } = open(answer);
    await Promise.all([get(), get()]);
    expect(requests().filter((request) => request === "token")).toHaveLength(2);
    expect(requests().filter((request) => request === "Bearer token-2")).toHaveLength(2);
  });

  it("give up after one renewal, and compare the clocks", async () => {
    const { get, requests } = open((request, tokens) =>
      request.url === tokenUrl
        ? issuing()(request, tokens)
        : {
            status: 401,
            headers: { date: new Date(Date.now() + 600_000).toUTCString() },
            text: '{"error":"unauthorized","message":"expired"}',
          },
    );
    await expect(get()).rejects.toThrow(/this machine's clock is (599|600) s behind/);
    expect(requests()).toEqual(["token", "Bearer token-1", "token", "Bearer token-2"]);
  });

  it("survive a token endpoint that fails for a while", async () => {
    const { get, requests } = open((request, tokens) =>
      request.url === tokenUrl && tokens < 3 ? { status: 503, headers: {}, text: "" } : issuing()(request, tokens),
    );
    await get();
    expect(requests()).toEqual(["token", "token", "token", "token", "Bearer token-4"]);
  });

  it.each<[string, Received, RegExp]>([
    [
      "a refusal",
      { status: 401, headers: {}, text: '{"error":"invalid_client","error_description":"no canary\\"secret/1+"}' },
      /401 invalid_client: no \[secret\]; check frontdoor:tokenUrl, clientId/,
    ],
    [
      "a redirect",
      { status: 307, headers: { location: "https://evil.example.com" }, text: "" },
      /redirects are never followed/,
    ],
    [
      "a page",
      { status: 200, headers: {}, text: "<html>" },
      /the answer is not a token: wrong or missing access_token/,
    ],
    ["another type of token", ok({ access_token: "t", token_type: "mac" }), /wrong or missing token_type/],
    ["a token that would break the header", ok({ access_token: "a\r\nx: 1" }), /wrong or missing access_token/],
  ])("tell what to do about %s", async (_name, answer, message) => {
    const { get } = open(() => answer);
    const error = (await get().catch((failure: unknown) => failure)) as Error;
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("canary");
  });

  it("are asked for a few times alone, not once more for each try of the call", async () => {
    const { get, sent } = open(() => ({ status: 500, headers: {}, text: "" }));
    await expect(get()).rejects.toMatchObject({ trouble: { kind: "unreachable", beforeSending: true } });
    expect(sent.length).toBeLessThanOrEqual(10);
  });

  it("that are refused are no answer of the service's to the call", async () => {
    const { get } = open(() => ({ status: 404, headers: {}, text: "" }));
    const error: unknown = await get().catch((reason: unknown) => reason);
    expect(isRefused(error, 404)).toBe(false);
    expect(mayHaveRun(error)).toBe(false);
  });

  it("are never shown by the service's words, in any spelling", async () => {
    const spellings = [
      "token-1",
      Buffer.from("token-1").toString("base64"),
      'canary\\"secret/1+',
      encodeURIComponent(credentials.clientSecret),
    ];
    const { get } = open((request, tokens) =>
      request.url === tokenUrl
        ? issuing()(request, tokens)
        : { status: 400, headers: {}, text: JSON.stringify({ error: "x", message: spellings.join(" ") }) },
    );
    await expect(get()).rejects.toThrow("x: [secret] [secret] [secret] [secret]");
  });
});
