import { execFileSync, spawnSync } from "node:child_process";
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
  it("is met by itself and by what is later, and by nothing else", async () => {
    const texts = ["3.200.0", "v3.213.0", "v3.200.1-alpha.5", "4.0.0\n", "v3.199.9", "2.300.0", "", "dev"];
    expect(
      await evaluate("environment", `${JSON.stringify(texts)}.filter((text) => it.atLeast(text, "3.200.0"))`),
    ).toEqual(["3.200.0", "v3.213.0", "v3.200.1-alpha.5", "4.0.0\n"]);
  });

  it("of Node is met by the Node that the tests run on", async () => {
    expect(await evaluate("../setup", "it.findNode()")).toBe(process.execPath);
  });

  it("of Node is met by a locked package, on a machine whose own Node is too old", async () => {
    const found = await evaluate("../setup", 'it.findNode({ path: "/usr/bin/node", version: "20.20.2" })');
    expect(found).toMatch(/node_modules[\\/]node-[\w-]+[\\/]bin[\\/]node(\.exe)?$/);
  });
});

describe("the environment of children", () => {
  it("holds nothing of the caller's own Pulumi and keeps loopback off a proxy", async () => {
    const env = { PULUMI_ACCESS_TOKEN: "pul-1", pulumi_stack: "mine", HTTPS_PROXY: "http://proxy:1", no_proxy: "corp" };
    expect(await evaluate("environment", `it.withoutPulumi(${JSON.stringify(env)})`)).toEqual({
      HTTPS_PROXY: "http://proxy:1",
      NO_PROXY: "corp,127.0.0.1,localhost",
      no_proxy: "corp,127.0.0.1,localhost",
    });
  });
});

describe("installed dependencies", () => {
  const locked = {
    packages: {
      "": {},
      "node_modules/a": { version: "1.0.0" },
      "node_modules/b-darwin": { version: "1.0.0", optional: true },
      "node_modules/self": { link: true },
    },
  };
  const installed = { packages: { "node_modules/a": { version: "1.0.0" }, "node_modules/self": { link: true } } };
  const fulfils = (found: object) =>
    evaluate("../setup", `it.fulfils(${JSON.stringify(locked)}, ${JSON.stringify(found)})`);

  it("are what the lock file says, without other platforms' optional packages", async () => {
    expect(await fulfils(installed)).toBe(true);
  });

  it("are not, when one has another version or is missing", async () => {
    expect(await fulfils({ packages: { ...installed.packages, "node_modules/a": { version: "1.0.1" } } })).toBe(false);
    expect(await fulfils({ packages: { "node_modules/self": { link: true } } })).toBe(false);
  });

  const install = (message: string, isCi: boolean) =>
    evaluate(
      "../setup",
      `(async (calls) => {
        const run = async ([command]) => {
          calls.push(command);
          if (command === "ci") throw new Error(${JSON.stringify(message)});
        };
        const error = await it.install(run, ${isCi}).then(() => undefined, () => "failed");
        return [...calls, ...(error ? [error] : [])];
      })([])`,
    );

  it("are installed by npm install only if npm ci finds the lock file incomplete, and never in CI", async () => {
    const incomplete = "package.json and package-lock.json are not in sync";
    expect(await install(incomplete, false)).toEqual(["ci", "install"]);
    expect(await install(incomplete, true)).toEqual(["ci", "failed"]);
    expect(await install("no network", false)).toEqual(["ci", "failed"]);
  });
});

it("a long step says that it goes on, with its name, and less often the longer it takes", async () => {
  const lines = await evaluate(
    "environment",
    `(async () => {
      const { mock } = await import("node:test");
      mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
      const lines = [];
      mock.method(console, "error", (line) => void lines.push(line));
      let end;
      const ended = it.step("Finding modules", () => new Promise((resolve) => (end = resolve)));
      for (let seconds = 0; seconds < 380; seconds++) mock.timers.tick(1000);
      end();
      await ended;
      return lines;
    })()`,
  );
  const beats = [10, 20, 40, 80, 160, 320].map((seconds) => `  Finding modules: still at it, ${seconds}.0 s`);
  expect(lines).toEqual(["Finding modules …", ...beats, "  Finding modules: done in 380.0 s"]);
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

it("dist/ is compiled again after a change of the version or of a bundled dependency", async () => {
  expect(await evaluate("../setup", "it.sources")).toEqual(
    expect.arrayContaining(["package.json", "package-lock.json", "provider", "cli"]),
  );
});

describe(".ci/run", () => {
  const filesOf = (tier: string) =>
    execFileSync(process.execPath, [join(root, "node_modules", "jest", "bin", "jest.js"), "--listTests"], {
      cwd: root,
      env: { ...process.env, FRONTDOOR_TESTS: tier },
      encoding: "utf8",
    })
      .trim()
      .split("\n");

  it("runs the command for tests that README.md shows, and then all else that needs no night", () => {
    const [, shown] = /```sh\n(npm test)\n```/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
    const run = readFileSync(join(root, ".ci", "run"), "utf8");
    expect(run.match(/^.*\bnpm .*(?= 2>&1)/gm)).toEqual([shown, "FRONTDOOR_FAST_RAN=1 npm run test:all"]);
  });

  it("runs each file of npm run test:all once", () => {
    expect([...filesOf("fast"), ...filesOf("rest")].sort()).toEqual(filesOf("all").sort());
  });

  it("sums up what its two commands counted, and says when one did not end", () => {
    const work = mkdtempSync(join(tmpdir(), "ci-run-"));
    const lastLine = (script: string) => {
      writeFileSync(join(work, "npm"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const env = { ...process.env, PATH: `${work}:${process.env["PATH"] ?? ""}` };
      const { stdout, status } = spawnSync("bash", [join(root, ".ci", "run")], { env, encoding: "utf8" });
      return [stdout.trim().split("\n").at(-1), status];
    };
    const counted = 'if [ "$FRONTDOOR_FAST_RAN" ]; then echo "7 passed, 0 failed, 2 skipped"; else';
    expect(lastLine(`${counted} echo "100 passed, 0 failed, 1 skipped"; fi`)).toEqual([
      "107 passed, 0 failed, 3 skipped",
      0,
    ]);
    expect(lastLine(`${counted} exit 1; fi`)).toEqual(["7 passed, 1 failed, 2 skipped", 1]);
    rmSync(work, { recursive: true });
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
  const lines = readFileSync(join(root, "scripts", "engine.sha256"), "utf8")
    .trim()
    .split("\n");
  const archives = ["linux-arm64", "linux-x64", "darwin-arm64", "darwin-x64"];
  expect(lines.map((line) => line.replace(/^[0-9a-f]{64} {2}/, ""))).toEqual(
    archives.map((platform) => `pulumi-v${version}-${platform}.tar.gz`),
  );
  expect(readFileSync(join(root, "scripts", "engine", "go.mod"), "utf8")).toContain(`pulumi/pkg/v3 v${version}`);
});

describe("a command of a test", () => {
  const where = { cwd: process.cwd(), env: { PATH: process.env["PATH"] } };

  it("is heard to the end of what it leaves behind", async () => {
    const lines = "for line in 1 2 3 4 5; do sleep 0.1; echo $line; done";
    const { code, stdout } = await start("sh", ["-c", `(${lines}) & exit 3`], where).end;
    expect([code, stdout]).toEqual([3, "1\n2\n3\n4\n5\n"]);
  });

  it("ends if what it leaves behind is silent", async () => {
    const { stdout } = await start("sh", ["-c", "sleep 600 & echo $!"], where).end;
    expect(process.kill(Number(stdout))).toBe(true);
  });
});
