import { isDeepStrictEqual } from "node:util";
import { effectsOf } from "../lifecycle/driver";
import { Secret } from "../model/adapter";
import { draw, virtual } from "./draw";
import { type History, play, type Play } from "./history";
import { PulumiWorld } from "./pulumi";
import type { Ran } from "./run";

/** Plays a random history without faults on the model and on Pulumi. Returns the differences. */
export async function conforms(
  seed: number,
  adapter?: History["adapter"],
): Promise<{ history: History; differences: string[] }> {
  const { history } = await draw(seed, { isCalm: true, adapter });
  const model = await play(history, virtual(history), () => false);
  const world = await PulumiWorld.open(history);
  try {
    const real = await play(history, world.run, () => false);
    const problems = [...model.problems, ...real.problems, ...world.problems];
    return { history, differences: [...problems, ...differences(model, real)] };
  } finally {
    await world.close();
  }
}

function differences(model: Play, real: Play): string[] {
  if (model.runs.length !== real.runs.length)
    return [`${model.log.join("; ")} on the model, ${real.log.join("; ")} on Pulumi`];
  return model.runs.flatMap(({ ran }, number) => {
    const [one, other] = [traceOf(ran), traceOf(real.runs[number]?.ran ?? ran)];
    return Object.keys(one).flatMap((key) => {
      const [ours = [], theirs = []] = [one[key], other[key]];
      if (isDeepStrictEqual(ours, theirs)) return [];
      const [more, fewer] = [without(ours, theirs), without(theirs, ours)];
      return [`run ${number + 1}, ${key}: the model has ${more.join(", ")}, Pulumi has ${fewer.join(", ")}`];
    });
  });
}

const without = (some: readonly string[], others: readonly string[]) => some.filter((each) => !others.includes(each));

/** What a run did and how it ended: its writes in order for each resource, the service and the state. Names replace ids. */
function traceOf({ after, error, requests, steps }: Ran): Record<string, string[]> {
  const names = new Map<string, string>();
  for (const { id, fields, kind } of after.items) {
    const name = `${kind} ${String(fields["name"])}`;
    names.set(id, `${name} #${[...names.values()].filter((each) => each.startsWith(`${name} #`)).length}`);
  }
  const named = (value: unknown): unknown => JSON.parse(spelled(value, names));
  const writes = new Map<string, string[]>();
  for (const { method, path, body = "{}", status } of requests) {
    if (method === "GET") continue;
    const [, , id] = path.split("/");
    const about =
      id === undefined ? `POST ${String((JSON.parse(body) as { name?: string }).name)}` : (names.get(id) ?? id);
    const write = `${method} ${spelled(body, names)} ${status}`;
    const before = writes.get(about) ?? [];
    // The number of refused tries of a write depends on timing.
    writes.set(about, before.at(-1) === write ? before : [...before, write]);
  }
  return {
    end: [error === undefined ? "done" : "failed"],
    // After a failure, the steps that had begun depend on the order in which the engine recorded the resources.
    effects: error === undefined ? effectsOf(steps) : [],
    writes: [...writes].map(([about, all]) => `${about}: ${all.join(", ")}`).sort(),
    items: after.items
      .filter(({ status }) => status !== "DELETED")
      .map((item) => sorted(named(item)))
      .sort(),
    state: after.state.map(({ delete: isDoomed = false, ...kept }) => sorted(named({ ...kept, isDoomed }))).sort(),
  };
}

/** JSON without the code of a dynamic provider, which the model does not have, and with names for ids. */
const spelled = (value: unknown, names: Map<string, string>) =>
  JSON.stringify(value, (key, each: unknown) =>
    key === "__provider" ? undefined : each instanceof Secret ? "[secret]" : each,
  ).replace(/\b(?:tnl|shr)-\d+/g, (id) => names.get(id) ?? id);

const byKey = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each) ? byKey(each) : each,
  );
