import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { inState, root, stateDir } from "./places.mjs";

/** The caller's environment without anything of the caller's own Pulumi, and with loopback kept off any proxy. */
export function withoutPulumi(env) {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("PULUMI_")));
  const noProxy = [kept.NO_PROXY ?? kept.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
  return { ...kept, NO_PROXY: noProxy, no_proxy: noProxy };
}

/** What children run in: the new-enough Node, the checkout's commands and the engine first; Pulumi's state in .frontdoor. */
export function environment({ node, engineDirs }) {
  return {
    ...withoutPulumi(process.env),
    PATH: [dirname(node), join(root, "node_modules", ".bin"), ...engineDirs, process.env.PATH].join(delimiter),
    PULUMI_HOME: inState("home"),
    // Otherwise an engine that is killed while it saves can leave an empty `.attrs` file, which keeps it from reading the state.
    PULUMI_BACKEND_URL: `file://${stateDir}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE: secretText("passphrase"),
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
}

/** The random text kept in a file of .frontdoor that its owner alone can read; two first callers get the same one. */
export const secretText = (name) => readFileSync(secretFile(name), "utf8").trim();

/** The path of such a file, which is made if it is not there. */
export function secretFile(name) {
  const path = inState(name);
  if (!existsSync(path)) {
    const fresh = `${path}.${process.pid}`;
    writeFileSync(fresh, randomBytes(24).toString("base64url"), { mode: 0o600 });
    try {
      linkSync(fresh, path);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    } finally {
      rmSync(fresh, { force: true });
    }
  }
  return path;
}
