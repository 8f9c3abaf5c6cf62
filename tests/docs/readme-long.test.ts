import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { start, well } from "../harness/command";
import { removeFolder, root } from "../harness/folder";
import { blocksOf } from "./pages";

const folder = mkdtempSync(join(tmpdir(), "frontdoor-readme-"));
const left = ["node_modules", ".git", ".frontdoor", "release", "sdks"];

afterAll(() => {
  removeFolder(folder);
});

describe("README.md", () => {
  it("shows two commands that make a tunnel with its shares and take them down", async () => {
    cpSync(root, folder, { recursive: true, filter: (path) => path === root || !left.includes(basename(path)) });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const [block] = blocksOf("README.md").filter(({ language }) => language === "sh");
    const [up = "", destroy = ""] = (block?.code ?? "").trim().split("\n");
    const run = async (line: string) =>
      well(await start("bash", ["-c", line], { cwd: folder, env: { ...process.env, CI: "1" } }).end).text;
    const made = await run(up);
    expect(made).toMatch(/\+ \d+ created/);
    expect(made).toContain("[secret]");
    expect(await run(up)).not.toContain("created");
    expect(await run(destroy)).toMatch(/- \d+ deleted/);
  });
});
