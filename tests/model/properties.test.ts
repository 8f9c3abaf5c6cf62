import fc from "fast-check";
import { dynamicHost } from "./dynamic-host";
import { drawn, history, historyWithSets, type ModelHistory } from "./history";
import type { OpenHost } from "./host";
import { pluginHost } from "./plugin-host";
import { ModelWorld } from "./run";

/** Fixed ones, so that a change of the provider is met by the same histories; the fresh one is printed by a failure. */
const fresh = Date.now() % 2 ** 31;
/** Another number, to look longer or only for whether there is a failure at all, without making it small. */
const given = process.env["FRONTDOOR_PROPERTY_RUNS"];
const runs = Number(given ?? 100);

const all: [what: string, name: string, open: OpenHost, histories: fc.Arbitrary<ModelHistory>, seeds: number[]][] = [
  ["", "dynamic", dynamicHost, history, [1, fresh]],
  ["", "plugin", pluginHost, history, [fresh + 1]],
  [" with a set", "dynamic", dynamicHost, historyWithSets, [6]],
  [" with a set", "plugin", pluginHost, historyWithSets, [fresh + 2]],
];

describe.each(all)(
  "any program history%s under any faults and kills, on the %s host,",
  (_what, _name, open, histories, seeds) => {
    let world: ModelWorld;
    beforeAll(async () => {
      world = await ModelWorld.open(open);
    });
    afterAll(() => world.close());

    it.each(seeds)(
      "ends with one object for each resource, a quiet next run, and nothing after a destroy (seed %i)",
      async (seed) => {
        if (given !== undefined) fc.statistics(histories, drawn, { seed, numRuns: runs });
        await fc.assert(
          fc.asyncProperty(histories, (each) => world.run(each)),
          { seed, numRuns: runs, endOnFailure: given !== undefined },
        );
      },
    );
  },
);
