import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runInNewContext } from "node:vm";
import { installed, useEmulator, Workspace } from "./command";
import { type Emulator, startEmulator } from "../../emulator";
import { blocksOf } from "../docs/pages";
import { start } from "../harness/command";
import { root } from "../harness/folder";
import { needs } from "../harness/needs";
import { devices } from "../../cli/devices/templates";
import { catalogue } from "../../cli/explain";
import { policies } from "../../policy/index";
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

  const isThere = (shell: string) => needs(shell, spawnSync(shell, ["--version"]).error === undefined);

  for (const shell of ["bash", "zsh", "fish"])
    (isThere(shell) ? it : it.skip)(`what is printed for ${shell} is right for it`, () => {
      const { status, stderr } = spawnSync(shell, ["-n"], { input: script(shell), encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    });

  (isThere("zsh") ? it : it.skip)("zsh completes also if the line stands before compinit in ~/.zshrc", () => {
    const compinit = "autoload -Uz compinit && compinit -D -u";
    const shown = "$precmd_functions[@]; do $each; done; echo $_comps[frontdoor] ${#precmd_functions}";
    for (const lines of [`${script("zsh")}\n${compinit}`, `${compinit}\n${script("zsh")}`]) {
      const input = `${lines}\nfor each in ${shown}\n`;
      const { stdout, stderr } = spawnSync("zsh", ["-f"], { input, encoding: "utf8" });
      expect([stdout, stderr]).toEqual(["_frontdoor 0\n", ""]);
    }
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
        // The fingerprint of an empty text, which a fingerprint of a key never is.
        expect(text).not.toMatch(/^e3b0c442$/m);
      },
    );

    it("leaves the files that it says", () => {
      for (const file of ["branch-office.conf", "customer-a-dc1.swanctl.conf"])
        expect(existsSync(workspace.path(file))).toBe(true);
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
    const ofPolicies = policies.map(({ about }) => ({ code: about.name, meaning: about.description }));
    const entries = [...catalogue.flatMap((group) => group.entries), ...ofPolicies];
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

const bare = { FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined };

describe("pulumi-frontdoor ids", () => {
  const here = useEmulator(() => undefined);

  it("says from where it reads, and with which credentials", async () => {
    const config = { "frontdoor:baseUrl": here.emulator.baseUrl, "frontdoor:token": here.emulator.token };
    writeFileSync(here.path("Pulumi.dev.yaml"), JSON.stringify({ config }));
    const { stderr } = await here.run("ids --stack-config Pulumi.dev.yaml", bare);
    expect(stderr).toContain(`reading from ${here.emulator.baseUrl} with frontdoor:token\n`);
  });

  it("does not list an id that only the configuration knows", async () => {
    const { stdout } = await here.run("ids", { FRONTDOOR_ID: "fd-typo" });
    expect(stdout).not.toMatch(/^front door +fd-typo/m);
    expect(stdout).toMatch(
      /note: front door fd-typo, which the configuration names: no list shows it, and it answered/,
    );
  });
});

describe("FRONTDOOR_LOG", () => {
  const here = useEmulator((emulator) => emulator.seedTunnel({ id: "tnl-1", name: "hq" }));
  const linesIn = (file: string) =>
    readFileSync(file, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it("logs the requests of several processes at once into one file, each as one line", async () => {
    const file = here.path("requests.jsonl");
    const env = { FRONTDOOR_LOG: file };
    const ends = await Promise.all([
      here.started("tunnels", env),
      here.started("tunnel tnl-1", env),
      here.run("ids", env),
    ]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, expect.any(Number) as number]);
    const lines = linesIn(file);
    const sent = here.emulator.requests.map(({ method, path }) => `${method} /v2/fd-1${path}`);
    expect(sent.length).toBeGreaterThan(2);
    const logged = lines.map(({ method, path }) => `${String(method)} ${String(path).replace(/\?.*/, "")}`);
    expect(logged).toEqual(expect.arrayContaining(sent));
    expect(lines).toContainEqual(
      expect.objectContaining({ method: "GET", path: "/v2/fd-1/ipsec-tunnels/tnl-1", name: "hq" }),
    );
    // `ids` also asks the gateway for what no specification has.
    expect(logged).toContainEqual(expect.stringMatching(/^GET \/identity\/|^GET \/v2$|^GET \/frontdoor/));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("that cannot be written is one warning, and the command does its work", async () => {
    const env = { FRONTDOOR_LOG: here.path("no/such/folder") };
    const { code, stdout, stderr } = await here.run("tunnels --json", env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tunnels: [{ id: "tnl-1" }] });
    expect(stderr.match(/\[log-not-written\]/g)).toHaveLength(1);
  });
});
