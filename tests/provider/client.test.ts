import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { once } from "node:events";
import { systemClock } from "../../provider/time";
import type { Config } from "../../provider/config";
import { troubleOf } from "../../provider/errors";
import { Client } from "../../provider/http/client";
import { Redactor } from "../../provider/http/redact";
import { openPool, unanswered } from "../../provider/http/send";
import { retryAfterMs } from "../../provider/http/pace";

const clock = { ...systemClock, sleep: () => Promise.resolve() };

describe("client", () => {
  const opened: { close: () => Promise<unknown> }[] = [];
  const listening = (listener: RequestListener): Promise<{ origin: string; seen: string[] }> => {
    const seen: string[] = [];
    const server: Server = createServer((request, response) => {
      seen.push(`${request.method ?? ""} ${request.url ?? ""}`);
      listener(request, response);
    });
    opened.push({
      close: () =>
        new Promise((resolve) => {
          server.close(resolve).closeAllConnections();
        }),
    });
    return new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () => {
        resolve({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen });
      }),
    );
  };
  const clientOf = (origin: string, change: Partial<Config> = {}, inputs?: Redactor) => {
    const baseUrl = `${origin}/frontdoor`;
    const pool = openPool();
    opened.push(pool);
    const credentials = { kind: "bearer", token: "canary-token", source: "frontdoor:token" } as const;
    return new Client(
      {
        ...{ baseUrl, frontdoorId: "fd-1", credentials, requestTimeoutMs: 5000, requestsPerSecond: 1000 },
        ...{ takeOver: "interrupted", isOneTunnelPerLocation: true, places: {}, ...change },
      },
      pool.send,
      clock,
      inputs && { redactor: inputs },
    );
  };
  const until = () => ({ deadlineMs: clock.now() + 60_000 });
  const get = (client: Client) => client.call({ method: "GET", path: "/v2/fd-1/ipsec-shares", until: until() });
  const failure = async (promise: Promise<unknown>): Promise<Error> => {
    const outcome = await promise.catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(Error);
    return outcome as Error;
  };

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  });

  it("hints at the address where a path is unknown that every front door has, but not for the service's own error", async () => {
    let body = '{"error":"not found"}';
    const { origin } = await listening((_, response) => {
      response.writeHead(404, { "content-type": "application/json" }).end(body);
    });
    expect(await failure(get(clientOf(origin)))).toMatchObject({ code: "not-the-service" });
    body = '{"error":"Not Found","path":"/frontdoor/v2/x"}';
    const ofGateway = { code: "not-the-service", trouble: { kind: "unexpected-response" } };
    expect(await failure(get(clientOf(origin)))).toMatchObject(ofGateway);
    body = '{"error":"not_found","message":"no such tunnel"}';
    const own = await failure(get(clientOf(origin)));
    expect(own).toMatchObject({ code: "refused" });
    expect(own.message).toMatch(/no such tunnel/);
    expect(own.message).not.toMatch(/baseUrl/);
    const one = { method: "GET", path: "/v2/fd-1/ipsec-shares/shr-1", until: until() } as const;
    expect(await failure(clientOf(origin).call(one))).toMatchObject({ code: "refused" });
  });

  it("asks for no further page of a list long after the deadline, and still for one of a last look", async () => {
    const { origin, seen } = await listening((_, response) => {
      response.end('{"content":[]}');
    });
    const page = (lateMs: number) =>
      clientOf(origin).call({
        method: "GET",
        path: "/v2/fd-1/ipsec-shares",
        isMore: true,
        until: { deadlineMs: clock.now() - lateMs },
      });
    expect((await page(0)).status).toBe(200);
    expect((await failure(page(6000))).message).toMatch(/the list did not end before the deadline.*\[list-too-slow\]$/);
    expect(seen).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])("never follows a %i to another server", async (status) => {
    const other = await listening((_request, response) => response.end("{}"));
    const { origin, seen } = await listening((_request, response) => {
      response.writeHead(status, { location: `${other.origin}/frontdoor/v2/fd-1/ipsec-shares` }).end();
    });
    const error = await failure(
      clientOf(origin).call({ method: "POST", path: "/v2/fd-1/ipsec-shares", body: {}, until: until() }),
    );
    expect(troubleOf(error)).toMatchObject({ kind: "unexpected-response", status });
    expect(other.seen).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  it("reads a compressed answer, and refuses one that is too long, sent as it is or once decoded", async () => {
    let body = gzipSync('{"content":[]}');
    let headers: Record<string, string> = { "content-encoding": "gzip" };
    const { origin } = await listening((_request, response) => response.writeHead(200, headers).end(body));
    for (const encoding of ["gzip", "GZIP", "x-gzip"]) {
      headers = { "content-encoding": encoding };
      expect((await get(clientOf(origin))).body).toEqual({ content: [] });
    }
    const tooLong = Buffer.alloc(20_000_000);
    for (const [sent, encoding] of [
      [gzipSync(tooLong), { "content-encoding": "gzip" }],
      [tooLong, {}],
    ] as const) {
      [body, headers] = [sent, encoding];
      const error = await failure(get(clientOf(origin)));
      expect(error.message).toMatch(/the response is longer than \d+ MB/);
      expect(troubleOf(error)).toMatchObject({ kind: "unexpected-response" });
    }
  });

  it.each([
    ["stops", 0],
    ["goes on for ever", 20],
  ])(
    "gives up within the time of one request on an answer that %s after its first byte",
    async (_how, everyMs) => {
      const { origin } = await listening((_request, response) => {
        response.writeHead(200).write("{");
        if (everyMs === 0) return;
        const timer = setInterval(() => response.write(" "), everyMs);
        response.on("close", () => {
          clearInterval(timer);
        });
      });
      const client = clientOf(origin, { requestTimeoutMs: 100 });
      const call = client.call({ method: "PATCH", path: "/v2/x", body: {}, until: until() });
      expect(troubleOf(await failure(call))).toEqual({ kind: "unreachable", mayHaveRun: true });
    },
    10_000,
  );

  it("ends a read that is stopped while it is under way, and lets a write finish", async () => {
    const stopping = new AbortController();
    const { origin } = await listening(() => {
      stopping.abort();
    });
    const call = { path: "/v2/x", until: { ...until(), signal: stopping.signal } };
    const error = await failure(clientOf(origin).call({ ...call, method: "GET" }));
    expect(error).toMatchObject({ code: "stopped", trouble: { kind: "unreachable", mayHaveRun: true } });
    const other = new AbortController();
    const patched = await listening((_request, response) => {
      other.abort();
      setImmediate(() => response.end("{}"));
    });
    const patch = { ...call, method: "PATCH", body: {}, until: { ...until(), signal: other.signal } } as const;
    expect((await clientOf(patched.origin).call(patch)).status).toBe(200);
  });

  it("knows when nothing can have been sent", async () => {
    const { origin } = await listening(() => undefined);
    for (const each of opened.splice(0)) await each.close();
    expect(troubleOf(await failure(get(clientOf(origin))))).toMatchObject({ kind: "unreachable", mayHaveRun: false });
  });

  it.each(["EHOSTUNREACH", "EPROTO"])(
    "repeats no write whose connection breaks with %s once it was sent",
    async (code) => {
      const sockets: Socket[] = [];
      const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
      subscribe("net.client.socket", note);
      const { origin, seen } = await listening(() => sockets[0]?.destroy(Object.assign(new Error(code), { code })));
      const call = { method: "POST", path: "/v2/x", body: {}, until: until() } as const;
      const error = await failure(clientOf(origin).call(call));
      unsubscribe("net.client.socket", note);
      expect(error).toMatchObject({ code: "connection-lost", trouble: { kind: "unreachable", mayHaveRun: true } });
      expect(seen).toEqual(["POST /frontdoor/v2/x"]);
    },
  );

  const unauthorized = { error: "unauthorized", message: "Bearer token is missing or invalid" };
  const invalid = (message: string) => ({ error: "invalid_request", message });
  const forEnvironments = '"npx pulumi-frontdoor ids" lists the zId of each environment. [refused]';
  const withoutReason = /422\. Frontdoor .* without a reason\. .*\[refused\]$/;
  it.each<[status: number, body: unknown, says: string | RegExp, aheadSeconds?: number]>([
    [401, unauthorized, /This machine's clock is (599|600) s behind.* \[clock-behind\]$/, 600],
    [401, unauthorized, /This machine's clock is 60[01] s ahead.* \[clock-behind\]$/, -600],
    [401, unauthorized, /frontdoor:token.* \[token-refused\]$/, 0],
    [401, unauthorized, /frontdoor:token.* \[token-refused\]$/, NaN],
    [
      403,
      { error: "not_found", message: "no front door" },
      /Check the id in frontdoor:frontdoorId\. "npx pulumi-frontdoor ids" lists the ids\. \[not-found-front-door\]$/,
    ],
    [400, invalid("Value for `envZId` must be of `environment`"), forEnvironments],
    [400, invalid("Environment datacenter-1 was not found"), forEnvironments],
    [400, invalid("Value for `name` must be of `string`"), /^(?!.*lists the zId).* \[refused\]$/],
    [403, { error: "quota_exceeded", message: "no more shares" }, /\[limit-reached\]$/],
    [409, { error: "conflict", message: "The limit of 50 shares has been reached" }, /\[limit-reached\]$/],
    [422, invalid("maximum number of tunnels"), /\[limit-reached\]$/],
    [422, "", withoutReason],
    [422, "{}", withoutReason],
    [422, "no", withoutReason],
    [
      400,
      { errors: ["bad peer", "bad CIDR"], status: { code: 400, label: "x" }, traceId: "1a2b" },
      "400 bad peer: bad CIDR (trace 1a2b). ",
    ],
    [400, { errors: [{ code: "BAD", message: "not allowed", field: "target" }] }, "400 BAD: not allowed: target. "],
    [400, { type: "about:blank", title: "Bad", detail: "target bad" }, "400 target bad. "],
    [
      409,
      { error: { code: "busy", message: "try later", cause: "move", requestId: "r-7" }, meta: {} },
      "409 busy: try later: move (trace r-7). ",
    ],
    [500, { error: "Internal", message: "no", status: 500, timestamp: "t", path: "/v2/x" }, "500 Internal: no. "],
    [400, { error: null, message: "canary-token is bad" }, "400 [secret] is bad. "],
    // A path is one of the gateway.
    [
      404,
      { error: "Not Found", message: "", timestamp: "t", path: "/v2/x" },
      /frontdoor:baseUrl.*\[not-the-service\]$/,
    ],
    [
      400,
      invalid(`\u001b[31mred\u202e\r\n${"x".repeat(9999)}`),
      /^(?=.{0,449}$).*invalid_request: \[31mred x+…\. .* \[refused\]$/,
    ],
  ])("tells what to do about each answer: %#, a %i", async (...[status, body, says, aheadSeconds = 0]) => {
    const date = new Date(Date.now() + aheadSeconds * 1000).toUTCString();
    const { origin } = await listening((_request, response) =>
      response.writeHead(status, { date }).end(typeof body === "string" ? body : JSON.stringify(body)),
    );
    const { message } = await failure(get(clientOf(origin)));
    expect(message).toMatch(says);
    expect(message).not.toContain("canary");
  });

  describe("a service that repeats the token", () => {
    const token = "canary/token+of=16letters";
    const credentials = { kind: "bearer", token, source: "frontdoor:token" } as const;
    const answering = (body: string, headers = {}, status = 200) =>
      listening((_request, response) => response.writeHead(status, headers).end(body));

    it.each([
      ["as it is", token],
      ["as Go and Gson write JSON", "canary\\u002ftoken\\u002bof\\u003d16letters"],
      ["in base64 with escaped padding", Buffer.from(token).toString("base64").replaceAll("=", "\\u003d")],
    ])("%s gets it into no value and no key", async (_spelling, spelled) => {
      const { origin } = await answering(`{"name":"a ${spelled} b","${spelled}":{"list":["${spelled}"]}}`);
      const { body } = await get(clientOf(origin, { credentials }));
      expect(body).toEqual({ name: "a [secret] b", "[secret]": { list: ["[secret]"] } });
    });

    it("gets it into no text and no location", async () => {
      const { origin } = await answering(`key ${token}`, { location: `/x/${encodeURIComponent(token)}` });
      const call = { method: "GET", path: "/v2/x", accept: "text/plain", until: until() } as const;
      expect(await clientOf(origin, { credentials }).call(call)).toMatchObject({
        body: "key [secret]",
        location: "[secret]",
      });
    });

    it("gets no part of a secret input into a message that is cut", async () => {
      const input = "vault.hidden.internal:8200";
      const { origin } = await answering(JSON.stringify({ message: `${"x".repeat(290)} ${input}` }), {}, 400);
      const inputs = new Redactor();
      inputs.addAll(input);
      const { message } = await failure(get(clientOf(origin, {}, inputs)));
      expect(message).not.toContain("vault");
    });
  });

  it("refuses an answer that is nested too deeply", async () => {
    const { origin } = await listening((_request, response) => response.end("[".repeat(1e6) + "]".repeat(1e6)));
    const call = { method: "GET", path: "/v2/x", isPoll: true, until: until() } as const;
    expect(troubleOf(await failure(clientOf(origin).call(call)))).toMatchObject({ kind: "unexpected-response" });
  });
});

describe("Retry-After", () => {
  const wallMs = Date.UTC(2026, 0, 1, 12);
  const after = (seconds: number) => new Date(wallMs + seconds * 1000).toUTCString();

  it.each([
    ["seconds", { "retry-after": "3" }, 3000],
    ["a date", { "retry-after": after(3) }, 3000],
    ["a date of a server whose clock is an hour ahead", { "retry-after": after(3603), date: after(3600) }, 3000],
    ["a date of a server whose clock is an hour behind", { "retry-after": after(-3597), date: after(-3600) }, 3000],
    ["a date beside one that can't be read", { "retry-after": after(3), date: "today" }, 3000],
    ["seconds, whatever the server's clock", { "retry-after": "3", date: after(3600) }, 3000],
    ["a date in the past", { "retry-after": after(-3) }, undefined],
    ["more than a day", { "retry-after": "86401" }, undefined],
    ["text", { "retry-after": "soon" }, undefined],
    ["nothing", {}, undefined],
  ])("reads %s", (_what, headers, ms) => {
    expect(retryAfterMs(headers, wallMs)).toBe(ms);
  });
});

describe("a server that is not reached", () => {
  const { send, close } = openPool();

  const plain = createServer((_, response) => {
    response.end();
  });

  let port: number;

  beforeAll(async () => {
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    ({ port } = plain.address() as AddressInfo);
  });

  afterAll(async () => {
    await close();
    plain.close();
  });

  const asked = (url: string, setting?: "frontdoor:tokenUrl") =>
    send({
      method: "GET",
      url,
      headers: {},
      timeoutMs: 5000,
      label: "GET /x",
      ...(setting && { setting, isToken: true }),
    });

  it("at the emulator's own port is named without an option", () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED", isConnecting: true });
    const request = { label: "GET /x", url: "http://127.0.0.1:8480/x" };
    expect(unanswered(refused, request).message).toBe(
      "GET /x: Nothing listens at 127.0.0.1:8480. Start the emulator: `npx pulumi-frontdoor emulator`. [unreachable]",
    );
  });

  it.each([
    [undefined, ""],
    ["10.0.0.0/8", " (it takes no networks such as 10.0.0.0/8)"],
  ])("is told apart from a proxy that is off, with NO_PROXY %j", async (networks, hint) => {
    const proxy = { HTTPS_PROXY: "http://user:canary@127.0.0.1:1", NO_PROXY: networks, no_proxy: networks };
    const environment = jest.replaceProperty(process, "env", { ...process.env, ...proxy });
    const pool = openPool();
    const request = { method: "GET", url: "https://gateway.example.com/x", headers: {}, timeoutMs: 5000 } as const;
    const asking = pool.send({ ...request, label: "GET /x" }).finally(() => {
      environment.restore();
    });
    await expect(asking).rejects.toThrow(
      `GET /x: nothing was reached at the proxy 127.0.0.1:1 (ECONNREFUSED). Check the URL in HTTPS_PROXY, or name gateway.example.com in NO_PROXY${hint}. [unreachable]`,
    );
    await pool.close();
  });

  it.each(["::bad", "ftp://127.0.0.1:1"])(
    "is not asked through a proxy with the invalid address %s",
    async (address) => {
      const environment = jest.replaceProperty(process, "env", { ...process.env, HTTPS_PROXY: address });
      const asking = asked("https://127.0.0.1:1/x").finally(() => {
        environment.restore();
      });
      await expect(asking).rejects.toMatchObject({ trouble: { kind: "failed" } });
      await expect(asking).rejects.toThrow(
        "GET /x: the environment names a proxy whose URL is invalid. Nothing was sent. Set HTTPS_PROXY or HTTP_PROXY to an http or https URL. [proxy-invalid]",
      );
    },
  );

  it.each([
    ["TLS version", 70],
    ["ciphers", 40],
    ["client without a certificate", 116],
  ])("is said to have failed the TLS handshake if it refuses the %s", async (_what, alert) => {
    const server = createTcpServer((socket) =>
      socket.once("data", () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert]))),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const asking = asked(`https://127.0.0.1:${(server.address() as AddressInfo).port}/x`).finally(() => server.close());
    await expect(asking).rejects.toMatchObject({ code: "tls-failed", trouble: { mayHaveRun: false } });
    await expect(asking).rejects.toThrow(/: the TLS handshake with 127\.0\.0\.1:\d+ failed \(ERR_SSL_\S+\)\. Let /);
  });

  it("is said to speak no TLS where a plain server has the port", async () => {
    await expect(asked(`https://127.0.0.1:${port}/x`)).rejects.toThrow(
      /: 127\.0\.0\.1:\d+ speaks no TLS at this port \(\w+\)\. Write http:\/\/ instead of https:\/\/ in frontdoor:baseUrl\. \[no-tls\]$/,
    );
  });
});
