import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { generate } from "selfsigned";

const root = join(__dirname, "..", "..");
const dayMs = 86_400_000;

/** Asks the server as the provider does, in a process of its own that trusts `ca`; prints the failure's message or the status. */
const asking = `
  const { openPool } = require("./send.js");
  const { send, close } = openPool();
  send({ method: "POST", url: process.argv[1], headers: { authorization: "Bearer canary" }, timeoutMs: 5000, label: "POST /x" })
    .then(({ status }) => String(status), (error) => error.message + " mayHaveRun=" + error.trouble.mayHaveRun)
    .then(console.log).finally(close);`;

describe("TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-tls-"));
  const servers: Server[] = [];
  const requests: string[] = [];
  let ca: Awaited<ReturnType<typeof generate>>;

  const answerOf = async (
    names: string[],
    notAfterDate: Date,
    isSignedByCa: boolean,
    offersHttp2 = false,
  ): Promise<string> => {
    const subject = [{ name: "commonName", value: "frontdoor test" }];
    const altNames = names.map((value) => (/^[\d.]+$/.test(value) ? { type: 7, ip: value } : { type: 2, value }));
    const { private: key, cert } = await generate(subject, {
      notBeforeDate: new Date(Date.now() - 30 * dayMs),
      notAfterDate,
      extensions: [{ name: "subjectAltName", altNames }] as never,
      ...(isSignedByCa && { ca: { key: ca.private, cert: ca.cert } }),
    });
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method ?? ""} ${request.url ?? ""} HTTP/${request.httpVersion}`);
      response.end("{}");
    };
    const server = offersHttp2
      ? (createSecureServer({ key, cert, allowHTTP1: true }, answer as never) as unknown as Server)
      : createServer({ key, cert }, answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"), NO_PROXY: "127.0.0.1" };
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    return (await promisify(execFile)(process.execPath, ["-e", asking, url], { cwd: folder, env })).stdout.trim();
  };

  beforeAll(async () => {
    const extensions = [
      { name: "basicConstraints", cA: true },
      { name: "keyUsage", keyCertSign: true },
    ] as never;
    ca = await generate([{ name: "commonName", value: "frontdoor test authority" }], { extensions });
    writeFileSync(join(folder, "ca.pem"), ca.cert);
    const source = join(root, "provider/http/send.ts");
    const bundled = ["--bundle", "--platform=node", "--log-level=error", `--outfile=${join(folder, "send.js")}`];
    execFileSync(join(root, "node_modules/.bin/esbuild"), [source, ...bundled]);
  });
  afterAll(async () => {
    for (const server of servers)
      await new Promise((resolve) => {
        server.close(resolve);
        // A server of HTTP/2 has none.
        (server as Partial<Server>).closeAllConnections?.();
      });
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    requests.length = 0;
  });

  const later = new Date(Date.now() + dayMs);

  it("is used with a certificate of a trusted authority", async () => {
    expect(await answerOf(["127.0.0.1"], later, true)).toBe("200");
    expect(requests).toEqual(["POST /x HTTP/1.1"]);
  });

  it("carries HTTP/2 where the server offers it", async () => {
    expect(await answerOf(["127.0.0.1"], later, true, true)).toBe("200");
    expect(requests).toEqual(["POST /x HTTP/2.0"]);
  });

  it.each([
    ["self-signed", ["127.0.0.1"], later, false],
    ["for another name", ["gateway.example.com"], later, true],
    ["expired", ["127.0.0.1"], new Date(Date.now() - dayMs), true],
  ])("refuses a certificate that is %s, before anything is sent", async (_what, names, notAfter, isSignedByCa) => {
    expect(await answerOf(names, notAfter, isSignedByCa)).toMatch(
      /TLS certificate is not trusted: .* mayHaveRun=false/,
    );
    expect(requests).toEqual([]);
  });
});
