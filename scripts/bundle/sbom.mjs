import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "../setup/npm.mjs";
import { root } from "../setup/places.mjs";
import { SetUpError } from "../setup/progress.mjs";

const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/**
 * Gives a function that makes the CycloneDX text of what holds bundled packages, by their folders: npm's own, cut to these packages.
 * It has no time and no serial number, so that the same content has the same text. @throws SetUpError if the lock file lacks one
 */
export async function sbomOf(packages) {
  const all = JSON.parse(await npm(["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]));
  const { name, version, license } = manifestIn(".");
  const bundled = bundledFrom(all, packages);

  return ({ type, name: subject, others = [] }) => {
    const components = [...bundled, ...others];
    const refs = new Set(components.map((each) => each["bom-ref"]));
    const own = `${name}@${version}`;
    const licenses = [{ license: { id: license } }];
    const component = { "bom-ref": own, type, name: subject, version, purl: `pkg:npm/${own}`, licenses };
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
      dependencies: [{ ref: own, dependsOn: [...refs] }, ...dependencies],
    };
    return `${JSON.stringify(document)}\n`;
  };
}

function bundledFrom({ components }, folders) {
  const refs = folders.map((folder) => {
    const manifest = manifestIn(folder);
    return `${manifest.name}@${manifest.version}`;
  });
  return [...new Set(refs)].sort().map((ref) => {
    const found = components.find((each) => each["bom-ref"] === ref);
    if (!found) throw new SetUpError(`package-lock.json does not name ${ref}, which is installed: run "npm ci"`);
    // What is bundled is required, also if the npm package has it among its development dependencies.
    return { ...found, scope: "required", properties: undefined };
  });
}
