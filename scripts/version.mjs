import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, runMain, SetUpError } from "./setup/environment.mjs";

// npm runs this script for `npm version`, before it commits and tags: whatever else contains the package's version follows it.

const { npm_old_version: old, npm_new_version: version } = process.env;
const git = (...args) => run("git", args, { cwd: root });

function edit(file, change) {
  const path = join(root, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}
const editJson = (file, change) =>
  edit(file, (text) => {
    const content = JSON.parse(text);
    change(content);
    return `${JSON.stringify(content, null, 2)}\n`;
  });

/** Release candidates belong to the changes of their release, which stay "Unreleased". */
const isCandidate = () => version.includes("-");

function dateChanges(text) {
  const heading = `## [${version}] - Unreleased`;
  if (!text.includes(heading)) throw new SetUpError(`CHANGELOG.md must have the heading "${heading}"`);
  return text.replace(heading, `## [${version}] - ${new Date().toISOString().slice(0, 10)}`);
}

await runMain(async () => {
  if (!isCandidate()) edit("CHANGELOG.md", dateChanges);
  for (const folder of ["fleet", "policy"])
    editJson(join(folder, "package.json"), (manifest) => (manifest.version = version));
  editJson("package-lock.json", ({ packages }) => (packages.fleet.version = version));
  // After the package's name on a line, such as `pulumi-frontdoor/sdk/go v0.1.0`.
  const named = new RegExp(`(?<=frontdoor.*[^\\d.])${old.replaceAll(".", "\\.")}(?![\\d-])`, "g");
  const files = await git("grep", "-lIF", old, "--", "README.md", "docs", "examples", "templates");
  for (const file of files.trim().split("\n")) edit(file, (text) => text.replace(named, version));
  await run(process.execPath, [join(root, "scripts", "generate.mjs")], { cwd: root });
  await git("add", "--update");
});
