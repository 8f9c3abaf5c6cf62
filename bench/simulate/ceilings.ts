import { writeFileSync } from "node:fs";
import { csv, type Line, plot } from "./plot";
import { type Plan, simulate } from "./simulate";

const sites = 100;
const stacks = [1, 2, 4, 8, 16, 32, 64, 100];

/** The ceiling of each provider process, by how many run at once. */
const policies = {
  "20 a second each": () => 20,
  "the limit divided by their number": (limit: number, atOnce: number) => limit / atOnce,
};

/** One front door of a hundred sites with a limit: how long they take, and what is refused, by the stacks that run at once. */
export async function ceilings(plan: Omit<Plan, "outages">, file: (name: string) => string): Promise<void> {
  const limit = plan.limitPerSecond ?? Infinity;
  const head = ["ceiling", "stacks at once", "minutes", "requests", "refused", "most in a second"];
  const rows: (string | number)[][] = [head];
  const [took, refused]: [Line[], Line[]] = [[], []];
  for (const [name, ceilingOf] of Object.entries(policies)) {
    const ofPolicy: Record<"took" | "refused", Line["points"]> = { took: [], refused: [] };
    took.push({ name, points: ofPolicy.took });
    refused.push({ name, points: ofPolicy.refused });
    for (const atOnce of stacks) {
      const own = { sites, frontDoors: 1, stacksAtOnce: atOnce, stacksPerFrontDoor: atOnce };
      const ceilingPerSecond = ceilingOf(limit, atOnce);
      const outcome = await simulate({ ...plan, ...own, ceilingPerSecond, outages: () => [] });
      const minutes = Number(((outcome.doneMs.at(-1) ?? 0) / 60_000).toFixed(1));
      ofPolicy.took.push([atOnce, minutes]);
      ofPolicy.refused.push([atOnce, outcome.refused / sites]);
      rows.push([name, atOnce, minutes, outcome.requests, outcome.refused, outcome.mostPerSecond]);
      console.log(rows.at(-1)?.join(", "));
    }
  }
  const x = { name: "stacks at once", type: "log" } as const;
  const title = `${sites} sites on a front door that allows ${limit} requests a second`;
  plot(file("scale-ceiling.svg"), { title, x, y: "minutes", lines: took });
  plot(file("scale-refused.svg"), { title: `${title}: refusals`, x, y: "429 a site", lines: refused });
  writeFileSync(file("scale-ceiling.csv"), csv(rows));
}
