import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { yamlIn } from "./yaml";

const project = z.object({ name: z.string(), stackConfigDir: z.string().optional() });
const workspace = z.object({ stack: z.string() });

/** A stack of a Pulumi project, and its settings file if there is one. */
export interface Stack {
  /** The folder of the project. */
  folder: string;
  project: string;
  stack: string;
  file: string | undefined;
}

/** Returns the stack that is selected in the Pulumi project of this folder; undefined if there is none. @throws Misuse if `Pulumi.yaml` is no YAML. */
export function selectedStack(folder: string, environment: NodeJS.ProcessEnv): Stack | undefined {
  const path = join(folder, "Pulumi.yaml");
  if (!existsSync(path)) return undefined;
  const found = project.safeParse(yamlIn(path)).data;
  // A stack can be selected with its organization.
  const stack = found && (environment["PULUMI_STACK"] ?? notedStack(found.name, path, environment))?.split("/").at(-1);
  if (stack === undefined) return undefined;
  const file = join(folder, found?.stackConfigDir ?? "", `Pulumi.${stack}.yaml`);
  return { folder, project: found?.name ?? "", stack, file: existsSync(file) ? file : undefined };
}

/**
 * Pulumi notes the selected stack in a file of its own, by the project's name and a hash of the project's path. A file that Pulumi is just
 * writing, or that has another form, selects none.
 */
function notedStack(name: string, path: string, environment: NodeJS.ProcessEnv): string | undefined {
  const home = environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  const hash = createHash("sha1").update(path).digest("hex");
  const file = join(home, "workspaces", `${name}-${hash}-workspace.json`);
  try {
    return workspace.parse(JSON.parse(readFileSync(file, "utf8"))).stack;
  } catch {
    return undefined;
  }
}
