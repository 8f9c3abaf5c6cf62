import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OwnFolder } from "../../../provider/ledger/own-folder";
import { runFiles } from "../../../provider/ledger/run-files";

describe("what the provider processes of a run hold", () => {
  let folder: string;
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  beforeEach(() => {
    said.length = 0;
    folder = mkdtempSync(join(tmpdir(), "run-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("is known to each of them, by whole keys", () => {
    writeFileSync(join(folder, `${process.ppid}`), "a\nbc\n");
    const run = runFiles(new OwnFolder(folder), say);
    expect(["a", "bc", "b"].map((key) => run.isOwnedByAnother(key))).toEqual([true, true, false]);
  });

  it("is not told by a process to itself, nor by one that is gone", () => {
    writeFileSync(join(folder, "999999999"), "a\n");
    const run = runFiles(new OwnFolder(folder), say);
    run.own("b");
    expect(["a", "b"].map((key) => run.isOwnedByAnother(key))).toEqual([false, false]);
  });

  it("is each one's alone where no file can be kept", () => {
    const run = runFiles(new OwnFolder("/proc/none", "here"), say);
    run.own("a");
    run.close();
    expect(run.isOwnedByAnother("a")).toBe(false);
  });
});
