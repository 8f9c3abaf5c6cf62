import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { checked } from "../../../provider/api/wire";
import { systemClock } from "../../../provider/time";
import type { Config } from "../../../provider/config";
import { troubleOf } from "../../../provider/errors";
import { Client } from "../../../provider/http/client";
import { Redactor } from "../../../provider/http/redact";
import { openPool } from "../../../provider/http/send";

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
        ...{ takeOver: "interrupted", isOneTunnelPerLocation: true, ...change },
      },
      pool.send,
      clock,
      inputs,
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

  it("reads a compressed answer, and refuses one that is too long once decoded", async () => {
    let body = gzipSync('{"content":[]}');
    const { origin } = await listening((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(body);
    });
    expect((await get(clientOf(origin))).body).toEqual({ content: [] });
    body = gzipSync(Buffer.alloc(200_000_000));
    expect(troubleOf(await failure(get(clientOf(origin))))).toMatchObject({ kind: "unexpected-response" });
  });

  it("reads JSON behind a byte order mark", async () => {
    const { origin } = await listening((_request, response) => response.end('\uFEFF{"content":[]}'));
    expect((await get(clientOf(origin))).body).toEqual({ content: [] });
  });

  it.each([
    ["JSON of another shape", "[]", 5],
    ["what is not JSON", "{", 10],
  ])("repeats %s, and never for a look", async (_name, text, tries) => {
    const { origin, seen } = await listening((_request, response) => response.end(text));
    const read = (body: unknown) => checked(z.object({}), body, "GET");
    const call = { method: "GET", path: "/v2/x", read, until: until() } as const;
    await failure(clientOf(origin).call(call));
    expect(seen).toHaveLength(tries);
    await failure(clientOf(origin).call({ ...call, isPoll: true }));
    expect(seen).toHaveLength(tries + 1);
  });

  it("gives up on an endless answer within the time of one request", async () => {
    const { origin } = await listening((_request, response) => {
      response.writeHead(200).write("{");
    });
    const call = clientOf(origin, { requestTimeoutMs: 100 }).call({
      method: "PATCH",
      path: "/v2/x",
      body: {},
      until: until(),
    });
    expect(troubleOf(await failure(call))).toEqual({ kind: "unreachable", mayHaveRun: true });
  });

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

  it.each([
    [/This machine's clock is (599|600) s behind.* \[clock-behind\]$/, 401, 600],
    [/This machine's clock is 60[01] s ahead.* \[clock-behind\]$/, 401, -600],
    [/frontdoor:token.* \[token-refused\]$/, 401, 0],
    [/Check the id in frontdoor:frontdoorId\. "frontdoor ids" lists the ids\. \[not-found-front-door\]$/, 403, 0],
  ])("says: %s", async (words, status, aheadSeconds) => {
    const { origin } = await listening((_request, response) => {
      response.writeHead(status, { date: new Date(Date.now() + aheadSeconds * 1000).toUTCString() });
      response.end(
        JSON.stringify(
          status === 401
            ? { error: "unauthorized", message: "Bearer token is missing or invalid" }
            : { error: "not_found", message: "no front door" },
        ),
      );
    });
    const { message } = await failure(get(clientOf(origin)));
    expect(message).toMatch(words);
    expect(message).not.toContain("canary-token");
  });

  it.each([
    ["Value for `envZId` must be of `environment`", true],
    ["Environment datacenter-1 was not found", true],
    ["Value for `name` must be of `string`", false],
  ])("names the command that lists environments: %s, %s", async (message, isNamed) => {
    const { origin } = await listening((_request, response) => {
      response.writeHead(400).end(JSON.stringify({ error: "invalid_request", message }));
    });
    const remedy = '"frontdoor ids" lists the zId of each environment. [refused]';
    expect((await failure(get(clientOf(origin)))).message.endsWith(remedy)).toBe(isNamed);
  });

  it("shows the service's words without control codes and cut", async () => {
    const { origin } = await listening((_request, response) => {
      response
        .writeHead(400)
        .end(JSON.stringify({ error: "invalid_request", message: `\u001b[31mred\u202e\r\n${"x".repeat(9999)}` }));
    });
    const { message } = await failure(get(clientOf(origin)));
    expect(message).toMatch(/invalid_request: \[31mred x+…\. .* \[refused\]$/);
    expect(message.length).toBeLessThan(450);
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
