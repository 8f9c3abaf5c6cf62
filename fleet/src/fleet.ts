import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { z } from "zod";
import { timeoutKey } from "./times";

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, "letters, digits, dots, dashes and underscores");
const texts = z.record(z.string(), z.string());
/** A key of stack configuration. It can't be taken for an option of the engine's command. */
const key = z.string().regex(/^\w[\w.:/-]*$/, "letters, digits and . _ : / -; first a letter, a digit or _");
const isReference = (text: string) => /^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$/.test(text);
const reference = z.string().refine(isReference, "write env:NAME or file:PATH, never the secret");

/** An address that can hold no credentials. */
function isPlainFile(text: string): boolean {
  if (!text.startsWith("file://") || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === "");
}

const backend = z.string().refine((text) => isPlainFile(text) || (!text.startsWith("file://") && isReference(text)), {
  message:
    "this URL can contain secrets, and Temporal keeps the fleet file. Write env:NAME or file:PATH instead. [backend-address]",
});

/** A path below the folder that a worker is started in, so that each worker uses its own checkout. */
const program = z.string().refine((path) => path !== "" && !/^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/.test(path), {
  message: "a path below the worker's folder",
});

const settings = {
  /** The program's folder, as the worker sees it. */
  program: program.optional(),
  /** The front door's id. */
  frontDoor: z.string().min(1).optional(),
  /** Stack configuration, `frontdoor:…` included. */
  config: z.record(key, z.string()).default({}),
  /** References to the values: variables or files of the worker. */
  secrets: z.record(key, reference).default({}),
  labels: texts.default({}),
};

const stack = z.strictObject({
  ...settings,
  /** Stacks that must be up before this stack. */
  dependsOn: z.array(z.string()).default([]),
  wave: z.string().optional(),
});

const wave = z.strictObject({
  name,
  /** The number of failures in this wave after which no stack of this wave or a later wave begins. */
  stopAfter: z.int().min(1).default(1),
  /** If true, `up` and `destroy` wait for `frontdoor-fleet approve` before this wave. */
  approve: z.boolean().default(false),
});

const limits = z.strictObject({
  /** The number of stacks that run at a time on one front door. Their provider processes share its request limit. */
  perFrontDoor: z.int().min(1).default(2),
  /** The number of attempts, if the service is unreachable or the worker is lost. */
  attempts: z.int().min(1).default(5),
  /** The seconds of silence after which a worker counts as lost. */
  lostAfterSeconds: z.int().min(10).default(120),
});

/** The provider's settings except the front door, which a stack names in `frontDoor`. */
export const frontDoorKeys = [
  "audience",
  "baseUrl",
  "clientId",
  "clientSecret",
  "credentialsFile",
  "oneTunnelPerLocation",
  "requestTimeout",
  "requestsPerSecond",
  "scope",
  "token",
  "tokenRequest",
  "tokenUrl",
  "username",
].map((key) => `frontdoor:${key}`);
const frontDoorSecrets = ["frontdoor:token", "frontdoor:clientSecret"];

/** Temporal takes at most 2 MB to start a run. */
const mostStacks = 10_000;

/** The schema of a fleet file. */
export const fleetSchema = z.strictObject({
  name,
  /** The state's backend: a reference to its address, or a plain file:// address. */
  backend: backend.default("env:PULUMI_BACKEND_URL"),
  passphrase: reference.default("env:PULUMI_CONFIG_PASSPHRASE"),
  waves: z
    .array(wave)
    .min(1)
    .default([{ name: "all", stopAfter: 1, approve: false }]),
  limits: limits.default({ perFrontDoor: 2, attempts: 5, lostAfterSeconds: 120 }),
  /** The defaults of all stacks. */
  defaults: z.strictObject(settings).partial().default({}),
  stacks: z
    .record(name, stack)
    .refine((all) => Object.keys(all).length > 0, "at least one stack")
    .refine((all) => Object.keys(all).length <= mostStacks, `at most ${mostStacks} stacks. Divide them into fleets`),
});

/** The contents of a fleet file, for `fleet.ts`. */
export type FleetFile = z.input<typeof fleetSchema>;

export interface FleetStack {
  name: string;
  program: string;
  frontDoor: string;
  config: Record<string, string>;
  secrets: Record<string, string>;
  labels: Record<string, string>;
  dependsOn: string[];
  wave: string;
}

/** A checked fleet file. Every stack is complete, in the order of the file. It holds references to secrets, but no secret. */
export type Fleet = Omit<z.output<typeof fleetSchema>, "defaults" | "stacks"> & { stacks: FleetStack[] };

/** A wrong fleet file or command line. Each line of the message is one problem. */
export class FleetFileError extends Error {
  constructor(problems: string) {
    super(problems.endsWith("]") ? problems : `${problems} [fleet-file]`);
  }
}

