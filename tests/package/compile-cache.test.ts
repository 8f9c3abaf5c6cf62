import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { start, well } from "../harness/command";
import { root } from "../harness/folder";

const nobody = 65_534;
let home: string;
let own: string;
let compiled: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "compile-cache-"));
  own = join(home, "pulumi-frontdoor");
  compiled = join(own, "compiled");
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

/** The folder of the compile cache in a process that has loaded the launchers' shared code, "none" if there is none. */
function cacheDir(env: Record<string, string | undefined> = { XDG_CACHE_HOME: home }, before = ""): string {
  const code = `${before}; require("./dist/plugin/compile-cache.js"); console.log(module.getCompileCacheDir?.() ?? "none")`;
  const inherited = { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: undefined };
  return execFileSync(process.execPath, ["-e", `const module = require("node:module"); ${code}`], {
    cwd: root,
    env: { ...inherited, XDG_CACHE_HOME: undefined, ...env },
    encoding: "utf8",
  }).trim();
}

/** Gives a folder away, or makes it look so to the code of a user who cannot. */
function ownedByAnother(folder: string): string {
  if (process.geteuid?.() === 0) chownSync(folder, nobody, nobody);
  if (process.geteuid?.() === 0) return "";
  return `const fs = require("node:fs"), stat = fs.lstatSync;
    fs.lstatSync = (path) => Object.assign(stat(path), path === ${JSON.stringify(folder)} && { uid: ${nobody} })`;
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("the compile cache", () => {
  it("lies in the user's own cache, which only the user may write to, whatever the umask", () => {
    const used = cacheDir({ XDG_CACHE_HOME: home }, "process.umask(0o002)");
    expect(used).toContain(compiled);
    const content = readdirSync(compiled).map((name) => join(compiled, name));
    expect(content).toHaveLength(1);
    expect([own, compiled, ...content].map(mode)).toEqual(["700", "700", "700"]);
    expect(cacheDir()).toBe(used);
  });

  it.each([
    ["linux", [".cache"]],
    ["darwin", ["Library", "Caches"]],
  ])("lies in the platform's own place on %s if XDG_CACHE_HOME is not an absolute path", (platform, place) => {
    const become = `Object.defineProperty(process, "platform", { value: "${platform}" })`;
    for (const XDG_CACHE_HOME of [undefined, "", "relative"])
      expect(cacheDir({ HOME: home, XDG_CACHE_HOME }, become)).toContain(join(home, ...place, "pulumi-frontdoor"));
  });

  it("lies in the local application data on Windows, whose folders have no modes", () => {
    const become = 'Object.defineProperty(process, "platform", { value: "win32" })';
    mkdirSync(own, { mode: 0o777 });
    chmodSync(own, 0o777);
    expect(cacheDir({ LOCALAPPDATA: home }, become)).toContain(compiled);
  });

  const content = () => join(compiled, readdirSync(compiled)[0] ?? "");
  const isRoot = process.geteuid?.() === 0;
  const linked = (at: string) => {
    renameSync(at, join(home, "elsewhere"));
    symlinkSync(join(home, "elsewhere"), at);
    return "";
  };
  const opened = (path: string, mode: number) => {
    chmodSync(path, mode);
    return "";
  };
  // Only root can give a folder away: anybody else becomes another user in the eyes of the code.
  const given = (path: string) => {
    if (isRoot) chownSync(path, nobody, nobody);
    return isRoot ? "" : `process.geteuid = () => ${nobody}`;
  };

  it.each<[what: string, change: () => string]>([
    ["the folder is writable for its group", () => opened(own, 0o770)],
    ["the folder is writable for everybody", () => opened(own, 0o707)],
    ["the folder inside is writable for its group", () => opened(compiled, 0o770)],
    ["the content is writable for everybody", () => opened(content(), 0o702)],
    ["the folder is a symbolic link", () => linked(own)],
    ["the content is a symbolic link", () => linked(content())],
    ["another user owns the folder", () => given(own)],
    ["another user owns the content", () => given(content())],
  ])("is not used if %s", (_what, change) => {
    expect(cacheDir()).toContain(compiled);
    expect(cacheDir(undefined, change())).toBe("none");
  });

  it("is not used if the folder is a file", () => {
    writeFileSync(own, "");
    expect(cacheDir()).toBe("none");
  });

  it.each<[what: string, isUsed: boolean, place: string, change: (above: string) => string]>([
    ["a folder above is writable for its group", false, "above/below", (above) => opened(above, 0o770)],
    ["a folder above is writable for everybody", false, "above/below", (above) => opened(above, 0o707)],
    ["a link leads below a folder that others can write to", false, "link", (above) => opened(above, 0o707)],
    ["the folder that others can write to is sticky", true, "above/below", (above) => opened(above, 0o1777)],
    ["another user owns a folder above", false, "above/below", ownedByAnother],
  ])("below a folder of folders, where %s: is it used? %j", (_what, isUsed, place, change) => {
    const [above, below] = [join(home, "above"), join(home, "above", "below")];
    mkdirSync(below, { recursive: true, mode: 0o700 });
    expect(cacheDir({ XDG_CACHE_HOME: below })).toContain(below);
    symlinkSync(below, join(home, "link"));
    const used = cacheDir({ XDG_CACHE_HOME: join(home, place) }, change(above));
    expect(used).toContain(isUsed ? below : "none");
  });

  it("leaves a cache that NODE_COMPILE_CACHE names in force, and Node's switch too", () => {
    expect(cacheDir({ NODE_COMPILE_CACHE: join(home, "mine"), XDG_CACHE_HOME: home })).toContain(join(home, "mine"));
    expect(cacheDir({ NODE_DISABLE_COMPILE_CACHE: "1", XDG_CACHE_HOME: home })).toBe("none");
  });

  it.each(["dist/cli.js", "dist/plugin/pulumi-resource-frontdoor"])(
    "is the only one that %s turns on",
    async (file) => {
      const uses = async () => {
        const env = { ...process.env, NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: home, TMPDIR: home };
        const running = start(process.execPath, [join(root, file), "--version"], { cwd: root, env });
        // The command prints its version and ends. The plugin prints its port and waits for an engine.
        while (running.said.stdout === "") await Promise.race([running.end.then(well), sleep(50)]);
        if (file.includes("plugin")) process.kill(running.pid, "SIGINT");
        expect((await running.end).code).toBe(0);
        return existsSync(compiled);
      };
      expect(await uses()).toBe(true);
      expect(readdirSync(home)).toEqual(["pulumi-frontdoor"]);
      rmSync(compiled, { recursive: true });
      chmodSync(own, 0o770);
      expect(await uses()).toBe(false);
    },
  );
});
