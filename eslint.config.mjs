import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", ".frontdoor/", "sdks/", "release/", "fleet/dist/", "policy/pack.js"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  {
    // A reader sees one idea at a time (docs/how-it-works.md).
    files: ["provider/**/*.ts"],
    ignores: ["provider/fields/types.ts"],
    rules: {
      "max-lines": ["error", 450],
      "max-lines-per-function": ["error", 40],
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
  {
    files: ["cli/dashboard/page/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...["document", "location", "history", "navigator", "EventSource", "URLSearchParams"],
          ...["fetch", "addEventListener"],
          ...["requestAnimationFrame", "setInterval", "setTimeout", "clearTimeout"],
        ].map((name) => [name, "readonly"]),
      ),
    },
    rules: { "no-unused-vars": ["error", { varsIgnorePattern: "^_" }] },
  },
);
