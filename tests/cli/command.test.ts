import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runInNewContext } from "node:vm";
import { installed, useEmulator, Workspace } from "./command";
import { type Emulator, startEmulator } from "../../emulator";
import { blocksOf } from "../docs/pages";
import { start } from "../harness/command";
import { root } from "../harness/folder";
import { devices } from "../../cli/devices/templates";
import { catalogue } from "../../cli/explain/explain";
import { policies } from "../../cli/explain/codes/policies";
import { canRun, refusalOfNode } from "../../cli/shared/node-version";

const scripts = new Map<string, string>();
function script(shell: string): string {
  const printed =
    scripts.get(shell) ?? execFileSync(process.execPath, [installed, "completion", shell], { encoding: "utf8" });
  scripts.set(shell, printed);
  return printed;
}

/** What bash offers for these words, the last of which is being typed. */
function offered(words: string[], where: { env?: NodeJS.ProcessEnv; cwd?: string } = {}): string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const bin = `pulumi-frontdoor() { '${process.execPath}' '${installed}' "$@"; }`;
  const asking = `${bin}\n${script("bash")}\nCOMP_WORDS=(frontdoor ${quoted}); COMP_CWORD=${words.length}; _frontdoor; echo "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["--norc", "-c", asking], { ...where, encoding: "utf8" });
  return stdout.trim().split(" ").filter(Boolean).sort();
}

describe("pulumi-frontdoor completion", () => {
  it.each([
    ["tun", "tunnel tunnels"],
    ["tunnels --w", "--watch"],
    ["import --kind ", "shares tunnels"],
    ["metrics --kind s", "share"],
    ["device-config --device ", [...devices].sort().join(" ")],
    ["import --out packa", "package-lock.json package.json"],
  ])("bash offers after %j %j", (words, names) => {
    expect(offered(words.split(" ")).join(" ")).toBe(names);
  });

  it.each(["bash", "zsh", "fish"])("what is printed for %s is right for it", (shell) => {
    const { error, status, stderr } = spawnSync(shell, ["-n"], { input: script(shell), encoding: "utf8" });
    // Where the shell is there.
    if (error === undefined) expect([status, stderr]).toEqual([0, ""]);
  });

  const hasZsh = spawnSync("zsh", ["--version"]).error === undefined;
  (hasZsh ? it : it.skip)("zsh completes also if the line stands before compinit in ~/.zshrc", () => {
    const compinit = "autoload -Uz compinit && compinit -D -u";
    const shown = "$precmd_functions[@]; do $each; done; echo $_comps[frontdoor] ${#precmd_functions}";
    for (const lines of [`${script("zsh")}\n${compinit}`, `${compinit}\n${script("zsh")}`]) {
      const input = `${lines}\nfor each in ${shown}\n`;
      const { stdout, stderr } = spawnSync("zsh", ["-f"], { input, encoding: "utf8" });
      expect([stdout, stderr]).toEqual(["_frontdoor 0\n", ""]);
    }
  });

  it("the help and the page name the folder that fish reads for both names of the command", () => {
    const folder = "completion fish > ~/.config/fish/conf.d/frontdoor.fish";
    expect(execFileSync(process.execPath, [installed, "completion", "--help"], { encoding: "utf8" })).toContain(folder);
    expect(readFileSync(join(root, "docs/reference/command-line.md"), "utf8")).toContain(folder);
  });
});

describe("frontdoor complete, which the scripts ask", () => {
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq", locationId: "loc-1" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", target: "w:1", ingressPort: 1 });
    emulator.seedShare({ id: "shr-2", name: "$(touch x)", ipsecTunnelId: "tnl-1", target: "w:2", ingressPort: 2 });
  });
  const asked = (...words: string[]) => offered(words, here.workspace.where()).join(" ");

  it.each([
    ["zsh", "share", "-", "--json:print one JSON document"],
    ["fish", "share", "-", "--json\tprint one JSON document"],
    ["zsh", "tunnels", "--filter", "stat", "status="],
    ["fish", "import", "--out", "", ":files"],
  ])("answers %s %j", async (shell, ...rest) => {
    const { stdout } = await here.workspace.run(["complete", shell, "--", "frontdoor", ...rest.slice(0, -1)]);
    expect(stdout.split("\n")).toContain(rest.at(-1));
  });

  it("offers codes, and the ids, names and filter values of the last list, without a request", async () => {
    expect(asked("explain", "port-in")).toBe("port-in-use");
    expect(asked("tunnel", "t")).toBe("");
    expect(asked("tunnel", "--j")).toBe("--json");
    for (const list of ["tunnels", "shares"]) expect((await here.run(list)).code).toBe(0);
    here.emulator.requests.length = 0;
    expect(asked("tunnel", "t")).toBe("tnl-1");
    expect(asked("sample-config", "h")).toBe("hq");
    expect(asked("device-config", "h")).toBe("hq");
    expect(asked("share", "")).toBe("shr-1 shr-2 web");
    expect(asked("tunnels", "--filter", "loc")).toBe("locationId=");
    expect(asked("tunnels", "--filter", "locationId", "=")).toBe("loc-1");
    expect(asked("shares", "--filter", "status", "=", "D")).toBe("DEPLOYED");
    expect(here.emulator.requests).toEqual([]);
  });
});

describe("docs", () => {
  const page = readFileSync(join(root, "docs", "reference", "command-line.md"), "utf8");

  const blocks = ["docs/reference/command-line.md", "docs/how-to/hand-over.md"]
    .flatMap((each) => blocksOf(each))
    .filter(({ language, mark }) => language === "sh" && mark?.file === "tests/cli/command.test.ts")
    .map(({ code }) => code);

  let emulator: Emulator;

  let workspace: Workspace;

  beforeAll(async () => {
    emulator = await startEmulator();
    workspace = new Workspace(emulator);
    emulator.seedTunnel({ id: "tnl-1", name: "branch-office", locationId: "loc-1" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
    emulator.seedTunnel({ id: "tnl-2", name: "customer-a-dc1", locationId: "loc-2" });
    writeFileSync(workspace.path("pulumi-frontdoor"), `#!/bin/sh\nexec '${process.execPath}' '${installed}' "$@"\n`);
    // npx runs the command of the project's folder.
    writeFileSync(workspace.path("npx"), '#!/bin/sh\nexec "$@"\n');
    for (const name of ["pulumi-frontdoor", "npx"]) chmodSync(workspace.path(name), 0o755);
  });

  afterAll(async () => {
    await emulator.close();
    workspace.remove();
  });

  describe("docs/reference/command-line.md, and the file for a device in docs/how-to/hand-over.md", () => {
    it.each(blocks.filter((block) => !block.startsWith("npx pulumi-frontdoor emulator")))(
      "as pasted: %s",
      async (block) => {
        // The emulator of the test stands for the one that the page starts, and watch-command.test.ts has the time of `watch`.
        const script = block.replace(/^export .*$/m, "").replace(/ watch( --for 10m)?$/gm, " watch --for 1s");
        const PATH = [workspace.folder, process.env["PATH"]].join(delimiter);
        const { code, text } = await start("bash", ["-e", "-c", script], workspace.where({ PATH })).end;
        expect([code, text]).toEqual([0, expect.not.stringMatching(/^frontdoor: /m)]);
        expect(text).not.toContain(emulator.token);
      },
    );

    it("leaves the files that it says", () => {
      for (const file of ["branch-office.conf", "customer-a-dc1.swanctl.conf"])
        expect(existsSync(workspace.path(file))).toBe(true);
    });

    it("names every command, and each has an example in its help", async () => {
      const { stdout } = await workspace.run(["--help"]);
      const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = ""]) => name);
      const commands = names.filter((name) => name !== "help");
      expect(commands.length).toBeGreaterThan(9);
      for (const name of commands) {
        expect(page).toContain(`\`${name}\``);
        // The emulator, whose help is its own, is another program.
        const help =
          name === "emulator" ? await workspace.start([name, "--help"]).end : await workspace.run([name, "--help"]);
        expect(help.code).toBe(0);
        expect(help.stdout).toMatch(new RegExp(`^ +frontdoor ${name}|frontdoor ${name} `, "m"));
      }
    });
  });

  it.each(["cli-main.js", "cli-work.js", "cli-emulator.js"])(
    "no text in dist/%s cites a page that the package does not ship",
    (file) => {
      const words = readFileSync(join(root, "dist", file), "utf8").split(/[^\w/.-]+/);
      const cited = words.flatMap((word) => (word.includes(".md") ? (word.match(/[\w/-]+\.md\b/g) ?? []) : []));
      expect(cited.filter((page) => !["", "docs"].some((folder) => existsSync(join(root, folder, page))))).toEqual([]);
    },
  );
});

