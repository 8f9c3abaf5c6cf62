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

  const serveRelease = () => serve((_request, response) => response.end(archive));
  const sha256 = () => createHash("sha256").update(archive).digest("hex");

  const download = (pinned: string, answerMs = 60_000) => {
    const address = server.address();
    const from = `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}/releases`;
    const into = join(work, "cache", "engine");
    const options = JSON.stringify({ version: "1.2.3", into, from, pinned, answerMs });
    return evaluate("engine", `it.downloadEngine(${options})`);
  };
  const pinnedTo = (sum: string) => `${"0".repeat(64)}  other.tar.gz\n${sum}  ${archiveName}\n`;

  const cached = () => {
    try {
      return readdirSync(join(work, "cache"), { recursive: true }).sort();
    } catch {
      return [];
    }
  };

  it("unpacks an archive with the pinned checksum, asks for nothing else, and leaves nothing else behind", async () => {
    await serveRelease();
    expect(await download(pinnedTo(sha256()))).toBeNull();
    expect(calls).toEqual([`/releases/v1.2.3/${archiveName}`]);
    expect(cached()).toEqual(["engine", "engine/pulumi", "engine/pulumi-language-nodejs"]);
  });

  it("does not use an archive with another checksum", async () => {
    await serveRelease();
    expect(await download(pinnedTo("f".repeat(64)))).toEqual({
      error: expect.stringContaining(`pinned is ${"f".repeat(64)}: not used`) as string,
    });
    expect(cached()).toEqual([]);
  });

  it("does not fetch an archive that has no pinned checksum", async () => {
    await serveRelease();
    expect(await download("")).toEqual({ error: `scripts/engine.sha256 does not name ${archiveName}` });
    expect(calls).toEqual([]);
  });

  it("gives up soon on a host that takes the connection and says nothing", async () => {
    await serve(() => undefined);
    expect(await download(pinnedTo(sha256()), 300)).toEqual({
      error: expect.stringMatching(/cannot be reached \(no answer in 0.3 s\)$/) as string,
    });
  });
});

it("the checksums that the repository pins are of the release that set-up takes, for each platform", async () => {
  const version = (await evaluate("engine", "it.engineVersion")) as string;
  const root = join(__dirname, "..", "..");
  const lines = readFileSync(join(root, "scripts", "engine.sha256"), "utf8")
    .trim()
    .split("\n");
  const archives = ["linux-arm64", "linux-x64", "darwin-arm64", "darwin-x64"];
  expect(lines.map((line) => line.replace(/^[0-9a-f]{64} {2}/, ""))).toEqual(
    archives.map((platform) => `pulumi-v${version}-${platform}.tar.gz`),
  );
  expect(readFileSync(join(root, "scripts", "engine", "go.mod"), "utf8")).toContain(`pulumi/pkg/v3 v${version}`);
});
