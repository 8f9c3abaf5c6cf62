import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OwnFolder, recordFiles, sayOnce, UnsafePath } from "../../../provider/ledger/files";

describe("a folder of the user's state", () => {
  const isRoot = process.geteuid?.() === 0;
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
    opened().append("1", "text");
    process.umask(mask);
    const modes = [root, join(root, "creates"), path(), path("a.json"), path("1")].map((each) => lstatSync(each).mode);
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(["700", "700", "700", "600", "600"]);
    expect([opened().files().sort(), opened().read("a.json")]).toEqual([["1", "a.json"], "text"]);
  });

  it("has no files before the first is written, and none that was removed", () => {
    expect([opened().files(), opened().read("a.json")]).toEqual([[], undefined]);
    opened().write("a.json", "text");
    opened().remove("a.json");
    expect([opened().files(), opened().read("a.json")]).toEqual([[], undefined]);
  });

  /** Makes the folder unsafe; returns what the message says of which path. */
  const ways: Record<string, () => [string, string]> = {
    "the state folder is a symbolic link": () => {
      symlinkSync(elsewhere, root);
      return [root, "is a symbolic link"];
    },
    "a folder in it is a symbolic link": () => {
      mkdirSync(root, { mode: 0o700 });
      symlinkSync(elsewhere, join(root, "creates"));
      return [join(root, "creates"), "is a symbolic link"];
    },
    "the last folder is a symbolic link": () => {
      mkdirSync(join(root, "creates"), { recursive: true, mode: 0o700 });
      symlinkSync(elsewhere, path());
      return [path(), "is a symbolic link"];
    },
    "the group can write to it": () => {
      mkdirSync(path(), { recursive: true, mode: 0o700 });
      chmodSync(root, 0o770);
      return [root, "is writable by other users"];
    },
    "everybody can write to a folder in it": () => {
      mkdirSync(path(), { recursive: true, mode: 0o700 });
      chmodSync(path(), 0o707);
      return [path(), "is writable by other users"];
    },
    "it belongs to another user": () => {
      // Only root can give a folder away.
      if (!isRoot) root = "/usr";
      else {
        mkdirSync(root, { mode: 0o755 });
        chownSync(root, 65534, 65534);
      }
      return [root, "belongs to another user"];
    },
  };

  describe.each(Object.entries(ways))("if %s", (_way, make) => {
    it("is neither read nor written", () => {
      const [where, why] = make();
      const unsafe = new UnsafePath(`${where} ${why}`);
      const folder = opened();
      const all = [
        () => folder.files(),
        () => folder.read("planted.json"),
        () => {
          folder.write("planted.json", "text");
        },
        () => {
          folder.append("planted.json", "text");
        },
        () => {
          folder.remove("planted.json");
        },
      ];
      for (const each of all) expect(each).toThrow(unsafe);
      expect(readFileSync(join(elsewhere, "planted.json"), "utf8")).toBe("planted");
    });

    it("counts as a folder that cannot be written, which is said once", () => {
      const [where, why] = make();
      const said: string[] = [];
      const records = recordFiles(
        opened(),
        sayOnce((line) => said.push(line)),
      );
      expect(records.read()).toEqual([]);
      records.write("a", "{}");
      records.remove("a");
      expect(said).toEqual([expect.stringMatching(`^frontdoor: ${where} ${why}, so .*\\[unsafe-state-folder\\]$`)]);
    });
  });

  it("replaces a symbolic link by the file, and does not read or append through one", () => {
    opened().write("a.json", "text");
    symlinkSync(join(elsewhere, "planted.json"), path("b.json"));
    expect(() => opened().read("b.json")).toThrow(`${path("b.json")} is a symbolic link`);
    expect(() => {
      opened().append("b.json", "text");
    }).toThrow(`${path("b.json")} is a symbolic link`);
    symlinkSync(join(elsewhere, "planted.json"), path(`b.json.${process.pid}`));
    opened().write("b.json", "text");
    expect(opened().read("b.json")).toBe("text");
    expect(readFileSync(join(elsewhere, "planted.json"), "utf8")).toBe("planted");
  });

  it("does not read a file that others can write", () => {
    opened().write("a.json", "text");
    chmodSync(path("a.json"), 0o666);
    expect(() => opened().read("a.json")).toThrow(`${path("a.json")} is writable by other users`);
  });
});
