import { fileURLToPath } from "node:url";

/** Returns the file of a module beside this one: `.js` after compilation, otherwise `.ts`. */
export const beside = (name: string): string =>
  fileURLToPath(new URL(`${name}.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url));
