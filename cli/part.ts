import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(__filename);

/** A part of the command in a file of its own beside it, which most calls do without (scripts/bundle.mjs). */
export const part = (name: "svg" | "emulator"): unknown => load(join(__dirname, `cli-${name}.js`));
