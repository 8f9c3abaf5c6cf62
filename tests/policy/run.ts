import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../harness/event-log";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import type { Stack } from "../harness/stack";

export const pack = join(root, "policy");

/** A stack of an example, or of a program beside this file, until the end of the test. */
export const openProgram = (program: string, stack = "demo"): Promise<Stack> => {
  const source = program.endsWith(".js") ? join(__dirname, "programs", program) : join(root, "examples", program);
  return ownStack({ token: "emulator-token" }, { source, stack, project: "policies" });
};

/** Whose classes an example uses from now on: another import line is all that it takes. */
export function changeImports({ folder }: Stack, imports: string): void {
  const program = join(folder, "index.ts");
  const text = readFileSync(program, "utf8");
  writeFileSync(program, text.replaceAll('"pulumi-frontdoor"', JSON.stringify(imports)));
}

export const preview = (stack: Stack, ...flags: string[]): Promise<Run> => stack.run("preview", ...flags);

export const up = (stack: Stack, ...flags: string[]): Promise<Run> =>
  stack.run("up", "--yes", "--skip-preview", ...flags);

/** A file with settings for the policies. */
export function settingsFile({ folder }: Stack, content: object): string {
  const path = join(folder, "settings.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** What the engine printed of policies, as `mandatory limit-peer-networks lisbon`, sorted; a remediation as `remediate avoid-stored-keys`. */
export function reported({ text }: Run): string[] {
  const line = /^ +- \[(\w+)\](?: \[severity: \w+\])? +(\S+) +\((?:\S+: (\S+)|\d+ resources?)\)$/gm;
  return [...text.matchAll(line)]
    .map(([, level, policy, resource]) => [level, policy, resource].join(" ").trim())
    .sort();
}
