import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** Every module that the declarations of an entry point reach, starting from the compiled package. */
const reachedFrom = (entry: string) => {
  const files = [join(root, entry)];
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
      const next = `${resolve(dirname(file), from)}${existsSync(`${resolve(dirname(file), from)}.d.ts`) ? ".d.ts" : "/index.d.ts"}`;
      if (!from.startsWith(".")) packages.add(from);
      else if (!files.includes(next)) files.push(next);
    }
  }
  return { files, packages: [...packages] };
};

describe("declarations", () => {
  // zod's and undici's own declarations do not compile under the settings of a plain Pulumi project.
  it.each(["dist/sdk/index.d.ts"])("%s speak of Pulumi alone, so that they compile under any settings", (entry) => {
    const { files, packages } = reachedFrom(entry);
    expect(files.length).toBeGreaterThan(3);
    expect(packages).toEqual(["@pulumi/pulumi"]);
  });

  it("tell what each argument is", () => {
    const types = readFileSync(join(root, "dist/provider/fields/types.d.ts"), "utf8");
    const args = types.match(/interface \w+Args \{[^}]*\}/g)?.join("\n");
    expect(args?.match(/\/\*\* .* \*\/\n {4}\w+\??:/g)).toHaveLength(17);
  });
});
