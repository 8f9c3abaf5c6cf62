import { join } from "node:path";
import ts from "typescript";

const root = join(__dirname, "../..");

describe("types of the entry points", () => {
  // What projects of `pulumi new` have, older ones too, which know nothing of "exports".
  it.each([
    ["node10", "commonjs"],
    ["node16", "node16"],
    ["bundler", "esnext"],
  ])("are found by module resolution %s", (moduleResolution, module) => {
    const { options } = ts.convertCompilerOptionsFromJson({ module, moduleResolution }, root);
    const from = join(root, "node_modules", "a-program", "index.ts");
    const found = ["pulumi-frontdoor", "pulumi-frontdoor/plugin"].map(
      (name) => ts.resolveModuleName(name, from, options, ts.sys).resolvedModule?.resolvedFileName,
    );
    expect(found).toEqual([join(root, "dist/sdk/index.d.ts"), join(root, "dist/sdk/plugin/index.d.ts")]);
  });
});
