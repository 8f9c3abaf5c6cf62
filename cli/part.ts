import { createRequire } from "node:module";
import { join } from "node:path";

const load = createRequire(__filename);

/** Loads a part of the command from its own file, because most calls do not need it (scripts/bundle.mjs). */
export const part = (name: "svg" | "emulator"): unknown => load(join(__dirname, `cli-${name}.js`));
