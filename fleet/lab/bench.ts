// 30 stacks with 20 shares each that take 10 s: one stack after the other, and on one and two workers.
import { parseArgs } from "node:util";
import { Lab } from "./lab.ts";

const { values } = parseArgs({
  options: {
    stacks: { type: "string", default: "30" },
    shares: { type: "string", default: "20" },
    "max-stacks": { type: "string", default: "4" },
  },
});
const stacks = Number(values.stacks);
const maxStacks = Number(values["max-stacks"]);
const frontDoors = Array.from({ length: 10 }, (_, at) => `fd-${at + 1}`);

/** Seconds of a whole `up` of all stacks. */
async function seconds(workers: number, each: number): Promise<number> {
  const lab = await Lab.open(frontDoors, { provisionMs: { tunnel: 0, share: 10_000 } });
  try {
    for (let at = 0; at < workers; at++) await lab.startWorker({ maxStacks: each });
    lab.fleet({
      name: "bench",
      limits: { perFrontDoor: 3 },
      defaults: {
        program: "programs/site",
        // All shares wait at once; Pulumi's own default depends on the machine.
        config: { "frontdoor:baseUrl": lab.baseUrl, shares: values.shares },
        secrets: { "frontdoor:token": "env:SITE_TOKEN" },
      },
      stacks: Object.fromEntries(
        Array.from({ length: stacks }, (_, at) => [
          `site-${at + 1}`,
          { frontDoor: frontDoors[at % frontDoors.length] ?? "", config: { number: String(at + 1) } },
        ]),
      ),
    });
    const startedMs = performance.now();
    const { code, said } = await lab.run("up");
    if (code !== 0) throw new Error(said);
    return (performance.now() - startedMs) / 1000;
  } finally {
    await lab.close();
  }
}

const alone = await seconds(1, 1);
const show = (what: string, took: number) => {
  console.log(`${what}: ${Math.round(took)} s, ${(took / alone).toFixed(2)} of one after the other`);
};
console.log(`${stacks} stacks with ${values.shares} shares of 10 s each`);
show("one stack after the other", alone);
show(`one worker, ${maxStacks} stacks at a time`, await seconds(1, maxStacks));
show(`two workers, ${maxStacks} stacks at a time each`, await seconds(2, maxStacks));
