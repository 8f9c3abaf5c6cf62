import {
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import os, { homedir, tmpdir, type UserInfo } from "node:os";
import { join } from "node:path";
import { OwnFolder, pulumiHome, recordFiles, recordFolder, sayOnce, stateFolder } from "../../provider/run/files";
import { createsLeftBy } from "../../provider/run/service";
import { Host } from "../../provider/host/host";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";

describe("the folder of the user's state", () => {
  const xdg = { XDG_STATE_HOME: "/x" };
  it.each<[NodeJS.ProcessEnv, NodeJS.Platform, string]>([
    [{}, "linux", join(homedir(), ".local", "state", "frontdoor")],
    [xdg, "linux", join("/x", "frontdoor")],
    [{}, "darwin", join(homedir(), "Library", "Application Support", "frontdoor")],
    [xdg, "darwin", join("/x", "frontdoor")],
    [{ LOCALAPPDATA: "C:/local" }, "win32", join("C:/local", "frontdoor")],
    [{}, "win32", join(homedir(), ".local", "state", "frontdoor")],
    [{ ...xdg, FRONTDOOR_STATE_DIR: "/own", LOCALAPPDATA: "C:/local" }, "win32", "/own"],
  ])("with %j on %s is %s", (env, platform, folder) => {
    expect(stateFolder(env, platform)).toBe(folder);
  });
});

describe("the folder of records", () => {
  const env = { FRONTDOOR_STATE_DIR: "/state", PULUMI_BACKEND_URL: "file:///one" };
  const pathOf = (baseUrl: string, own: NodeJS.ProcessEnv = env) => recordFolder(baseUrl, own).path;
  const folder = pathOf("https://a.example/frontdoor");

  it("is one for each service, back end and project folder", () => {
    expect(folder).toMatch(/^\/state\/creates\/[0-9a-f]{32}$/);
    expect(pathOf("https://a.example/frontdoor")).toBe(folder);
    expect(pathOf("https://b.example/frontdoor")).not.toBe(folder);
    expect(pathOf("https://a.example/frontdoor", { ...env, PULUMI_BACKEND_URL: "file:///two" })).not.toBe(folder);
    const cwd = jest.spyOn(process, "cwd").mockReturnValue("/elsewhere");
    const elsewhere = pathOf("https://a.example/frontdoor");
    expect(elsewhere).not.toBe(folder);
    // Without `workDir`, the Automation API runs each stack object in a new temporary folder.
    const inTemporary = ["automation-a", "automation-b"].map((name) => {
      cwd.mockReturnValue(join(realpathSync(tmpdir()), name));
      return pathOf("https://a.example/frontdoor");
    });
    expect(inTemporary).toEqual([inTemporary[0], inTemporary[0]]);
    expect(inTemporary).not.toContain(elsewhere);
    cwd.mockRestore();
  });

  it("knows the back end that the user is logged in to", () => {
    const home = mkdtempSync(join(tmpdir(), "frontdoor-home-"));
    const loggedIn = (text: string) => {
      writeFileSync(join(home, "credentials.json"), text);
      return pathOf("https://a.example/frontdoor", { FRONTDOOR_STATE_DIR: "/state", PULUMI_HOME: home });
    };
    const nowhere = loggedIn("{");
    expect(loggedIn('{"current":"file:///one"}')).toBe(folder);
    expect(loggedIn('{"current":"file:///two"}')).not.toBe(folder);
    expect(loggedIn('{"current":7}')).toBe(nowhere);
    rmSync(home, { recursive: true });
  });
});

describe("the folder of Pulumi's own files", () => {
  const userIs = (info: () => Partial<UserInfo<string>>) =>
    jest.spyOn(os, "userInfo").mockImplementation(info as never);
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ["PULUMI_HOME", { PULUMI_HOME: "/given" }, { homedir: "/home/dana" }, "/given"],
    ["the user database, whatever HOME says", { HOME: "/other" }, { homedir: "/home/dana" }, "/home/dana/.pulumi"],
    ["HOME of a user that the database lacks", {}, undefined, join(os.homedir(), ".pulumi")],
    ["the user database if PULUMI_HOME is empty", { PULUMI_HOME: "" }, { homedir: "/home/dana" }, "/home/dana/.pulumi"],
  ])("is the one of %s", (_name, env, user, folder) => {
    userIs(() => {
      if (!user) throw new Error("ENOENT");
      return user;
    });
    expect(pulumiHome(env)).toBe(folder);
  });
});

