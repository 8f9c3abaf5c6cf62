import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

// `npm run audit` builds, and fails on a known hole of high severity in what users install or what is bundled. It is not a test,
// because its result changes without a change here. A registry that does not answer fails only a release.

const root = join(import.meta.dirname, "..");
const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));

const installed = Object.entries(read("package-lock.json").packages).flatMap(([path, { dev, link }]) =>
  dev || link || path === "" ? [] : path.replace(/^.*node_modules\//, ""),
);
const bundled = read("dist/sbom.cdx.json").components.map(({ name }) => name);
const shipped = new Set([...installed, ...bundled]);

const args = ["audit", "--json", "--fetch-retries=0", "--fetch-timeout=15000"];
const { stdout } = spawnSync("npm", args, { cwd: root, encoding: "utf8", timeout: 60_000 });

function answered() {
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

const { vulnerabilities, message = "no report" } = answered();
if (vulnerabilities === undefined) console.log(`The registry did not answer, so nothing is known: ${message}`);
const severe = Object.values(vulnerabilities ?? {}).filter(
  ({ name, severity }) => /high|critical/.test(severity) && shipped.has(name),
);
for (const { name, severity, range } of severe) console.error(`${name} ${range}: a hole of ${severity} severity`);
const isRelease = process.env.GITHUB_REF_TYPE === "tag";
if (severe.length > 0 || (isRelease && !vulnerabilities)) process.exitCode = 1;
else if (vulnerabilities) console.log(`None of the ${shipped.size} packages has a known hole of high severity.`);
