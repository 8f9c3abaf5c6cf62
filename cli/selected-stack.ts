import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

const project = z.object({ name: z.string(), stackConfigDir: z.string().optional() });
const workspace = z.object({ stack: z.string() });

/** A stack of a Pulumi project, and its settings file if there is one. */
export interface Stack {
  project: string;
  stack: string;
  file: string | undefined;
}

/** Returns the stack that is selected in the Pulumi project of this folder; undefined if there is none. */
export function selectedStack(folder: string, environment: NodeJS.ProcessEnv): Stack | undefined {
  const path = join(folder, "Pulumi.yaml");
  if (!existsSync(path)) return undefined;
  const found = project.safeParse(parse(readFileSync(path, "utf8"))).data;
  // A stack can be selected with its organization.
  const stack = found && (environment["PULUMI_STACK"] ?? notedStack(found.name, path, environment))?.split("/").at(-1);
  if (stack === undefined) return undefined;
  const file = join(folder, found?.stackConfigDir ?? "", `Pulumi.${stack}.yaml`);
  return { project: found?.name ?? "", stack, file: existsSync(file) ? file : undefined };
}

/** Pulumi notes the selected stack in a file of its own, by the project's name and a hash of the project's path. */
function notedStack(name: string, path: string, environment: NodeJS.ProcessEnv): string | undefined {
  const home = environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi");
  const hash = createHash("sha1").update(path).digest("hex");
  const file = join(home, "workspaces", `${name}-${hash}-workspace.json`);
  return existsSync(file) ? workspace.safeParse(JSON.parse(readFileSync(file, "utf8"))).data?.stack : undefined;
}
