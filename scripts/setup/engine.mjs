import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildEngine, engineRecipeId } from "./engine-build.mjs";
import { downloadEngine } from "./engine-download.mjs";
import { findEngineOnPath } from "./engine-on-path.mjs";
import { withLock } from "./lock.mjs";
import { cacheDir } from "./places.mjs";
import { SetUpError } from "./progress.mjs";

/** The one release that set-up fetches or builds; scripts/engine/go.mod and scripts/engine.sha256 name the same. */
export const engineVersion = "3.213.0";
export const oldestEngine = "3.200.0";

/**
 * The engine with its Node.js language host: one on PATH, else the official download, else a build from Go modules.
 * `dirs` belong on PATH. The last two are kept in the cache, so that the next call only looks.
 */
export async function findEngine() {
  const onPath = await findEngineOnPath(oldestEngine);
  if (onPath) return onPath;

  const platform = `${process.platform}-${process.arch}`;
  const downloaded = join(cacheDir(), `pulumi-${engineVersion}-${platform}-download`);
  const built = join(cacheDir(), `pulumi-${engineVersion}-${platform}-build-${engineRecipeId()}`);
  const cached = () =>
    complete(downloaded)
      ? { from: "cached download", pulumi: join(downloaded, "pulumi"), dirs: [downloaded] }
      : complete(built)
        ? { from: "cached build", pulumi: join(built, "pulumi"), dirs: [built] }
        : undefined;

  return (
    cached() ??
    (await withLock(join(cacheDir(), "engine.lock"), async () => {
      if (cached()) return cached();
      const failures = [];
      for (const [name, get] of [
        ["download", () => downloadEngine({ version: engineVersion, into: downloaded })],
        ["build", () => buildEngine({ version: engineVersion, into: built })],
      ]) {
        try {
          await get();
          return { ...cached(), from: name };
        } catch (error) {
          if (!(error instanceof SetUpError)) throw error;
          failures.push(`${name}: ${error.message}`);
        }
      }
      throw new SetUpError(nothingWorked(failures));
    }))
  );
}

/** Both are put in place by one rename, so one file shows that all are there. */
const complete = (dir) => existsSync(join(dir, "pulumi-language-nodejs"));

const nothingWorked = (failures) =>
  `no Pulumi engine could be had.\n\n${failures.map((failure) => `- ${failure}`).join("\n")}\n\n` +
  `Do one of these and try again:\n` +
  `- put pulumi ${oldestEngine} or later with pulumi-language-nodejs on PATH (https://www.pulumi.com/docs/install/)\n` +
  `- let this machine reach github.com\n` +
  `- install Go 1.24.7 or later, with a module proxy that it can reach`;
