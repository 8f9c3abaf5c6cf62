import { join } from "node:path";

/** The page's static files, which the emulator serves, too. The same path leads there from cli/ and from dist/. */
export const pageFolder = join(__dirname, "..", "cli", "page");
