import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** Returns the Chromium of this machine, or undefined: then install Debian's package `chromium`. */
export const findChromium = (): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** Its own sandbox does not work for root, nor in a container; what it opens here are our own pages alone. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-lcd-text"] });
