import * as fs from "node:fs";
import { useEmulator } from "./command";

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

/** PowerShell 5 writes UTF-16, and later ones and some editors put a mark before UTF-8. */
const encodings: [name: string, encoded: (text: string) => Buffer][] = [
  ["UTF-8", (text) => Buffer.from(text, "utf8")],
  ["UTF-8 with a mark", (text) => Buffer.from(`\uFEFF${text}`, "utf8")],
  ["UTF-16 LE", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["UTF-16 BE", (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16()],
];

describe("a file that a user gives is read as UTF-16 and with a mark, as PowerShell writes it", () => {
  const here = useEmulator((emulator) => emulator.seedTunnel({ id: "tnl-1", name: "zürich" }));
  const none = { FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined };
  const preview = JSON.stringify({ steps: [], changeSummary: {} });
  const found = [0, expect.stringContaining("zürich")];

  it.each(encodings)("%s", async (...[, encoded]) => {
    const write = (name: string, text: string) => {
      fs.writeFileSync(here.path(name), encoded(text));
      return name;
    };
    const ended = async (line: string, env = {}) => {
      const { code, stdout } = await here.run(line, env);
      return [code, stdout];
    };
    const nothing = [0, "The preview changes no tunnel and no share.\n"];
    expect(await ended(`impact ${write("preview.json", preview)}`)).toEqual(nothing);
    const piped = await here.workspace.open(["impact"], { stdin: encoded(preview) }).end;
    expect([piped.code, piped.stdout]).toEqual(nothing);

    const { baseUrl, token, settings, tokenUrl } = here.emulator;
    const stack = `config:\n  frontdoor:baseUrl: ${baseUrl}\n  frontdoor:frontdoorId: fd-1 # Zürich\n`;
    const withStack = `tunnels --stack-config ${write("Pulumi.prod.yaml", stack)}`;
    expect(await ended(`${withStack} --token-file ${write("token", `${token}\r\n`)}`, none)).toEqual(found);
    const { oauthClientId: clientId, oauthClientSecret: password } = settings;
    const account = write("credentials.json", JSON.stringify({ clientId, password, authenticationUrl: tokenUrl }));
    expect(await ended(withStack, { ...none, FRONTDOOR_CREDENTIALS_FILE: here.path(account) })).toEqual(found);

    expect((await here.run("sample-config tnl-1 --out plain.conf --force")).code).toBe(0);
    write("theirs.conf", fs.readFileSync(here.path("plain.conf"), "utf8"));
    expect(await ended("sample-config tnl-1 --diff theirs.conf")).toEqual([0, ""]);
  });

  it("and a document that is cut short is refused with what to do", async () => {
    for (const [, encoded] of encodings) {
      fs.writeFileSync(here.path("preview.json"), encoded(preview).subarray(0, -8));
      const { code, stderr } = await here.run("impact preview.json");
      const refusal =
        /^frontdoor: The preview is not understood: it is no whole JSON document\. .*\[impact-not-understood\]\n$/;
      expect([code, stderr]).toEqual([2, expect.stringMatching(refusal)]);
    }
  });
});
