import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy, type IncomingMessage } from "node:http";
import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type SecureServerOptions,
  type ServerHttp2Stream,
} from "node:http2";
import { type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { certificateFor } from "../../tests/harness/certificates";
import { buildIn } from "../build";
import { type Running, start } from "../../tests/harness/command";

// What a command and a worker say if Temporal refuses them: within 10 s, with the cause, and with exit code 3.

/** Twice the time, because the machine of the tests can be busy. */
const longestMs = 20_000;
const ca = certificateFor("authority", { isAuthority: true });
const own = certificateFor("localhost", { names: ["localhost"], ca });

let folder: string;
let command: string;
const servers: Server[] = [];
/** The connections, which would keep the servers open. */
const sessions: Socket[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fleet-refused-"));
  command = buildIn(folder);
  writeFileSync(join(folder, "fleet.yaml"), "name: a\nstacks: { s: { program: p, frontDoor: fd } }\n");
  writeFileSync(join(folder, "ca.pem"), ca.cert);
  // A worker asks Pulumi for its version before it takes work.
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\necho v3.213.0\n", { mode: 0o755 });
});
afterAll(() => {
  for (const server of servers) server.close();
  for (const session of sessions) session.destroy();
  rmSync(folder, { recursive: true });
});

/** Listens, and returns the port. */
async function listening(server: Server): Promise<number> {
  servers.push(server.on("connection", (socket: Socket) => sessions.push(socket)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Stands for Temporal: it answers the calls of these names with a status of gRPC, and all others with an empty message. */
const answering =
  (status: number, calls: RegExp) =>
  (stream: ServerHttp2Stream, { ":path": path = "" }: IncomingHttpHeaders) => {
    const head = { ":status": 200, "content-type": "application/grpc" };
    if (calls.test(path)) {
      const words = { "grpc-status": String(status), "grpc-message": "Request unauthorized." };
      stream.respond({ ...head, ...words }, { endStream: true });
      return;
    }
    stream.respond(head, { waitForTrailers: true });
    stream.on("wantTrailers", () => {
      stream.sendTrailers({ "grpc-status": "0" });
    });
    stream.end(Buffer.alloc(5));
  };

const key = Buffer.alloc(32, 7).toString("base64");
const upAndWorker = [["up"], ["worker", "--fleet", "a"]];

/** Returns how a process ended. It is killed if that takes too long. */
async function saidBy({ pid, end }: Running, mostMs: number): Promise<{ code: number; said: string }> {
  const timer = setTimeout(() => process.kill(pid, "SIGKILL"), mostMs);
  const { code, stderr } = await end;
  clearTimeout(timer);
  return { code, said: stderr };
}

/** Runs a command, and the worker, until they end: each within 10 s. */
async function said(env: NodeJS.ProcessEnv, commands = upAndWorker): Promise<{ code: number; said: string }[]> {
  return Promise.all(
    commands.map(async (args) => {
      const PATH = [folder, process.env["PATH"]].join(delimiter);
      const whole = { ...process.env, PATH, FRONTDOOR_FLEET_KEY: key, ...env };
      return saidBy(start(process.execPath, [command, ...args], { cwd: folder, env: whole }), longestMs);
    }),
  );
}

const isSaid = (pattern: RegExp) => ({ code: 3, said: expect.stringMatching(pattern) as string });

it("a key of the wrong length", async () => {
  const env = { FRONTDOOR_FLEET_KEY: "c2hvcnQ=", TEMPORAL_ADDRESS: "127.0.0.1:1" };
  const refusal = isSaid(/FRONTDOOR_FLEET_KEY is not a key of 32 bytes .*Nothing was sent.*\[fleet-key\]\n$/);
  expect(await said(env)).toEqual([refusal, refusal]);
});

it.each([
  [7, "PERMISSION_DENIED"],
  [16, "UNAUTHENTICATED"],
])("a right that is missing from the start: %d, %s", async (status) => {
  const port = await listening(createServer().on("stream", answering(status, /./)));
  const refusal = isSaid(/Temporal does not allow this \(Request unauthorized\.\).*\[temporal-right\]\n$/);
  expect(await said({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` })).toEqual([refusal, refusal]);
});

it.each([
  ["to start a run", "StartWorkflow", ["up"]],
  ["to look at a run", "DescribeWorkflow", ["status"]],
  ["to follow the run that it has started", "GetWorkflowExecutionHistory", ["up"]],
  ["to see the namespace", "DescribeNamespace", ["worker", "--fleet", "a"]],
  ["to take work", "Poll", ["worker", "--fleet", "a"]],
])("a right that is missing %s", async (_, calls, args) => {
  const port = await listening(createServer().on("stream", answering(7, new RegExp(calls))));
  const [refusal] = await said({ TEMPORAL_ADDRESS: `127.0.0.1:${port}` }, [args]);
  expect(refusal).toEqual(isSaid(/Temporal does not allow this \(Request unauthorized\.\).*\[temporal-right\]\n$/));
});

/** A server with a certificate, and the environment that leads there. */
const secured = async (options: SecureServerOptions = {}) => {
  const server = createSecureServer({ ...own, ...options }).on("stream", answering(0, /^$/));
  return { TEMPORAL_ADDRESS: `localhost:${await listening(server)}`, TEMPORAL_TLS: "true" };
};

it("a certificate of Temporal's that this machine does not trust", async () => {
  const refusal = isSaid(
    /does not trust \(UnknownIssuer\).*TEMPORAL_TLS_SERVER_CA_CERT_PATH.*\[temporal-certificate\]\n$/,
  );
  expect(await said(await secured())).toEqual([refusal, refusal]);
});

describe("with TLS 1.3", () => {
  // The connection can end before the client has read the server's alert.
  jest.retryTimes(3);

  it("a certificate of this machine that Temporal does not accept", async () => {
    const env = await secured({ requestCert: true, rejectUnauthorized: true, ca: ca.cert });
    const refusal = isSaid(/the certificate of this machine \(CertificateRequired\).*\[temporal-certificate\]\n$/);
    const trusting = { ...env, TEMPORAL_TLS_SERVER_CA_CERT_PATH: join(folder, "ca.pem") };
    expect(await said(trusting)).toEqual([refusal, refusal]);
  });
});

it("an address where nothing ever answers", async () => {
  const { createServer: createSilent } = await import("node:net");
  const port = await listening(createSilent());
  const env = { ...process.env, FRONTDOOR_FLEET_KEY: key, TEMPORAL_ADDRESS: `127.0.0.1:${port}` };
  const status = start(process.execPath, [command, "status"], { cwd: folder, env });
  const silence = isSaid(/can't be reached \(no answer in 10 s\).*\[temporal-unreachable\]\n$/);
  expect(await saidBy(status, longestMs)).toEqual(silence);
});

it("a proxy that refuses: commands and workers ask the same one", async () => {
  const asked: string[] = [];
  const proxy = createProxy().on("connect", ({ url, headers }: IncomingMessage, socket: Socket) => {
    asked.push(`${url ?? ""} ${headers["proxy-authorization"] ?? ""}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  const HTTPS_PROXY = `http://me:hunter2@127.0.0.1:${await listening(proxy)}`;
  const env = { HTTPS_PROXY, https_proxy: "", NO_PROXY: "", no_proxy: "", grpc_proxy: "" };
  const refusal = isSaid(
    /^(?!.*hunter2).* through the proxy 127.* failed with status: 502 .*\[temporal-unreachable\]\n$/,
  );
  expect(await said({ ...env, TEMPORAL_ADDRESS: "temporal.invalid:7233", TEMPORAL_TLS: "true" })).toEqual([
    refusal,
    refusal,
  ]);
  const credentials = Buffer.from("me:hunter2").toString("base64");
  expect([...new Set(asked)]).toEqual([`temporal.invalid:7233 Basic ${credentials}`]);
});
