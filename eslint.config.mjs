import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Imports point one way: sdk → provider/hosts → resources → api → http → leaves; the emulator stands alone. */
const layers = ["http", "api", "resources", "hosts"];
const above = { emulator: ["provider", "sdk", "policy"], provider: ["sdk", "policy"] };
const mayNotImport = (folder, folders) => ({
  files: [`${folder}/**/*.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: folders.map((name) => ({
          regex: `^\\.{1,2}/(.*/)?${name}(/|$)`,
          message: `${folder} may not import ${name}: imports point one way (CONTRIBUTING.md)`,
        })),
      },
    ],
  },
});
const directions = [
  mayNotImport("emulator", above.emulator),
  mayNotImport("provider", [...above.provider, ...layers]),
  ...layers.map((layer, index) => mayNotImport(`provider/${layer}`, [...above.provider, ...layers.slice(index + 1)])),
  mayNotImport("sdk", ["policy", "emulator", ...layers.slice(0, 3)]),
];

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", ".frontdoor/"] },
  js.configs.recommended,
  ...directions,
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
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        fetch: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
      },
    },
  },
);
