import { join } from "node:path";
import ts from "typescript";

const root = join(__dirname, "../..");
const { ModuleKind, ModuleResolutionKind } = ts;

describe("types of the entry points", () => {
  // What projects of `pulumi new` have, older ones too, which know nothing of "exports".
  it.each([
    ["node10", { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 }],
    ["node16", { module: ModuleKind.Node16, moduleResolution: ModuleResolutionKind.Node16 }],
    ["bundler", { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler }],
  ])("are found by module resolution %s", (_name, options) => {
    const from = join(root, "node_modules", "a-program", "index.ts");
    const found = ["pulumi-frontdoor", "pulumi-frontdoor/plugin"].map(
      (name) => ts.resolveModuleName(name, from, options, ts.sys).resolvedModule?.resolvedFileName,
    );
    expect(found).toEqual([join(root, "dist/sdk/index.d.ts"), join(root, "dist/sdk/plugin/index.d.ts")]);
  });
});
