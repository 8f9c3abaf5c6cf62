import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCache } from "../engine/environment";
import type { Run } from "../engine/run";
import { Stack } from "../engine/engine";

export const root = join(__dirname, "..", "..");
export const pack = join(root, "policy");

/** A program in a folder of its own with one stack, run by a real engine against an emulator of its own. */
export class Project {
  private constructor(
    readonly folder: string,
    private readonly name: string,
    private readonly engine: Stack,
  ) {}

  /** A copy of an example, or of a program beside this file. */
  static async open(program: string, name = "demo"): Promise<Project> {
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-policy-"));
    if (program.endsWith(".js")) {
      cpSync(join(__dirname, "programs", program), join(folder, "index.js"));
      writeFileSync(join(folder, "package.json"), '{ "main": "index.js" }');
    } else cpSync(join(root, "examples", program), folder, { recursive: true });
    cpSync(join(__dirname, "programs", "Pulumi.yaml"), join(folder, "Pulumi.yaml"), { force: false });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const project = new Project(folder, name, await Stack.open({ token: "emulator-token" }));
    // The examples are TypeScript; the type check of the repository includes them.
    Object.assign(project.engine.env, { NODE_OPTIONS: compileCache, PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    const { code, text } = await project.run("stack", "init", name);
    if (code !== 0) throw new Error(text);
    return project;
  }

  run(...args: string[]): Promise<Run> {
    return this.engine.run(...args, "--cwd", this.folder);
  }

  /** A preview as users run it: without the event log, which tests read and which grows with every policy and resource. */
  plainPreview(...flags: string[]): Promise<Run> {
    return this.engine.run("--cwd", this.folder, "preview", "--stack", this.name, ...flags);
  }

  preview(...flags: string[]): Promise<Run> {
    return this.run("preview", "--stack", this.name, ...flags);
  }

  up(...flags: string[]): Promise<Run> {
    return this.run("up", "--yes", "--skip-preview", "--stack", this.name, ...flags);
  }

  /** A file with settings for the policies. */
  settings(content: object): string {
    const path = join(this.folder, "settings.json");
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  /** The state, secrets encrypted. */
  async state(): Promise<{ urn: string; inputs?: Record<string, unknown>; outputs?: Record<string, unknown> }[]> {
    const { text } = await this.run("stack", "export", "--stack", this.name);
    const { deployment } = JSON.parse(text.slice(text.indexOf("{"))) as {
      deployment: { resources: { urn: string; inputs?: Record<string, unknown> }[] };
    };
    return deployment.resources;
  }

  async close(): Promise<void> {
    await this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What the engine printed of policies, as `mandatory limit-peer-networks lisbon`, sorted; a remediation as `remediate avoid-stored-keys`. */
export function reported({ text }: Run): string[] {
  const line = /^ +- \[(\w+)\](?: \[severity: \w+\])? +(\S+) +\((?:\S+: (\S+)|\d+ resources?)\)$/gm;
  return [...text.matchAll(line)]
    .map(([, level, policy, resource]) => [level, policy, resource].join(" ").trim())
    .sort();
}
