import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../harness/folder";

it("the pages, comments, help and messages keep the writing rules (scripts/english.mjs)", () => {
  const { stdout } = spawnSync(process.execPath, [join(root, "scripts/english.mjs")], { encoding: "utf8" });
  expect(stdout.split("\n").filter((line) => line !== "")).toEqual([]);
});
