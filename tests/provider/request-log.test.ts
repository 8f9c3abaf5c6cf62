import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FrontdoorError } from "../../provider/errors";
import { Client } from "../../provider/http/client";
import { Redactor } from "../../provider/http/redact";
import type { Send } from "../../provider/http/send";
import { removeFolder } from "../harness/folder";
import { openWithTunnel, port, type World } from "../harness/world";
import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import { type OpenAdapter, Secret, type Subject, typeTokens } from "../model/program";
import { VirtualClock } from "../harness/virtual-clock";

const folder = mkdtempSync(join(tmpdir(), "frontdoor-log-"));
afterAll(() => {
  removeFolder(folder);
});
let files = 0;
const newFile = () => join(folder, `${(files += 1)}.jsonl`);

interface Line {
  [key: string]: unknown;
  method: string;
  path: string;
}
const linesIn = (file: string): Line[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

const subjectOf = (kind: Subject["kind"], name = "web"): Subject => ({
  kind,
  urn: `urn:pulumi:test::office::${typeTokens[kind]}::${name}`,
});

const adapters: [string, OpenAdapter][] = [
  ["dynamic provider", dynamicAdapter],
  ["plugin", pluginAdapter],
];

describe.each(adapters)("the request log of the %s", (_name, open) => {
  const opened = async (file: string): Promise<[World, string, () => ReturnType<OpenAdapter>]> => {
    const [world, tunnelId] = await openWithTunnel({ token: "very-secret-token" }, undefined, () => ({
      FRONTDOOR_LOG: file,
    }));
    const { baseUrl } = world.config;
    const given: Record<string, string> = { "frontdoor:baseUrl": baseUrl, "frontdoor:frontdoorId": "fd-1" };
    return [world, tunnelId, () => open(world.service, (key) => given[key])];
  };

  it("has a line for each request of a resource, with its name and id, and no body, header or secret", async () => {
    const file = newFile();
    const [world, ipsecTunnelId, adapterOfRun] = await opened(file);
    const adapter = adapterOfRun();
    const share = subjectOf("shares");
    const args = {
      ...port(443),
      name: "acme-web",
      ipsecTunnelId,
      envZId: "env-1",
      target: new Secret("hush.internal:1"),
    };
    const { inputs } = await adapter.check(share, {}, args);
    world.emulator.faults.answerNext({
      method: "POST",
      status: 503,
      times: 1,
      body: { error: "busy", traceId: "7f3a" },
    });
    const { id, outputs } = await adapter.create(share, inputs);
    const changed = await adapter.check(share, inputs, { ...args, envZId: "env-2" });
    await adapter.update(share, { id, inputs, outputs }, changed.inputs);
    world.emulator.faults.dropNext({ method: "DELETE", path: /shr/ });
    world.nextRun();
    await adapterOfRun().delete(share, { id, inputs: changed.inputs, outputs });
    const lines = linesIn(file).filter(({ path, method }) => path.includes("ipsec-shares") && method !== "GET");
    const of = { path: `/v2/fd-1/ipsec-shares/${id}`, name: "acme-web", id };
    const [time, ms] = [expect.stringMatching(/^\d{4}-.*Z$/) as unknown, expect.any(Number) as unknown];
    expect(lines).toEqual([
      {
        time,
        method: "POST",
        path: "/v2/fd-1/ipsec-shares",
        status: 503,
        ms,
        attempt: 1,
        traceId: "7f3a",
        name: "acme-web",
      },
      { time, method: "POST", ...of, path: "/v2/fd-1/ipsec-shares", status: 202, ms, attempt: 1 },
      { time, method: "PATCH", ...of, status: 202, ms, attempt: 1 },
      {
        time,
        method: "DELETE",
        ...of,
        error: expect.stringMatching(/\[connection-lost\]$/) as unknown,
        ms,
        attempt: 1,
      },
      { time, method: "DELETE", ...of, status: 202, ms, attempt: 1 },
    ]);
    expect(readFileSync(file, "utf8")).not.toMatch(/hush|env-2|very-secret|Bearer/);
    expect(linesIn(file).map(({ method, path }) => `${method} ${path.replace("/v2/fd-1", "")}`)).toContain(
      "GET /ipsec-shares?name=acme-web&page=0&size=100&sort=id,asc",
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(world.said.join("\n")).not.toContain("log-not-written");
  });

  it.each([
    ["in a folder that does not exist", () => join(newFile(), "log"), "ENOENT"],
    ["that is a folder", () => mkdtempSync(join(folder, "folder-")), "EISDIR"],
  ])("that is a file %s, is one warning, and the run goes on", async (_what, fileOf, code) => {
    const file = fileOf();
    const [world, ipsecTunnelId, adapterOfRun] = await opened(file);
    const adapter = adapterOfRun();
    const share = subjectOf("shares");
    const { inputs } = await adapter.check(share, {}, { ...port(443), ipsecTunnelId, envZId: "env-1" });
    expect((await adapter.create(share, inputs)).unfinished).toBeUndefined();
    const warnings = world.said.filter((line) => line.includes("log-not-written"));
    expect(warnings).toEqual([expect.stringContaining(`${file} cannot be written (${code})`)]);
  });
});

const clientOf = (logFile: string, send: Send, redactor: Redactor) =>
  new Client(
    {
      ...{ baseUrl: "https://gateway.example.com/frontdoor", frontdoorId: "fd-1", logFile, places: {} },
      ...{ requestTimeoutMs: 1000, requestsPerSecond: 20, takeOver: "interrupted", isOneTunnelPerLocation: true },
      credentials: {
        ...{
          kind: "client",
          tokenUrl: "https://id.example.com/token?tenant=very-own",
          clientId: "id",
          request: "json",
        },
        ...{ clientSecret: "s3cret-of-client", audience: "aud", scope: "all" },
        ...{ source: "the file", urlSource: "the file" },
      },
    },
    send,
    new VirtualClock(() => undefined),
    { redactor },
  );

it("the request log has nothing of the answer to a token request, not even a trace id", async () => {
  const file = newFile();
  const text = '{"error":"invalid_client","traceId":"9c1f"}';
  const client = clientOf(file, () => Promise.resolve({ status: 401, headers: {}, text }), new Redactor());
  await expect(
    client.call({ method: "GET", path: "/v2/fd-1/ipsec-shares", until: { deadlineMs: 60_000 }, isPoll: true }),
  ).rejects.toThrow();
  const lines = linesIn(file).map(({ time: _time, ms: _ms, ...line }) => line);
  expect(lines).toEqual([{ method: "POST", path: "/token", status: 401, attempt: 1 }]);
});

it("the request log redacts a secret in a path, a filter and an error, and keeps the other filters", async () => {
  const file = newFile();
  const redactor = new Redactor();
  for (const secret of ["hush-hush", "hush & co"]) redactor.add(secret);
  const send: Send = ({ label, url }) => {
    if (url.includes("/token"))
      return Promise.resolve({ status: 200, headers: {}, text: '{"access_token":"a-fetched-token"}' });
    const message = `${label}: the connection to hush-hush ended with a-fetched-token. Try again later. [connection-lost]`;
    return Promise.reject(new FrontdoorError(message, { kind: "unreachable", mayHaveRun: true }));
  };
  const client = clientOf(file, send, redactor);
  const path = "/v2/fd-1/ipsec-shares/hush-hush";
  const query: [string, string][] = [
    ["name", "hush & co"],
    ["status", "DEPLOYED"],
    ["page", "0"],
  ];
  await expect(
    client.call({ method: "GET", path, query, until: { deadlineMs: 60_000 }, isPoll: true }),
  ).rejects.toThrow();
  expect(linesIn(file).map(({ time: _time, ms: _ms, ...line }) => line)).toEqual([
    { method: "POST", path: "/token", status: 200, attempt: 1 },
    {
      ...{ method: "GET", path: "/v2/fd-1/ipsec-shares/[secret]?name=[secret]&status=DEPLOYED&page=0", attempt: 1 },
      ...{ error: "the connection to [secret] ended with [secret] [connection-lost]", id: "[secret]" },
    },
  ]);
});
