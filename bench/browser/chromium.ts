import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"];

const onPath = () =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/** The Chromium of this machine, installed where Debian's can be; undefined where there is none to be had. */
export function findChromium(): string | undefined {
  const found = onPath();
  if (found !== undefined || process.getuid?.() !== 0) return found;
  const options = { timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  spawnSync("apt-get", ["install", "--yes", "--quiet", "chromium"], options);
  return onPath();
}

/** Its own sandbox does not work for root, nor in a container; what it opens here are our own pages alone. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-lcd-text"] });
