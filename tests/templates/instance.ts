import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startPulumi, type Where, well } from "../harness/command";
import { root } from "../harness/folder";

export const templates = ["typescript", "python", "yaml"] as const;

/** What every template makes. */
export const made = ["POST /ipsec-tunnels", "POST /ipsec-shares", "POST /ipsec-shares"];

/** Makes a project of a template, as `pulumi new` does, in a folder of its name. */
export async function instantiate(template: (typeof templates)[number], { cwd, env }: Where): Promise<string> {
  const folder = join(cwd, template);
  const names = ["--name", `from-${template}`, "--description", "A project of a template"];
  const flags = ["--generate-only", "--yes", "--dir", folder];
  well(await startPulumi(["new", join(root, "templates", template), ...names, ...flags], { cwd, env }).end);
  const project = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  if (!project.startsWith(`name: from-${template}\ndescription: A project of a template\n`)) throw new Error(project);
  return folder;
}
