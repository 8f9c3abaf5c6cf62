import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeText } from "../../cli/shared/files";

type Files = typeof import("../../cli/shared/files");

/** The module with a disk that is full after the first half of a file. */
function onFullDisk(): Files {
  jest.resetModules();
  jest.doMock("node:fs", () => ({
    ...jest.requireActual<typeof fs>("node:fs"),
    writeFileSync: (path: string, text: string, options: fs.WriteFileOptions) => {
      fs.writeFileSync(path, text.slice(0, text.length / 2), options);
      throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
    },
  }));
  return jest.requireActual<Files>("../../cli/shared/files");
}

it("a file that is replaced keeps its mode, whatever the umask", () => {
  const place = fs.mkdtempSync(join(tmpdir(), "frontdoor-files-"));
  const path = join(place, "program.ts");
  fs.writeFileSync(path, "old");
  fs.chmodSync(path, 0o664);
  const mask = process.umask(0o077);
  writeText({ pathOf: (file) => file }, path, "new", { isForced: true });
  process.umask(mask);
  expect([fs.readFileSync(path, "utf8"), fs.statSync(path).mode & 0o777]).toEqual(["new", 0o664]);
  fs.rmSync(place, { recursive: true });
});

it.each([false, true])("a full disk leaves no part of a file behind (with --force: %s)", (isForced) => {
  const place = fs.mkdtempSync(join(tmpdir(), "frontdoor-files-"));
  const path = join(place, "key.txt");
  expect(() => {
    onFullDisk().writeText({ pathOf: (file) => file }, path, "a key", { isForced, mode: 0o600 });
  }).toThrow(/ENOSPC.*\[file-not-written\]$/);
  expect(fs.readdirSync(place)).toEqual([]);
  fs.rmdirSync(place);
});
