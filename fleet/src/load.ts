import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { type Fleet, FleetFileError, readFleet } from "./fleet.ts";

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
