import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OwnFolder, runFiles } from "../../../provider/ledger/files";

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
    expect(["a", "bc", "b"].map((key) => run.claimOfAnother(key))).toEqual(["owned", "owned", undefined]);
  });

  it("is the last that each has said: an id can go, or be owned again", () => {
    writeFileSync(join(folder, `${process.ppid}`), "~a\nb\na\n~b\n~c\n");
    const run = runFiles(new OwnFolder(folder), say);
    expect(["a", "b", "c"].map((key) => run.claimOfAnother(key))).toEqual(["owned", "pending", "pending"]);
  });

  it("is not told by a process to itself, nor by one that is gone", () => {
    writeFileSync(join(folder, "999999999"), "a\n");
    const run = runFiles(new OwnFolder(folder), say);
    run.claim("b", "owned");
    expect(["a", "b"].map((key) => run.claimOfAnother(key))).toEqual([undefined, undefined]);
  });

  it("is each one's alone where no file can be kept", () => {
    const run = runFiles(new OwnFolder("/proc/none", "here"), say);
    run.claim("a", "owned");
    run.close();
    expect(run.claimOfAnother("a")).toBeUndefined();
  });
});
