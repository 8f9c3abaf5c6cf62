import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, type ServerResponse, createServer as createPlainServer } from "node:http";
import { type Server, createServer } from "node:https";
import { type AddressInfo, type Socket, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { idPattern, readConfig } from "../../provider/config";
import { safeText } from "../../provider/errors";
import {
  hostPortOf,
  isNetwork,
  isPrivateIpv4,
  isPublicIpv4,
  shareName,
  tunnelName,
} from "../../provider/fields/values";
import { Redactor } from "../../provider/http/redact";
import { durationSeconds } from "../../provider/time";
import { type Certificate, certificateFor } from "../harness/certificates";
import { root } from "../harness/folder";

const dayMs = 86_400_000;

/** Asks the server as the provider does, in a process of its own that trusts `ca`; prints the failure's message or the status. */
const asking = `
  const { openPool } = require("./provider.js");
  const { send, close } = openPool();
  send({ method: "POST", url: process.argv[1], headers: { authorization: "Bearer canary" }, timeoutMs: 5000, label: "POST /x" })
    .then(({ status }) => String(status), (error) => error.message + " mayHaveRun=" + error.trouble.mayHaveRun)
    .then(console.log).finally(close);`;

/** What the provider's process loads. */
const bundled = 'export { openPool } from "./provider/http/send";';

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

describe("TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-tls-"));
  const servers: Server[] = [];
  const requests: string[] = [];
  const tunnels: string[] = [];
  const ca = certificateFor("frontdoor test authority", { isAuthority: true });

  const certificateOf = (names: string[], notAfter: Date, isSignedByCa: boolean) =>
    certificateFor("frontdoor test", { names, notAfter, ...(isSignedByCa && { ca }) });

  const listening = async (server: Server) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return portOf(server);
  };

  /** A server that notes requests; returns its address. */
  const serverWith = async ({ key, cert }: Certificate): Promise<string> => {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method ?? ""} ${request.url ?? ""} HTTP/${request.httpVersion}`);
      response.end("{}");
    };
    return `https://127.0.0.1:${await listening(createServer({ key, cert }, answer))}/x`;
  };

  /** A proxy that notes the tunnels it is asked for; with a certificate it speaks TLS itself. Returns its address. */
  const proxyWith = async (certificate?: Certificate): Promise<string> => {
    const proxy = certificate ? createServer({ ...certificate }) : createPlainServer();
    proxy.on("connect", ({ url = "" }: IncomingMessage, socket: Socket) => {
      tunnels.push(url);
      const target = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        socket.pipe(target).pipe(socket);
      });
      for (const [one, other] of [
        [socket, target],
        [target, socket],
      ] as const)
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
    });
    return `${certificate ? "https" : "http"}://127.0.0.1:${await listening(proxy as Server)}`;
  };

  const asked = async (url: string, environment: NodeJS.ProcessEnv = { NO_PROXY: "127.0.0.1" }) => {
    const others = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
    const env = { ...Object.fromEntries(others), NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"), ...environment };
    return (await promisify(execFile)(process.execPath, ["-e", asking, url], { cwd: folder, env })).stdout.trim();
  };

  beforeAll(() => {
    writeFileSync(join(folder, "ca.pem"), ca.cert);
    const options = ["--bundle", "--platform=node", "--log-level=error", "--loader=ts"];
    const outfile = `--outfile=${join(folder, "provider.js")}`;
    execFileSync(join(root, "node_modules/.bin/esbuild"), [...options, outfile], { cwd: root, input: bundled });
  });
  afterAll(async () => {
    for (const server of servers)
      await new Promise((resolve) => {
        server.close(resolve).closeAllConnections();
      });
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    requests.length = 0;
    tunnels.length = 0;
  });

  const later = new Date(Date.now() + dayMs);

  it.each([
    ["self-signed", ["127.0.0.1"], later, false],
    ["for another name", ["gateway.example.com"], later, true],
    ["expired", ["127.0.0.1"], new Date(Date.now() - dayMs), true],
  ])("refuses a certificate that is %s, before anything is sent", async (_what, names, notAfter, isSignedByCa) => {
    expect(await asked(await serverWith(certificateOf(names, notAfter, isSignedByCa)))).toMatch(
      /\[certificate-not-trusted\] mayHaveRun=false/,
    );
    expect(requests).toEqual([]);
  });

  describe("with NODE_TLS_REJECT_UNAUTHORIZED=0", () => {
    const off = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const refused = /TLS certificate of \S+ is not trusted/;
    const selfSigned = () => certificateOf(["127.0.0.1"], later, false);
    const trusted = () => certificateOf(["127.0.0.1"], later, true);

    it("sends no token to a server with a self-signed certificate", async () => {
      const address = await serverWith(selfSigned());
      expect(await asked(address, { ...off, NO_PROXY: "127.0.0.1" })).toMatch(refused);
      expect(requests).toEqual([]);
    });

    it("asks such a proxy for nothing", async () => {
      const [address, proxy] = [await serverWith(trusted()), await proxyWith(selfSigned())];
      const refusesProxy = /TLS certificate of the proxy 127\.0\.0\.1:\d+ is not trusted/;
      expect(await asked(address, { ...off, HTTPS_PROXY: proxy })).toMatch(refusesProxy);
      expect([tunnels, requests]).toEqual([[], []]);
    });

    it("trusts the authorities of NODE_EXTRA_CA_CERTS, for the proxy as well", async () => {
      const [address, proxy] = [await serverWith(trusted()), await proxyWith(trusted())];
      expect(await asked(address, { ...off, HTTPS_PROXY: proxy })).toBe("200");
      expect([tunnels.length, requests]).toEqual([1, ["POST /x HTTP/1.1"]]);
    });
  });
});

const parts = [
  ...["a", "1", ".", "-", "1.", "a-", ":", "[", "::", "%2e"],
  ...["/", "1h", " ", "\u0000", "\u{1F600}", "Mon ", "2026-", "\\", "%25", "\\u005c"],
];

const redactor = new Redactor();
redactor.addAll(["\\\\\\\\a", "%25%25b"]);

const validators: Record<string, (text: string) => unknown> = {
  "public address": isPublicIpv4,
  "private address": isPrivateIpv4,
  network: isNetwork,
  "network with a prefix": (text) => isNetwork(`${text}/8`),
  "host and port": hostPortOf,
  "host with a port": (text) => hostPortOf(`${text}:1`),
  id: (text) => idPattern.test(text),
  "share name": (text) => shareName.safeParse(text),
  "tunnel name": (text) => tunnelName.safeParse(text),
  duration: durationSeconds,
  "safe text": safeText,
  "text without secrets": (text) => redactor.clean(text),
  configuration: (text) => {
    try {
      readConfig(() => text, {});
    } catch {
      return;
    }
  },
};

/**
 * Work that grows with the length of a text ends within a fraction of a second here. Work that grows with its square takes minutes,
 * so only a hang is told from an end, and no time is compared. The time limit also stops a regular expression.
 */
describe.each(Object.entries(validators))("the validator of: %s", (_name, validate) => {
  it.each(parts)("a text of a million characters does not hang it: %j", (part) => {
    const work = () => validate(part.repeat(1_000_000 / part.length));
    runInNewContext("work()", { work }, { timeout: 60_000 });
  });
});
