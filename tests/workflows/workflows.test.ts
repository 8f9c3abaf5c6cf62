import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { start } from "../harness/command";
import { root } from "../harness/folder";
import { withGo } from "../languages/toolchains";
import { evaluate } from "../scripts/evaluate";

const own = [".github/workflows/test.yml", ".github/workflows/release.yml"];
const workflows = [...own, "examples/ci/.github/workflows/infrastructure.yml"];

withGo("the linter of workflows finds nothing", async () => {
  const folder = (await evaluate("go-tools", 'it.goTool("actionlint")')) as string;
  // What it would call on scripts in steps is not everywhere.
  const args = ["-no-color", "-shellcheck=", "-pyflakes=", ...workflows];
  const { code, text } = await start(join(folder, "actionlint"), args, { cwd: root, env: process.env }).end;
  expect([code, text]).toEqual([0, ""]);
});

interface Job {
  strategy: { matrix: Record<string, string[]> };
}

it("the oldest Node and the oldest engine that are supported are among those that are tested", async () => {
  const { jobs } = parse(readFileSync(join(root, own[0] ?? ""), "utf8")) as { jobs: Record<string, Job> };
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  const nodes = jobs["suite"]?.strategy.matrix["node"]?.map((version) => `>=${version}.0`);
  expect(nodes).toContain(engines.node);
  expect(jobs["engines"]?.strategy.matrix["engine"]).toContain(await evaluate("engine", "it.oldestEngine"));
});

it("the changelog is one that the release's notes are made from", async () => {
  const changelog = join(root, "node_modules", ".bin", "changelog");
  const { code, stderr } = await start(changelog, ["--latest-release"], { cwd: root, env: process.env }).end;
  expect([code, stderr]).toEqual([0, ""]);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toContain(`## [${version}] - `);
});
