import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type RequestListener, type Server, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluate, start } from "../harness/command";
import { root } from "../harness/folder";

describe("the oldest version that will do", () => {
  it("of Node is met by the Node that the tests run on", async () => {
    expect(await evaluate("../setup", "it.findNode()")).toBe(process.execPath);
  });

  it("of Node is met by a locked package, on a machine whose own Node is too old", async () => {
    const found = await evaluate("../setup", 'it.findNode({ path: "/usr/bin/node", version: "20.20.2" })');
    expect(found).toMatch(/node_modules[\\/]node-[\w-]+[\\/]bin[\\/]node(\.exe)?$/);
  });
});

describe("the quickstart's emulator", () => {
  it("is started without its token on the command line, which other users can read", async () => {
    const [options, token] = (await evaluate(
      "../quickstart",
      `(async () => [it.quickstartOptions(), (await import("./scripts/setup/environment.mjs")).secretText("token")])()`,
    )) as [string[], string];
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(options.join(" ")).not.toContain(token);
    const file = options[options.indexOf("--token-file") + 1] ?? "";
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o077]).toEqual([token, 0]);
  });
});

describe("set-up lock", () => {
  let work: string;
  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), "set-up-lock-"));
  });
  afterEach(() => {
    rmSync(work, { recursive: true, force: true });
  });

  const lock = () => join(work, "lock");
  /** Takes the lock in a process of its own, and writes down when it has it and when it lets go. */
  const hold = () =>
    evaluate(
      "environment",
      `it.withLock(${JSON.stringify(lock())}, async () => {
        const { appendFileSync } = await import("node:fs");
        const note = (text) => appendFileSync(${JSON.stringify(join(work, "log"))}, text);
        note("in ");
        await new Promise((resolve) => setTimeout(resolve, 200));
        note("out ");
        return "done";
      })`,
    );

  it("lets two processes work one after the other", async () => {
    expect(await Promise.all([hold(), hold()])).toEqual(["done", "done"]);
    expect(readFileSync(join(work, "log"), "utf8")).toBe("in out in out ");
    expect(existsSync(lock())).toBe(false);
  });

  it("is taken over when its holder has shown no life for long", async () => {
    mkdirSync(lock());
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lock(), longAgo, longAgo);
    expect(await hold()).toBe("done");
  });
});

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
});

it("a misspelled option of npm start starts nothing, and --help shows the options", async () => {
  const quickstart = (...words: string[]) =>
    start("node", ["scripts/quickstart.mjs", ...words], { cwd: root, env: process.env }).end;
  const wrong = await quickstart("start", "--wacth");
  expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  expect(wrong.stderr).toMatch(/--wacth is no option\. Nothing was started\.\nnpm start .*--watch/s);
  const help = await quickstart("start", "--help");
  expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^npm start/)]);
});

it(".ci/run runs the command that README.md shows, and then all else that needs no night", () => {
  const [, shown] = /```sh\n(npm test)\n```/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const commands = readFileSync(join(root, ".ci", "run"), "utf8").match(/^.*\bnpm .*(?= 2>&1)/gm);
  expect(commands).toEqual([shown, "FRONTDOOR_FAST_RAN=1 npm run test:all"]);
});
