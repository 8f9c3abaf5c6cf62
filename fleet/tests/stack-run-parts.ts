import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AllowSettings, Allowed } from "../src/allowed.ts";
import { engineEnvironment } from "../src/environment.ts";
import type { Watch } from "../src/engine.ts";
import type { StackOperation } from "../src/operation.ts";
import { Secrets } from "../src/secrets.ts";
import { StackRun } from "../src/stack-run.ts";

/** A worker's folder with the program `site`. */
export function workerFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "fleet-worker-"));
  program(join(root, "worker", "site"));
  return root;
}

export function program(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "Pulumi.yaml"), "name: site\nruntime: nodejs\n");
}

const stack = {
  ...{ name: "paris", program: "site", frontDoor: "fd-1", dependsOn: [], wave: "all" },
  ...{ config: {}, secrets: {}, labels: {} },
};

interface Part {
  /** Laid over an operation that a worker of `allow` takes. */
  asked?: Partial<Omit<StackOperation, "stack">>;
  stack?: Partial<StackOperation["stack"]>;
  env?: NodeJS.ProcessEnv;
  allow?: AllowSettings;
  variables?: string[];
  /** What stands for the engine. */
  command?: string;
}

/** An operation on the worker in `folder/worker`. */
export function stackRun(folder: string, { asked, stack: over, env, allow, variables, command = "false" }: Part = {}) {
  const root = join(folder, "worker");
  const all = { PULUMI_CONFIG_PASSPHRASE: "passphrase", PULUMI_BACKEND_URL: "file:///nowhere", ...env };
  const allowed = new Allowed(root, allow);
  const place = {
    ...{ root, env: all, engineEnv: engineEnvironment(all, variables), allowed },
    pulumi: { command, version: null } as never,
    watch: { begun: () => undefined, over: () => undefined } as unknown as Watch,
  };
  const operation: StackOperation = {
    ...{ operation: "up", backend: "env:PULUMI_BACKEND_URL", passphrase: "env:PULUMI_CONFIG_PASSPHRASE" },
    ...{ lostAfterSeconds: 60, isAfterLoss: false, ...asked },
    stack: { ...stack, ...over },
  };
  const ends = { inOrder: new AbortController().signal, lostAfterSeconds: 60 };
  return new StackRun(operation, place, new Secrets(root, all, allowed), ends);
}