/** @throws FleetFileError with every problem at once */
export function readFleet(text: unknown): Fleet {
  const parsed = fleetSchema.safeParse(text);
  if (!parsed.success)
    throw new FleetFileError(
      parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")).join("\n"),
    );
  const { defaults, stacks: given, ...rest } = parsed.data;
  const lastWave = rest.waves.at(-1)?.name ?? "";
  const stacks = Object.entries(given).map(([key, each]) => ({
    name: key,
    program: each.program ?? defaults.program ?? "",
    frontDoor: each.frontDoor ?? defaults.frontDoor ?? "",
    config: { ...defaults.config, ...each.config },
    secrets: { ...defaults.secrets, ...each.secrets },
    labels: { ...defaults.labels, ...each.labels },
    dependsOn: each.dependsOn,
    wave: each.wave ?? lastWave,
  }));
  const fleet = { ...rest, stacks };
  const problems = problemsOf(fleet);
  if (problems.length > 0) throw new FleetFileError(problems.join("\n"));
  return fleet;
}

function problemsOf({ waves, stacks }: Fleet): string[] {
  const problems: string[] = [];
  const waveNames = waves.map((each) => each.name);
  if (new Set(waveNames).size < waveNames.length) problems.push("waves: two waves have the same name");
  const byName = new Map(stacks.map((each) => [each.name, each]));
  for (const each of stacks) {
    const at = `stacks.${each.name}`;
    if (each.program === "") problems.push(`${at}.program: missing, here and in defaults`);
    if (each.frontDoor === "") problems.push(`${at}.frontDoor: missing, here and in defaults`);
    if (!waveNames.includes(each.wave)) problems.push(`${at}.wave: there is no wave ${each.wave}`);
    for (const key of Object.keys(each.secrets))
      if (key in each.config) problems.push(`${at}.secrets.${key}: is also in config`);
    if (timeoutKey in each.secrets)
      problems.push(
        `${at}.secrets.${timeoutKey}: write it in config, because the pause after a lost worker depends on it`,
      );
    if (Number.isNaN(Number(each.config[timeoutKey] ?? 0)))
      problems.push(`${at}.config.${timeoutKey}: must be a number of seconds`);
    for (const key of frontDoorSecrets)
      if (key in each.config) problems.push(`${at}.config.${key}: is a secret. Give a reference in secrets`);
    for (const key of Object.keys({ ...each.config, ...each.secrets }))
      if (key.startsWith("frontdoor:") && !frontDoorKeys.includes(key))
        problems.push(`${at}: there is no setting ${key}; there are ${frontDoorKeys.join(", ")}`);
    for (const needed of each.dependsOn) {
      const other = byName.get(needed);
      if (!other) problems.push(`${at}.dependsOn: there is no stack ${needed}`);
      else if (waveNames.indexOf(other.wave) > waveNames.indexOf(each.wave))
        problems.push(`${at}.dependsOn: ${needed} is in wave ${other.wave}, which comes after ${each.wave}`);
    }
  }
  const cycle = cycleIn(byName);
  if (cycle) problems.push(`stacks: ${cycle.join(" → ")} depend on each other`);
  return problems;
}

function cycleIn(stacks: Map<string, FleetStack>): string[] | undefined {
  const done = new Set<string>();
  const follow = (at: string, path: string[]): string[] | undefined => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    if (done.has(at)) return undefined;
    for (const next of stacks.get(at)?.dependsOn ?? []) {
      const cycle = follow(next, [...path, at]);
      if (cycle) return cycle;
    }
    done.add(at);
    return undefined;
  };
  for (const at of stacks.keys()) {
    const cycle = follow(at, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Returns its argument with its type, for `fleet.ts`. */
export const fleet = (file: FleetFile): FleetFile => file;

/** Reads `fleet.yaml`, or the default export of `fleet.ts`. @throws FleetFileError */
export async function loadFleet(path: string): Promise<Fleet> {
  const file = resolve(path);
  if (!existsSync(file))
    throw new FleetFileError(`${path}: there is no such file. Name another one with --file. [fleet-file]`);
  try {
    if (/\.(ts|mts|js|mjs)$/.test(file)) {
      const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
      return readFleet(module.default);
    }
    return readFleet(parse(readFileSync(file, "utf8"), { prettyErrors: false }));
  } catch (error) {
    const lines = error instanceof Error ? error.message : String(error);
    throw new FleetFileError(lines.replace(/^/gm, `${path}: `));
  }
}

/** Returns the stacks with these names and labels; all stacks if no name and no label is given. @throws FleetFileError */
export function selected(fleet: Fleet, names: string[], labels: Record<string, string>): string[] {
  const unknown = names.filter((name) => !fleet.stacks.some((each) => each.name === name));
  if (unknown.length > 0)
    throw new FleetFileError(
      `there is no stack ${unknown.join(", ")} in this fleet. Use names of frontdoor-fleet plan. [fleet-option]`,
    );
  const found = fleet.stacks
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .filter((stack) => Object.entries(labels).every(([key, value]) => stack.labels[key] === value))
    .map(({ name }) => name);
  if (found.length === 0)
    throw new FleetFileError("no stack of this fleet has these labels. Use labels of the fleet file. [fleet-option]");
  return found;
}
