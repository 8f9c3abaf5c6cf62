import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { npm, setUpPackage } from "./setup.mjs";
import { root, run, runMain } from "./setup/environment.mjs";

// `npm run pack -- --pack-destination FOLDER` packs the checkout under a version of its own, so that npm and Pulumi never take the files of
// an earlier pack for this one. With `--fleet` it packs the fleet. A release is packed by `npm pack`, under the version of package.json.

/** Returns a version before `version`: with the commit, and with the time if the checkout has changes or no commits. */
async function versionFor(version) {
  const git = (...args) => run("git", args, { cwd: root }).then((text) => text.trim());
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const parts = await Promise.all([
    git("rev-list", "--count", "HEAD"),
    git("rev-parse", "--short", "HEAD").then((commit) => `g${commit}`),
    git("status", "--porcelain").then((changes) => (changes === "" ? [] : [time])),
    git("rev-parse", "--show-prefix").then((inner) => (inner === "" ? [] : Promise.reject(new Error(inner)))),
  ]).catch(() => [time]);
  return [`${version}${version.includes("-") ? "." : "-"}dev`, ...parts.flat()].join(".");
}

/** Writes the version into all unpacked files that have the old one. */
function setVersion(folder, isFleet, old, version) {
  const edit = (file, change) => writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
  const inJson = (change) => (text) => {
    const content = JSON.parse(text);
    change(content);
    return `${JSON.stringify(content, null, 2)}\n`;
  };
  const setIn = (file) =>
    edit(
      file,
      inJson((content) => (content.version = version)),
    );
  setIn("package.json");
  if (isFleet) return;
  setIn("policy/package.json");
  setIn("dist/plugin/schema.json");
  edit("dist/sbom.cdx.json", (text) =>
    inJson(({ metadata }) => (metadata.component.version = version))(
      text.replaceAll(`pulumi-frontdoor@${old}"`, `pulumi-frontdoor@${version}"`),
    ),
  );
}

await runMain(async () => {
  const options = { "pack-destination": { type: "string", default: "." }, fleet: { type: "boolean", default: false } };
  const { values } = parseArgs({ options });
  const isFleet = values.fleet;
  const into = resolve(process.env.INIT_CWD ?? ".", values["pack-destination"]);
  await setUpPackage();
  const cwd = isFleet ? join(root, "fleet") : root;
  if (isFleet) await npm(["run", "prepack"], { cwd });
  const pack = async (from, folder) =>
    (await npm(["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder], { cwd: from })).trim();
  const work = mkdtempSync(join(tmpdir(), "frontdoor-pack-"));
  try {
    await run("tar", ["-xzf", join(work, await pack(cwd, work)), "-C", work]);
    const folder = join(work, "package");
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    setVersion(folder, isFleet, version, await versionFor(version));
    const file = join(into, await pack(folder, into));
    console.log(`${file}\nIn your project: npm install ${file}${isFleet ? "" : " @pulumi/pulumi"}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
