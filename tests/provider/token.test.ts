import type { Config, Credentials } from "../../provider/config";
import { Client } from "../../provider/http/client";
import type { Received, Sent } from "../../provider/http/send";
import { VirtualClock } from "../harness/virtual-clock";
import { Redactor } from "../../provider/http/redact";

const tokenUrl = "https://id.example.com/oauth/token";

const credentials: Extract<Credentials, { kind: "client" }> = {
  kind: "client",
  tokenUrl,
  clientId: "ann",
  clientSecret: 'canary"secret/1+',
  audience: undefined,
  scope: undefined,
  request: "json",
  source: "frontdoor:clientId and frontdoor:clientSecret",
  urlSource: "frontdoor:tokenUrl",
};

const ok = (body: unknown): Received => ({ status: 200, headers: {}, text: JSON.stringify(body) });

/** A client whose requests are answered by `answer`, which is told how many tokens were asked for before. */
const open = (
  answer: (request: Sent, tokens: number) => Received | Promise<Received>,
  change: Partial<typeof credentials> = {},
) => {
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
    isOneTunnelPerLocation: true,
    places: {},
  };
  const said: string[] = [];
  const client = new Client(config, send, clock, { say: (line) => said.push(line) });
  const get = (seconds = 120, signal?: AbortSignal) =>
    client.call({
      method: "GET",
      path: "/v2/fd-1/x",
      until: { deadlineMs: clock.now() + seconds * 1000, ...(signal && { signal }) },
    });
  const post = () =>
    client.call({ method: "POST", path: "/v2/fd-1/x", body: {}, until: { deadlineMs: clock.now() + 120_000 } });
  return {
    clock,
    get,
    post,
    said,
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

const refused: Received = {
  status: 403,
  headers: {},
  text: '{"error":"not_found","message":"front door fd-1 was not found"}',
};

describe("client credentials", () => {
  it("ask for one token however many calls begin at once", async () => {
    const { get, requests } = open(issuing());
    await Promise.all([get(), get(), get()]);
    expect(requests()).toEqual(["token", "Bearer token-1", "Bearer token-1", "Bearer token-1"]);
  });

  const down: Received = { status: 503, headers: {}, text: '{"error_description":"canary\\"secret/1+ is down"}' };

  it.each([
    ["twice is down", (tokens: number) => (tokens < 2 ? down : undefined), 1],
    ["is down", () => down, 1],
    ["refuses", () => ({ ...down, status: 400 }), 0],
    ["answers", () => undefined, 0],
  ])("say once that they are sent again, at the first failed try: the endpoint %s", async (...[, fails, lines]) => {
    const { get, said, clock } = open(
      (request, tokens) => (request.url === tokenUrl ? fails(tokens) : undefined) ?? issuing()(request, tokens),
    );
    const began = clock.now();
    let saidMs: number | undefined;
    const push = said.push.bind(said);
    said.push = (line) => {
      saidMs ??= clock.now() - began;
      return push(line);
    };
    await get().catch(() => undefined);
    expect([said.length, saidMs ?? 0]).toEqual([lines, 0]);
    for (const line of said) expect(line).toMatch(/^token request \(.*\): 503[^]*tries again, .* \[token-retried\]$/);
    expect(said.join()).not.toContain("canary");
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

  it.each([
    [3600, 2],
    ["3600", 2],
    [null, 1],
    [-1, 1],
    ["soon", 1],
  ])("renew before the token expires, where that is told (expires_in %j)", async (lifetime, tokens) => {
    const { get, requests, clock } = open(issuing(lifetime));
    await get();
    await clock.sleep(2800_000);
    await get();
    expect(requests()).toEqual(["token", "Bearer token-1", "Bearer token-1"]);
    await clock.sleep(100_000);
    await get();
    expect(requests().filter((request) => request === "token")).toHaveLength(tokens);
  });

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

  it.each<[string, Received, RegExp]>([
    [
      "a refusal",
      { status: 401, headers: {}, text: '{"error":"invalid_client","error_description":"no canary\\"secret/1+"}' },
      /401 invalid_client: no \[secret\]. .*\[client-refused\]$/,
    ],
    [
      "a redirect",
      { status: 307, headers: { location: "https://evil.example.com" }, text: "" },
      /307.*\[not-a-token\]$/,
    ],
    [
      "a page",
      { status: 200, headers: {}, text: "<html>" },
      /the response is not a token, because of a wrong or missing access_token/,
    ],
    ["another type of token", ok({ access_token: "t", token_type: "mac" }), /wrong or missing token_type/],
    ["a token that would break the header", ok({ access_token: "a\r\nx: 1" }), /wrong or missing access_token/],
  ])("tell what to do about %s", async (_name, answer, message) => {
    const { get } = open(() => answer);
    const error = (await get().catch((failure: unknown) => failure)) as Error;
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("canary");
  });

  const refusedBy = (status: number, text: string): Received => ({ status, headers: {}, text });
  it.each<[string, Partial<typeof credentials>, Received, RegExp]>([
    ["401", { request: "form" }, refusedBy(401, "{}"), /and frontdoor:tokenRequest \(it is form\)\./],
    ["a scope", {}, refusedBy(400, '{"error":"invalid_scope"}'), /and frontdoor:scope, and frontdoor:tokenRequest/],
    ["403", {}, refusedBy(403, "scope"), /Check frontdoor:clientId and frontdoor:clientSecret\. \[client-refused\]$/],
    [
      "a client of a file",
      { source: "clientId and password in /a.json (X)", urlSource: "authenticationUrl in /a.json (X)" },
      refusedBy(400, ""),
      /token request \(authenticationUrl in \/a\.json \(X\)\): 400\. .*Check clientId and password in \/a\.json \(X\), and/,
    ],
  ])("are refused with the settings of their form: %s", async (_, change, answer, message) => {
    const { get } = open(() => answer, change);
    const error = (await get().catch((failure: unknown) => failure)) as Error;
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/\[client-refused\]$/);
  });

  it("are asked for a few times alone, not once more for each try of the call", async () => {
    const { get, sent } = open(() => ({ status: 500, headers: {}, text: "" }));
    await expect(get()).rejects.toMatchObject({ trouble: { kind: "unreachable", beforeSending: true } });
    expect(sent.length).toBeLessThanOrEqual(10);
  });

  describe("whose token ends early, and is answered with 403", () => {
    /** Each token is good for so many calls. */
    const ending = (calls: number) => {
      const used = new Map<string, number>();
      return (request: Sent, tokens: number): Received => {
        if (request.url === tokenUrl) return issuing()(request, tokens);
        const header = request.headers["authorization"] ?? "";
        used.set(header, (used.get(header) ?? 0) + 1);
        return (used.get(header) ?? 0) > calls ? refused : ok({});
      };
    };

    it("renew it once and send the call once more, writes too", async () => {
      const { get, post, requests, clock } = open(ending(1));
      await get();
      for (let tokens = 1; tokens < 3; tokens++) {
        await clock.sleep(60_000);
        await post();
      }
      expect(requests()).toEqual([
        "token",
        "Bearer token-1",
        "Bearer token-1",
        "token",
        "Bearer token-2",
        "Bearer token-2",
        "token",
        "Bearer token-3",
      ]);
    });
  });

  it("believe a 403 to a token fetched just now, and name the front door and their own access", async () => {
    const { get, requests } = open((request, tokens) =>
      request.url === tokenUrl ? issuing()(request, tokens) : refused,
    );
    await expect(Promise.all([get(), get(), get()])).rejects.toThrow("Check the id in frontdoor:frontdoorId.");
    await expect(get()).rejects.toThrow("403");
    expect(requests().filter((request) => request === "token")).toHaveLength(1);
  });

  describe("while the token endpoint takes 20 s", () => {
    const slow = () => {
      const opened = open(async (request, tokens) => {
        if (request.url === tokenUrl) await opened.clock.sleep(20_000);
        return issuing()(request, tokens);
      });
      return opened;
    };

    it("let each call wait as long as its own deadline, and fetch one token for the others", async () => {
      const { get, requests, clock, sent } = slow();
      const [short, long] = await Promise.allSettled([
        get(2).catch((error: unknown) => ({ error, atMs: clock.now() })),
        get(120),
      ]);
      expect(short).toMatchObject({
        value: { atMs: 2000, error: { trouble: { kind: "unreachable", mayHaveRun: false, beforeSending: true } } },
      });
      expect(long.status).toBe("fulfilled");
      expect(requests()).toEqual(["token", "Bearer token-1"]);
      expect(sent[0]?.timeoutMs).toBe(30_000);
    });

    it("ask no more once the run is stopped", async () => {
      const { get, requests, sent, clock } = slow();
      const stopping = new AbortController();
      const stopped = Promise.allSettled([get(120, stopping.signal), get(60, stopping.signal)]);
      await clock.sleep(1000);
      stopping.abort();
      const late = { status: "rejected", reason: expect.objectContaining({ code: "token-late" }) as unknown };
      expect(await stopped).toEqual([late, late]);
      expect(sent[0]?.signal?.aborted).toBe(true);
      await clock.sleep(120_000);
      expect(requests()).toEqual(["token"]);
    });
  });
});

const secret = 'pass/wörd "1" of-ours+';

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("redactor", () => {
  const redactor = new Redactor();
  redactor.addCredentials(secret, "abcd");

  it.each([
    ["raw", secret],
    ["base64", base64(secret)],
    ["base64url", Buffer.from(secret).toString("base64url")],
    ["URL", encodeURIComponent(secret)],
    ["URL, lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["form", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["URL with a byte for each letter", [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join("")],
    ["base64 inside JSON", base64(secret).replaceAll("/", "\\/")],
    ["base64 inside a URL", encodeURIComponent(base64(secret).replace("=", ""))],
  ])("takes out %s", (_spelling, text) => {
    expect(redactor.clean(`a ${text} b`)).toBe("a [secret] b");
  });

  it.each([
    ["JSON", JSON.stringify(secret).slice(1, -1)],
    ["JSON in ASCII, slashes escaped", 'pass\\/w\\u00f6rd \\"1\\" of-ours+'],
    ["JSON in ASCII, as Go and Gson write it", "pass\\u002fw\\u00F6rd \\u00221\\u0022 of-ours\\u002b"],
  ])("redacts a whole text that hides a secret of several words: %s", (_spelling, text) => {
    expect(redactor.clean(`a ${text} b`)).toBe("[secret]");
  });

  it.each(["", "x", "id:", "abc:"])("takes it out of the base64 of a longer text (%s…)", (before) => {
    const inner = base64(secret).slice(4, 20);
    expect(redactor.clean(base64(`${before}${secret}:more`))).toContain("[secret]");
    expect(redactor.clean(base64(`${before}${secret}:more`))).not.toContain(inner);
  });

  it("takes out the host of a secret address by itself, too", () => {
    const addresses = new Redactor();
    addresses.addAll({ web: { target: "vault.hidden.internal:8200", ingressPort: 443 } });
    expect(addresses.clean("vault.hidden.internal refused 443")).toBe("[secret] refused 443");
  });

  it("leaves a short secret in an answer's values: it can be there by accident", () => {
    expect(redactor.cleanAnswer('{"name":"abcde"}')).toBe('{"name":"abcde"}');
    expect(redactor.clean("abcde")).toBe("[secret]e");
  });

  it("takes out what several secrets have in common once", () => {
    const overlapping = new Redactor();
    overlapping.addAll(["one-and-two", "two-and-three"]);
    expect(overlapping.clean("a one-and-two-and-three b")).toBe("a [secret] b");
    expect(overlapping.clean("one-and-twotwo-and-three")).toBe("[secret]");
  });

  it("keeps the escapes of everything else", () => {
    const text = "50 % of \\u0041 %41 \\n %c3 %zz \\";
    expect(redactor.clean(text)).toBe(text);
    expect(redactor.clean(`${text}abcd${text}`)).toBe(`${text}[secret]${text}`);
  });

  it("takes secrets out of every value and key of a parsed answer", () => {
    redactor.addCredentials("1234567890123456");
    const parsed = JSON.parse(
      `{"name":${JSON.stringify(secret)},"__proto__":1,"list":[{"x ${encodeURIComponent(secret)}":[1234567890123456,7,null,true]}]}`,
    ) as unknown;
    expect(JSON.stringify(redactor.cleanParsed(parsed))).toBe(
      '{"name":"[secret]","__proto__":1,"list":[{"x [secret]":["[secret]",7,null,true]}]}',
    );
  });
});
