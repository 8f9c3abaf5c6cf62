import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "../setup/npm.mjs";
import { root } from "../setup/places.mjs";
import { SetUpError } from "../setup/progress.mjs";
import { lockedNode } from "./node.mjs";

const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/**
 * For each platform the CycloneDX text that names what its archive holds: npm's own, cut to the packages that are bundled, and Node.
 * It has no time and no serial number, so that the same archive has the same one.
 */
export async function sbomOf(packages) {
  const all = JSON.parse(await npm(["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]));
  const { name, version, license } = manifestIn(".");
  const bundled = packages.map((folder) => {
    const manifest = manifestIn(folder);
    const ref = `${manifest.name}@${manifest.version}`;
    const found = all.components.find((each) => each["bom-ref"] === ref);
    if (!found) throw new SetUpError(`package-lock.json does not name ${ref}, which is installed: run "npm ci"`);
    // For the archive all of them are required, also those that the npm package has among its development dependencies.
    return { ...found, scope: "required", properties: undefined };
  });

  return (platform) => {
    const components = [...bundled, nodeOf(platform)];
    const refs = new Set(components.map((each) => each["bom-ref"]));
    const plugin = `${name}@${version}`;
    const component = {
      "bom-ref": plugin,
      type: "application",
      name: "pulumi-resource-frontdoor",
      version,
      purl: `pkg:npm/${plugin}`,
      licenses: [{ license: { id: license } }],
    };
    const dependencies = all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
    const document = {
      $schema: all.$schema,
      bomFormat: all.bomFormat,
      specVersion: all.specVersion,
      version: 1,
      metadata: { lifecycles: [{ phase: "build" }], tools: all.metadata.tools, component },
      components,
      dependencies: [{ ref: plugin, dependsOn: [...refs] }, ...dependencies],
    };
    return `${JSON.stringify(document, null, 2)}\n`;
  };
}

/** By the name that advisories have for it, and by that of the package that it comes from. */
function nodeOf(platform) {
  const { name, version, integrity } = lockedNode(platform);
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    "bom-ref": `${name}@${version}`,
    type: "application",
    name: "node",
    version,
    scope: "required",
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:npm/${name}@${version}`,
    hashes: [{ alg: "SHA-512", content }],
    licenses: [{ license: { name: "MIT, and those in node.licenses.txt" } }],
  };
}
