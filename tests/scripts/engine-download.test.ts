import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluate } from "./evaluate";

const archiveName = `pulumi-v1.2.3-${process.platform}-${process.arch}.tar.gz`;

describe("engine download", () => {
  let work: string;
  let archive: Buffer;
  let server: Server;
  let calls: string[];

  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), "engine-download-"));
    mkdirSync(join(work, "made", "pulumi"), { recursive: true });
    for (const name of ["pulumi", "pulumi-language-nodejs"]) writeFileSync(join(work, "made", "pulumi", name), name);
    execFileSync("tar", ["-czf", join(work, "made.tar.gz"), "-C", join(work, "made"), "pulumi"]);
    archive = readFileSync(join(work, "made.tar.gz"));
    calls = [];
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(work, { recursive: true, force: true });
  });

  const serve = async (listener: RequestListener) => {
    server = createServer((request, response) => {
      calls.push(request.url ?? "");
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  };

  const serveRelease = (sha256: string) =>
    serve((request, response) => {
      response.end(
        request.url?.endsWith(".txt") ? `${"0".repeat(64)}  other.tar.gz\n${sha256}  ${archiveName}\n` : archive,
      );
    });

  const download = (answerMs = 60_000) => {
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
    const into = join(work, "cache", "engine");
    const from = { archives: `${base}/archives`, checksums: `${base}/checksums` };
    const options = JSON.stringify({ version: "1.2.3", into, from, answerMs });
    return evaluate("engine-download", `it.downloadEngine(${options})`);
  };

  const cached = () => {
    try {
      return readdirSync(join(work, "cache"), { recursive: true }).sort();
    } catch {
      return [];
    }
  };

  it("unpacks an archive with the published checksum, and leaves nothing else behind", async () => {
    await serveRelease(createHash("sha256").update(archive).digest("hex"));
    expect(await download()).toBeNull();
    expect(calls).toEqual(["/checksums/v1.2.3/pulumi-1.2.3-checksums.txt", `/archives/${archiveName}`]);
    expect(cached()).toEqual(["engine", "engine/pulumi", "engine/pulumi-language-nodejs"]);
  });

  it("does not use an archive with another checksum", async () => {
    await serveRelease("f".repeat(64));
    expect(await download()).toEqual({
      error: expect.stringContaining(`published is ${"f".repeat(64)}: not used`) as string,
    });
    expect(cached()).toEqual([]);
  });

  it("does not fetch an archive that the checksums do not name", async () => {
    await serve((_request, response) => response.end("no such line\n"));
    expect(await download()).toEqual({ error: `the published checksums do not name ${archiveName}` });
    expect(calls).toHaveLength(1);
  });

  it("gives up soon on a host that takes the connection and says nothing", async () => {
    await serve(() => undefined);
    expect(await download(300)).toEqual({
      error: expect.stringMatching(/cannot be reached \(no answer in 0.3 s\)$/) as string,
    });
  });
});
