import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

const project = z.object({ name: z.string(), stackConfigDir: z.string().optional() });
const workspace = z.object({ stack: z.string() });

/** Returns the settings file of the stack that is selected in the Pulumi project of this folder; undefined if there is none. */
export function selectedStackFile(folder: string, environment: NodeJS.ProcessEnv): string | undefined {
  const path = join(folder, "Pulumi.yaml");
  if (!existsSync(path)) return undefined;
  const { name, stackConfigDir = "" } = project.safeParse(parse(readFileSync(path, "utf8"))).data ?? {};
  const stack =
    environment["PULUMI_STACK"] ?? (name === undefined ? undefined : selectedStack(name, path, environment));
  if (stack === undefined) return undefined;
  // A stack can be selected with its organization.
  const file = join(folder, stackConfigDir, `Pulumi.${stack.split("/").at(-1) ?? ""}.yaml`);
  return existsSync(file) ? file : undefined;
}

/** Pulumi notes the selected stack in a file of its own, by the project's name and a hash of the project's path. */
function selectedStack(name: string, path: string, environment: NodeJS.ProcessEnv): string | undefined {
  const home = environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  const hash = createHash("sha1").update(path).digest("hex");
  const file = join(home, "workspaces", `${name}-${hash}-workspace.json`);
  return existsSync(file) ? workspace.safeParse(JSON.parse(readFileSync(file, "utf8"))).data?.stack : undefined;
}
