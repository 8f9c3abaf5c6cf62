import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { start, well } from "../harness/command";
import { removeFolder, root } from "../harness/folder";
import { blocksOf } from "../docs/pages";

const folder = mkdtempSync(join(tmpdir(), "frontdoor-readme-"));
const where = () => ({ cwd: folder, env: { ...process.env, CI: "1" } });
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
    const run = async (line: string) => well(await start("bash", ["-c", line], where()).end).text;
    const made = await run(up);
    expect(made).toMatch(/\+ \d+ created/);
    const shown =
      blocksOf("README.md")
        .find(({ language }) => language === "text")
        ?.code.trim()
        .split("\n") ?? [];
    const withoutChance = (text: string) => text.replace(/\(\d+s\)|nlb-\w+|\s+/g, " ");
    expect(shown).toHaveLength(8);
    for (const line of shown) expect(withoutChance(made)).toContain(withoutChance(line).trim());
    expect(made.trim().split("\n").at(-1)).toBe(
      'Look: npm start -- --watch. Try next: change an ingressPort in examples/quickstart/index.ts and run "npm start" again.',
    );
    expect(await run(up)).not.toContain("created");
    await lookAndTryNext(run, up);
    expect(await run(destroy)).toMatch(/- \d+ deleted/);
  });
});

/** What the last line advises: the page stays there, and meanwhile a changed port is one update. */
async function lookAndTryNext(run: (line: string) => Promise<string>, up: string): Promise<void> {
  // Not by npm, which hands no signal on without a terminal.
  const watching = start("node", ["scripts/quickstart.mjs", "start", "--watch"], where());
  let page: string | undefined;
  while ((page = /^Look: (http:\S+\/), until Ctrl-C\. Try next: .*$/m.exec(watching.said.stdout)?.[1]) === undefined)
    await Promise.race([sleep(100), watching.end.then(({ text }) => Promise.reject(new Error(text)))]);
  expect(watching.said.stdout).toContain(`Watch it live: ${page}\n`);
  expect(await (await fetch(page)).text()).toContain("<!doctype html>");

  const program = join(folder, "examples", "quickstart", "index.ts");
  const text = readFileSync(program, "utf8");
  writeFileSync(program, text.replace("ingressPort: 8443", "ingressPort: 9443"));
  expect(await run(up)).toMatch(/~ 1 updated/);
  process.kill(watching.pid, "SIGINT");
  expect((await watching.end).code).toBe(0);
}
