import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Creates } from "../../../provider/ownership/creates";
import { OwnFolder } from "../../../provider/ownership/own-folder";
import { once, recordFiles, recordFolder, stateFolder } from "../../../provider/ownership/record-files";

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
  let said: string[];
  const place = ["share", "fd-1"];
  const begun = { origin: "acme::urn", postedAtMs: 1_000, likeness: "l", before: [] };
  const creates = () => {
    const say = once((line) => said.push(line));
    return new Creates(recordFiles(new OwnFolder(folder, "records"), say));
  };
  const find = (name = "web") => creates().at(place).find(name, "acme::urn");
  const files = () => readdirSync(join(folder, "records"));
  beforeEach(() => {
    said = [];
    folder = mkdtempSync(join(tmpdir(), "frontdoor-records-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("are known to the next process, one of each name, kind and front door, and to their own resource alone", () => {
    creates().at(place).note("web", begun);
    expect(find()).toEqual(begun);
    expect(find("other")).toBeUndefined();
    expect(creates().at(["tunnel", "fd-1"]).find("web", "acme::urn")).toBeUndefined();
    expect(creates().at(["share", "fd-2"]).find("web", "acme::urn")).toBeUndefined();
    expect(creates().at(place).find("web", "umbrella::urn")).toBeUndefined();
    expect(said).toEqual([]);
  });

  it.each(process.platform === "linux" ? ["/proc/nope", "/dev/null/nope"] : ["/dev/null/nope"])(
    "are said once not to be kept where no folder can be made: %s",
    (unmakeable) => {
      const say = once((line) => said.push(line));
      const store = recordFiles(new OwnFolder(unmakeable), say);
      expect(store.read()).toEqual([]);
      for (const key of ["a", "b"]) store.write(key, "{}");
      expect(said).toEqual([expect.stringContaining(`can be kept in ${unmakeable}`)]);
    },
  );

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"origin":"acme::urn"}',
    '{"origin":"acme::urn","postedAtMs":1,"likeness":"l","before":[],"id":"../x"}',
  ])("are none where a file is torn or not ours: %s", (text) => {
    creates().at(place).note("web", begun);
    creates().at(place).note("other", begun);
    for (const file of files()) writeFileSync(join(folder, "records", file), text);
    writeFileSync(join(folder, "records", "note.txt"), "not ours");
    expect(find()).toBeUndefined();
    creates().at(place).note("web", begun);
    expect(find()).toEqual(begun);
    expect(said).toEqual([]);
  });

  it("that can't be kept are said once, and serve the run all the same", () => {
    writeFileSync(join(folder, "records"), "a file where the folder should be");
    const run = creates();
    for (const name of ["web", "other"]) run.at(place).note(name, begun);
    expect(run.at(place).find("web", "acme::urn")).toEqual(begun);
    run.at(place).forget("web");
    expect(said).toEqual([
      expect.stringMatching(
        /^frontdoor: no record of unfinished creates can be kept in .*records \((ENOTDIR|EEXIST)\): what an interrupted run leaves has to be adopted; FRONTDOOR_STATE_DIR names another folder$/,
      ),
    ]);
    rmSync(join(folder, "records"));
  });
});
