import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mutations } from "./mutations";

const root = join(__dirname, "..", "..");
const patches = mutations.flatMap(({ name, patches }) => patches.map((patch) => ({ name, ...patch })));

describe("planted bugs", () => {
  it.each(patches)("$name: its place is still in $file", ({ file, from }) => {
    expect(readFileSync(join(root, file), "utf8").split(from)).toHaveLength(2);
  });

  it.each(mutations.filter(({ shownBy }) => shownBy !== "engine"))("$name: $shownBy is there", ({ shownBy }) => {
    expect(existsSync(join(root, "tests", `${shownBy}.test.ts`))).toBe(true);
  });
});
