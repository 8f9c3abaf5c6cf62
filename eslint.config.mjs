import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Who may import whom: sdk, cli → provider/hosts → resources → api → http → leaves; the emulator stands alone. */
const mayNotImport = (files, folders) => ({
  files,
  rules: {
    "no-restricted-imports": [
      "error",
      { patterns: folders.map((folder) => ({ group: [`**/${folder}`, `**/${folder}/**`], message: "imports point one way, see DESIGN" })) },
    ],
  },
});

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", ".frontdoor/"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["scripts/**/*.mjs", "*.config.*"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", fetch: "readonly", setTimeout: "readonly", clearTimeout: "readonly", module: "writable" } },
  },
);
