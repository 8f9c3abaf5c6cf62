import { join } from "node:path";

/** The page's static files, which the emulator also serves. The path is the same from cli/ and from dist/. */
export const pageFolder = join(__dirname, "..", "cli", "page");