describe("records in files", () => {
  let folder: string;
  let world: World;
  const records = () => join(folder, "records");
  const inputs = shareInputs("tnl-1");
  const create = (change = {}) => world.shares.create({ ...inputs, ...change }, chosen, world.within(900));
  const open = async (path: string) => {
    const said: string[] = [];
    const say = sayOnce((line) => said.push(line));
    const store = recordFiles(new OwnFolder(path), say);
    world = await openWorld({ provisionMs: 0 }, undefined, undefined, store);
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    return said;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "frontdoor-records-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("let the next process resume the create, and are removed once the run has ended in order", async () => {
    const said = await open(records());
    await world.interrupted(create);
    expect(readdirSync(records())).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)]);
    const { id } = await create();
    expect(world.emulator.shares()).toMatchObject([{ id }]);
    world.nextRun();
    expect([readdirSync(records()), said]).toEqual([[], []]);
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"origin":"acme::urn"}',
    '{"origin":"","postedAtMs":1,"required":"r","before":[],"id":"../x"}',
  ])("prove nothing if a file is torn or not the provider's: %s", async (text) => {
    const said = await open(records());
    await world.interrupted(create);
    for (const file of readdirSync(records())) writeFileSync(join(records(), file), text);
    writeFileSync(join(records(), "note.txt"), "not ours");
    world.nextRun("killed");
    await expect(create()).rejects.toThrow("[identical-exists]");
    expect(said).toEqual([]);
  });

  describe("of a killed run", () => {
    const originOf = (name: string, stack = "dev", type = "frontdoor:index:IpsecShare") =>
      `acme::urn:pulumi:${stack}::shop::${type}::${name}`;
    const set = "frontdoor:index:IpsecShareSet";
    const isLeft = "IPsec share shr-";
    it.each<[string, string, string[], string | undefined]>([
      ["no resource asks for it", originOf("web"), [originOf("api")], isLeft],
      ["the resource asks for it", originOf("web"), [originOf("api"), originOf("web")], undefined],
      ["the set asks for it", `${originOf("web", "dev", set)}::k`, [originOf("web", "dev", set)], undefined],
      ["it is another stack's", originOf("web", "prod"), [originOf("api")], undefined],
      [
        "another process serves it",
        originOf("web"),
        [originOf("api", "dev", "dynamic/frontdoor:IpsecShare")],
        undefined,
      ],
      ["this run checks nothing", originOf("web"), [], undefined],
    ])("are named at the end of a run: %s", async (_, origin, checked, says) => {
      await open(records());
      void create();
      await world.clock.sleep(10_000);
      for (const file of readdirSync(records())) {
        const record = JSON.parse(readFileSync(join(records(), file), "utf8")) as object;
        writeFileSync(join(records(), file), JSON.stringify({ ...record, origin }));
      }
      world.nextRun("killed");
      const { resources } = new Host(world.service);
      for (const each of checked) await resources.IpsecShare.check({ news: {}, olds: {}, origin: each });
      world.service.endRun();
      const left = createsLeftBy(world.service);
      if (says === undefined) expect(left).toBeUndefined();
      else for (const words of [says, 'resource "web"', "[creates-left]"]) expect(left).toContain(words);
      await world.clock.sleep(24 * 3_600_000);
      expect(createsLeftBy(world.service)).toBeUndefined();
    });

    it.each([
      ["lost", "other", true],
      ["kept", "k", false],
    ])("are named at the end of a run if the set has %s the key", async (_, key, isNamed) => {
      await open(records());
      void create();
      await world.clock.sleep(10_000);
      const origin = originOf("web", "dev", set);
      for (const file of readdirSync(records())) {
        const record = JSON.parse(readFileSync(join(records(), file), "utf8")) as object;
        writeFileSync(join(records(), file), JSON.stringify({ ...record, origin: `${origin}::k` }));
      }
      world.nextRun("killed");
      const shares = { [key]: { target: "web.internal:443", ingressPort: 443 } };
      const news = { ipsecTunnelId: "tnl-1", envZId: "env-1", shares };
      await new Host(world.service).resources.IpsecShareSet.check({ news, olds: {}, origin });
      world.service.endRun();
      const left = createsLeftBy(world.service);
      if (isNamed) expect(left).toMatch(/share shr-.* of resource "web", key "k".*\[creates-left\]/);
      else expect(left).toBeUndefined();
    });
  });

  const unmakeable = [...(process.platform === "linux" ? ["/proc/nope"] : []), "/dev/null/nope", "a file"];
  it.each(unmakeable)("that cannot be written are said once, and the run goes on: %s", async (place) => {
    const path = place === "a file" ? records() : place;
    if (place === "a file") writeFileSync(path, "a file where the folder should be");
    const said = await open(path);
    await create();
    await create({ name: "other", ingressPort: 1 });
    expect(world.emulator.shares()).toHaveLength(2);
    expect(said).toEqual([expect.stringMatching(`^frontdoor: .* ${path} \\(\\w+\\).*\\[records-not-kept\\]$`)]);
  });
});

describe("a folder of the user's state", () => {
  let home: string;
  let root: string;
  let elsewhere: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "frontdoor-own-"));
    root = join(home, "state");
    elsewhere = join(home, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    writeFileSync(join(elsewhere, "planted.json"), "planted", { mode: 0o600 });
  });
  afterEach(() => {
    rmSync(home, { recursive: true });
  });
  const opened = () => new OwnFolder(root, "creates", "one");
  const path = (...names: string[]) => join(root, "creates", "one", ...names);

  it("and its files can be read and written only by the user, whatever the process's mask is", () => {
    const mask = process.umask(0);
    opened().write("a.json", "text");
    process.umask(mask);
    const modes = [root, join(root, "creates"), path(), path("a.json")].map((each) => lstatSync(each).mode);
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(["700", "700", "700", "600"]);
    expect([opened().files(), opened().read("a.json")]).toEqual([["a.json"], "text"]);
  });

  it("has no files before the first is written, and none that was removed", () => {
    expect([opened().files(), opened().read("a.json")]).toEqual([[], undefined]);
    opened().write("a.json", "text");
    opened().remove("a.json");
    expect([opened().files(), opened().read("a.json")]).toEqual([[], undefined]);
  });

  it("replaces a symbolic link by the file", () => {
    opened().write("a.json", "text");
    symlinkSync(join(elsewhere, "planted.json"), path("b.json"));
    symlinkSync(join(elsewhere, "planted.json"), path(`b.json.${process.pid}`));
    opened().write("b.json", "text");
    expect(opened().read("b.json")).toBe("text");
    expect(readFileSync(join(elsewhere, "planted.json"), "utf8")).toBe("planted");
  });
});
