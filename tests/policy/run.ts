import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Run, nameOf } from "../harness/state";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import type { Stack } from "../harness/stack";
import { type Given, type Props, secret, verdicts } from "./checking";
import { baseline, strict } from "../../policy/index";
import { well } from "../harness/command";
import type { Copies } from "../harness/copies";

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

interface Recorded {
  urn: string;
  type: string;
  inputs?: Props;
  outputs?: Props;
  protect?: boolean;
  customTimeouts?: { delete?: number };
  ignoreChanges?: string[];
  propertyDependencies?: Record<string, string[] | null>;
}

/** What a policy is given of the resources in a state file (`pulumi stack export --show-secrets`). */
export function recordedResources(file: string): Given[] {
  const { deployment } = JSON.parse(file) as { deployment: { resources: Recorded[] } };
  return deployment.resources.map((each) => ({
    type: each.type,
    name: nameOf(each.urn),
    urn: each.urn,
    inputs: revealed(each.inputs ?? {}) as Props,
    props: revealed(each.outputs ?? {}) as Props,
    opts: {
      protect: each.protect ?? false,
      ignoreChanges: each.ignoreChanges ?? [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: each.customTimeouts?.delete ?? 0 },
    },
    dependsOn: Object.fromEntries(
      Object.entries(each.propertyDependencies ?? {}).map(([key, urns]) => [key, (urns ?? []).map(nameOf)]),
    ),
  }));
}

/** Secrets as the engine sends them to a pack. */
function revealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(revealed);
  const { plaintext } = value as { plaintext?: string };
  if (plaintext !== undefined) return secret(JSON.parse(plaintext));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revealed(inner)]));
}

/** The settings that `strict` needs for the examples, whose addresses and domain are placeholders. */
const told = {
  "use-public-peers": { allowDocumentationRanges: true },
  "keep-targets-private": { allowedSuffixes: ["corp.example", "internal"] },
  "require-locations": { requireLocation: false },
  "avoid-stored-keys": "disabled",
};

/** No policy says anything of a stack that an example has brought up, in neither preset; untold, `strict` says those alone. */
export async function expectSound(copies: Copies, example: string, stack = "dev"): Promise<void> {
  const { stdout } = well(await copies.pulumi(example, "stack", "export", "--show-secrets", "--stack", stack));
  const resources = recordedResources(stdout);
  expect(resources.length).toBeGreaterThan(2);
  expect(await verdicts(resources, baseline)).toEqual([]);
  expect(await verdicts(resources, { ...strict, ...told })).toEqual([]);
  const untold = (await verdicts(resources, strict)).map((text) => text.split(" ")[0] ?? "");
  expect(Object.keys(told)).toEqual(expect.arrayContaining(untold));
}