describe("pulumi-frontdoor explain", () => {
  const here = useEmulator(() => undefined);

  it("prints meaning, cause and remedies of a code", async () => {
    const { code, stdout } = await here.run("explain port-in-use");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^port-in-use: Another share .*\n\nCause: .*\n\nRemedies:\n- If you renamed the resource or its key, /,
    );
    const [, page = "", anchor] = /^Page: (.*)#(.*)$/m.exec(stdout) ?? [];
    expect([readFileSync(join(here.workspace.folder, page), "utf8").includes("### port-in-use"), anchor]).toEqual([
      true,
      "port-in-use",
    ]);
  });

  it.each([
    ["[port-in-use]", /^port-in-use: /],
    ["DOWN", /^connection-down: /],
    ["error", /^status-error: /],
    ["locked", /^locked: Pulumi says .* locked[^]*pulumi cancel[^]*recover\.md\n$/],
    ["limit-peer-networks", /^limit-peer-networks: .*\n\nCause: .*\n\nRemedies:\n- Set peerCidr /],
    ["other-user", /^other-user: no longer sent\.\n$/],
    ["port-in-use --json", /^\{\n {2}"code": "port-in-use",[^]*"remedies": \[/],
  ])("takes %s: a code as messages show it, a status, a policy, a retired code", async (word, shown) => {
    expect(await here.run(`explain ${word}`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(shown) as string,
    });
  });

  it("lists every code with its meaning", async () => {
    const { stdout } = await here.run("explain");
    const json = await here.run("explain --json");
    const entries = [...catalogue.flatMap((group) => group.entries), ...policies];
    for (const { code, meaning } of entries)
      expect(stdout).toMatch(new RegExp(`^  ${code} +${meaning.slice(0, 20)}`, "m"));
    expect((JSON.parse(json.stdout) as { codes: unknown[] }).codes).toHaveLength(entries.length);
  });

  it.each([
    ["port-in-us", /Did you mean port-in-use or .*\? \[unknown-code\]$/],
    ["tunnel-eror", /Did you mean .*tunnel-error.*\? \[unknown-code\]$/],
    ["xyzzy", /Run npx pulumi-frontdoor explain to list all codes\. \[unknown-code\]$/],
  ])("refuses %s with near matches", async (wrong, hint) => {
    const { code, stdout, stderr } = await here.run(`explain ${wrong}`);
    expect([code, stdout, stderr.trimEnd()]).toEqual([2, "", expect.stringMatching(hint)]);
  });
});

describe("the check of Node", () => {
  it.each([
    ["v20.19.5", false],
    ["v22.18.0", false],
    ["v22.19.0", true],
    ["v25.0.0-nightly1", true],
  ])("of version %s: it can run the command: %s", (version, isNew) => {
    const message = `Node ${version} is too old for this command. Nothing was done. Install Node 22.19.0 or later, and put it first on PATH. [node-version]`;
    expect(refusalOfNode(version)).toBe(isNew ? undefined : message);
  });

  it.each([
    ["prints one line on standard error, with exit code 2", [], 0],
    ["prints one document on standard output with --json", ["--json"], 1],
  ])("%s", (_what, args, documents) => {
    const [errors, printed] = [jest.spyOn(console, "error"), jest.spyOn(console, "log")];
    for (const each of [errors, printed]) each.mockReturnValue();
    const before = process.exitCode;
    expect(canRun({ version: "v20.9.0", argv: ["node", "frontdoor", "doctor", ...args] })).toBe(false);
    expect(process.exitCode).toBe(2);
    process.exitCode = before;
    expect(errors.mock.calls).toEqual([[expect.stringMatching(/^frontdoor: Node v20\.9\.0 .* \[node-version\]$/)]]);
    const codes = printed.mock.calls.map(([text]) => (JSON.parse(text as string) as { error: object }).error);
    expect(codes).toEqual(Array(documents).fill({ message: refusalOfNode("v20.9.0"), code: "node-version" }));
    for (const each of [errors, printed]) each.mockRestore();
  });

  it("ends the installed command before that loads anything else", () => {
    const source = readFileSync(join(root, "dist", "cli.js"), "utf8").replace(/^#!.*/, "");
    const loaded: string[] = [];
    const load = (canStart: boolean) => (path: string) => {
      loaded.push(path);
      return { canRun: () => canStart };
    };
    runInNewContext(source, { require: load(false), process });
    expect(loaded).toEqual(["./cli-node.js"]);
    runInNewContext(source, { require: load(true), process });
    expect(loaded.slice(1)).toEqual(["./cli-node.js", "./cli-main.js"]);
  });
});

describe("files", () => {
  let key: string;

  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq" });
    key = emulator.samplePsk("tnl-1");
  });

  const textOf = (name: string) => fs.readFileSync(here.path(name), "utf8");

  const modeOf = (name: string) => fs.statSync(here.path(name)).mode & 0o777;

  const write = (name: string, text: string, mode = 0o644) => {
    fs.writeFileSync(here.path(name), text);
    fs.chmodSync(here.path(name), mode);
  };

  const writers = [
    ...["import --out", "import --program ts --program-out", "sample-config hq --out"],
    "device-config hq --device fortigate --out",
  ];

  describe.each(writers)("frontdoor %s FILE", (command) => {
    it("refuses a symbolic link, a folder and a device, also with --force", async () => {
      write("mine", "mine");
      fs.symlinkSync("mine", here.path("link"));
      fs.symlinkSync("nothing", here.path("dangling"));
      fs.mkdirSync(here.path("folder"));
      for (const line of ["link --force", "link", "dangling --force", "folder --force", "/dev/null --force"]) {
        const { code, stderr } = await here.run(`${command} ${line}`);
        expect([line, code, stderr]).toEqual([line, 2, expect.stringMatching(/\[not-a-plain-file\]\n$/)]);
      }
      expect([textOf("mine"), here.emulator.requests]).toEqual(["mine", []]);
      expect(fs.existsSync(here.path("nothing"))).toBe(false);
      expect(fs.lstatSync(here.path("link")).isSymbolicLink()).toBe(true);
    });

    it("overwrites a plain file only with --force, and leaves no other file", async () => {
      write("file", "mine", 0o600);
      const refused = await here.run(`${command} file`);
      expect([refused.code, refused.stdout, textOf("file")]).toEqual([2, "", "mine"]);
      expect(refused.stderr).toMatch(/^frontdoor: file exists already.*--force\. \[file-exists\]\n$/);
      expect(here.emulator.requests).toEqual([]);
      expect((await here.run(`${command} file --force`)).code).toBe(0);
      expect(textOf("file")).not.toBe("mine");
      expect(modeOf("file")).toBe(0o600);
      expect(fs.readdirSync(here.workspace.folder).filter((name) => name.startsWith("file"))).toEqual(["file"]);
    });
  });

  describe("pulumi-frontdoor sample-config", () => {
    it("writes a file that only its owner can read, also over one that others could", async () => {
      const { code, text } = await here.run("sample-config hq --out hq.conf");
      expect([code, text.includes(key), modeOf("hq.conf")]).toEqual([0, false, 0o600]);
      expect(textOf("hq.conf")).toContain(`pre-shared-key ${key}`);
      write("hq.conf", "mine");
      expect((await here.run("sample-config hq --out hq.conf --force")).code).toBe(0);
      expect([modeOf("hq.conf"), textOf("hq.conf").includes(key)]).toEqual([0o600, true]);
    });

    it("is printed with --force or --out - only, on a terminal or not", async () => {
      for (const line of ["sample-config tnl-1", "sample-config tnl-1 --json"])
        expect(await here.run(line)).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/not printed\. Name a file with --out FILE\. \[key-not-printed\]\n$/) as string,
        });
      expect((await here.onTerminal("sample-config hq").end).code).toBe(2);
      expect(here.emulator.requests).toEqual([]);
      for (const way of ["--force", "--out -", "--out - --json"])
        expect((await here.run(`sample-config tnl-1 ${way}`)).stdout).toContain(key);
      expect(fs.existsSync(here.path("-"))).toBe(false);
    });

    it("--diff says whether a site's file is current, and shows no line of it", async () => {
      const text = (await here.run("sample-config hq --force")).stdout;
      write("dos.conf", text.replaceAll("\n", "\r\n"));
      const current = await here.run("sample-config hq --diff dos.conf");
      expect([current.code, current.text]).toEqual([0, `${here.using}dos.conf is current\n`]);

      const old = text.replace(key, "an-older-key").replace(" group 14\n", "");
      write("old.conf", old);
      const stale = await here.run("sample-config hq --diff old.conf --json");
      const line = old.split("\n").findIndex((each) => each.includes("an-older-key")) + 1;
      const difference = { isCurrent: false, changedLines: [line], missingLines: 2 };
      expect([stale.code, JSON.parse(stale.stdout)]).toMatchObject([1, difference]);
      expect(stale.stderr).toContain(
        `not current: the sample configuration does not have its line ${line}, and it lacks 2 of`,
      );
      for (const secret of [key, "an-older-key"]) expect(stale.text).not.toContain(secret);

      write("turned.conf", text.trimEnd().split("\n").reverse().join("\n"));
      const turned = await here.run("sample-config hq --diff turned.conf");
      expect(turned.stderr).toBe(
        `${here.using}frontdoor: turned.conf is not current: its lines are in another order. Write it again with --out and --force, and load it on the remote device. [config-not-current]\n`,
      );
    });

    it.each([
      ["--out a --diff b", /exclude each other.*\[options-conflict\]/],
      ["--diff nothing", /nothing can't be read \(ENOENT\)/],
      ["--out nowhere/hq.conf", /nowhere\/hq\.conf can't be written \(ENOENT\)/],
    ])("%s is wrong usage", async (line, message) => {
      const { code, stderr } = await here.run(`sample-config hq ${line}`);
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    });

    it("of a tunnel that is not ready is refused, and nothing is written", async () => {
      here.emulator.setStatus("tnl-1", "NEW");
      expect((await here.run("sample-config hq --out hq.conf")).code).toBe(1);
      expect(fs.existsSync(here.path("hq.conf"))).toBe(false);
    });
  });
});
