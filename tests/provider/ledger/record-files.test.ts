import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { OwnFolder, recordFiles, recordFolder, sayOnce, stateFolder } from "../../../provider/ledger/files";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

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
    expect(pathOf("https://a.example/frontdoor")).not.toBe(folder);
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
  afterEach(async () => {
    await world.close();
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
