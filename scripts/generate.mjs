import { Buffer } from "node:buffer";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import * as prettier from "prettier";
import {
  classTypes,
  comment,
  exportsOf,
  fieldTypes,
  functions,
  functionTypes,
  generatedFrom,
  classesOf,
} from "./generate/classes.mjs";
import { filledPage, pageTables } from "./generate/pages.mjs";
import { resourcesOf, typeOf } from "./generate/resources.mjs";
import { providerArgs, schemaOf } from "./generate/schema.mjs";
import { root } from "./setup/environment.mjs";

// Generates, from the tables in provider/: types with hover texts, the outputs of the classes, the plugin's classes and schema, the
// functions, the tables of the pages, and the pages' code blocks, which are cut from files that tests run.
// `node scripts/generate.mjs` writes the files. With --check it names the stale ones instead.

const isCheck = process.argv.includes("--check");

const read = (file) => readFileSync(join(root, file), "utf8");

/** Imports a TypeScript source. */
async function load(file) {
  const banner = {
    js: [
      'import { createRequire as requireFrom } from "node:module";',
      `const require = requireFrom(${JSON.stringify(import.meta.url)});`,
      `const [__filename, __dirname] = ${JSON.stringify([import.meta.filename, import.meta.dirname])};`,
    ].join(""),
  };
  const options = { bundle: true, format: "esm", platform: "node", write: false, logLevel: "warning", banner };
  const { outputFiles } = await build({ entryPoints: [join(root, file)], ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Returns the comment above a class of the SDK, as text. */
function classDoc(source, title) {
  const [above] = source.split(`export abstract class ${title}`);
  return above
    .slice(above.lastIndexOf("/**"))
    .replace(/[\s*/]*\n[\s*]*|^\/\*\*|\*\/.*/gs, " ")
    .trim();
}

/** Everything that the files are generated from. */
async function loadSources() {
  const { resources } = await load("provider/resources/index.ts");
  const { entryFields, volatileFields } = await load("provider/fields/tunnel-connection.ts");
  const siteSource = read("sdk/any-site.ts");
  return {
    resources: resourcesOf(resources),
    ...(await load("provider/functions/table.ts")),
    ...(await load("provider/config.ts")),
    ...(await load("provider/credentials.ts")),
    ...(await load("cli/verify/manifest.ts")),
    entryFields,
    volatileFields,
    stableFields: Object.fromEntries(Object.entries(entryFields).filter(([name]) => !volatileFields.includes(name))),
    site: { source: siteSource, doc: classDoc(siteSource, "AnySite") },
  };
}

/** The pages that people write, in which tables and blocks are filled in. */
function writtenPages() {
  const pagesIn = (folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => `${folder}/${name}`)
      .filter((file) => file.endsWith(".md"));
  const isGenerated = (file) => file === "docs/reference/policies.md";
  const pages = [...pagesIn("docs"), ...pagesIn("fleet/docs")].filter((file) => !isGenerated(file));
  return ["README.md", "fleet/README.md", ...pages];
}

/** Returns the classes of one adapter by their files. */
const classFiles = (adapter, folder, { resources, functionTable, site }) => ({
  [`${folder}/classes.ts`]: classesOf(adapter, resources, site),
  [`${folder}/index.ts`]: exportsOf(adapter, resources, functionTable),
  [`${folder}/functions.ts`]: functions(adapter, functionTable),
});

/** Returns the text of every generated file by its path. */
function filesFrom(sources) {
  const { resources, functionTable, settingDocs, environmentName, entryFields, stableFields } = sources;
  const tables = pageTables(sources);
  return {
    // The schema stays in this folder, since users' tools read it there by its path.
    "provider/plugin/schema.json": JSON.stringify(
      schemaOf({
        manifest: JSON.parse(read("package.json")),
        resources,
        functionDoc: (name) => functionTable[name].doc,
        tables: sources,
        site: sources.site,
      }),
    ),
    "provider/fields/types.ts": fieldTypes(resources, entryFields, stableFields),
    "provider/fields/resource-types.ts":
      generatedFrom("provider/resources/index.ts") +
      comment("The resources of this package, by the name of their class.") +
      `export const resourceTypes = ${JSON.stringify(resources.map(({ title }) => title))} as const;\n`,
    "sdk/properties.ts": classTypes(resources, (field) => typeOf(field, "SetShare")),
    ...classFiles("dynamic", "sdk", sources),
    ...classFiles("plugin", "sdk/plugin", sources),
    "sdk/provider-args.ts": providerArgs(settingDocs, environmentName),
    "sdk/function-types.ts": functionTypes(functionTable),
    ...Object.fromEntries(writtenPages().map((page) => [page, filledPage(read(page), tables, read)])),
  };
}

for (const [file, text] of Object.entries(filesFrom(await loadSources()))) {
  const path = join(root, file);
  const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path });
  if (!isCheck) writeFileSync(path, formatted);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== formatted) {
    console.error(`${file} is not what the tables in provider/ say: run "npm run docs"`);
    process.exitCode = 1;
  }
}
