import { fileURLToPath } from "node:url";

/** The file of a module beside this one, which is `.js` where they were compiled. */
export const beside = (name: string): string =>
  fileURLToPath(new URL(`${name}.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url));
