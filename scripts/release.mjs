import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { create } from "tar";
import { bundlePlugin } from "./bundle.mjs";
import { sbomOf } from "./bundle/notices.mjs";
import { nodeComponent, platforms, writeContents } from "./release/archive.mjs";
import { root, runMain, SetUpError, step } from "./setup/environment.mjs";

// Archives of the plugin for machines without Node, as `pulumi plugin install` takes them: in release/, or in the folder after --into.
// The same sources and lock files make the same bytes.

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const sums = "SHA256SUMS";
/** Of every file: one that no tool takes for none at all. */
const mtime = new Date("1980-01-01T00:00:00Z");

async function release(wanted, into) {
  if (existsSync(into) && readdirSync(into).length > 0 && !existsSync(join(into, sums)))
    throw new SetUpError(`${into} holds something else: name a new or empty folder`);
  const work = mkdtempSync(join(tmpdir(), "frontdoor-release-"));
  const fresh = `${into}.${process.pid}`;
  try {
    mkdirSync(fresh, { recursive: true });
    const sbom = await sbomOf(await bundlePlugin(work));
    for (const platform of wanted) {
      const name = `pulumi-resource-frontdoor-v${version}-${platform}`;
      const contents = join(work, platform);
      await writeContents(platform, { plugin: join(work, "plugin"), into: contents });
      await step(`Packing ${name}`, () => pack(contents, join(fresh, `${name}.tar.gz`)));
      const archive = { type: "application", name: "pulumi-resource-frontdoor", others: [nodeComponent(platform)] };
      writeFileSync(join(fresh, `${name}.cdx.json`), sbom(archive));
      rmSync(contents, { recursive: true });
    }
    writeFileSync(join(fresh, sums), checksumsIn(fresh));
    rmSync(into, { recursive: true, force: true });
    renameSync(fresh, into);
  } finally {
    for (const folder of [work, fresh]) rmSync(folder, { recursive: true, force: true });
  }
}

/** `portable` leaves out owners and whatever else is this machine's. */
const pack = (cwd, file) => create({ cwd, file, gzip: true, portable: true, mtime }, readdirSync(cwd).sort());

/** As `sha256sum --check` reads them. */
const checksumsIn = (folder) =>
  readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    )
    .join("");

await runMain(async () => {
  const { values, positionals } = parseArgs({ options: { into: { type: "string" } }, allowPositionals: true });
  const known = Object.keys(platforms);
  const unknown = positionals.filter((each) => !known.includes(each));
  if (unknown.length > 0)
    throw new SetUpError(`no archive is made for ${unknown.join(", ")}: name any of ${known.join(", ")}`);
  const into = resolve(values.into ?? join(root, "release"));
  await release(positionals.length > 0 ? positionals : known, into);
  console.log(`${into}: ${readdirSync(into).join(", ")}`);
});
