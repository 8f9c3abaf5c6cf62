import { VirtualClock } from "../../tests/provider/virtual-clock";
import { FrontDoor } from "./front-door";
import type { Plan } from "./simulate";
import { Site } from "./site";

/** How many requests a run of one site takes that has a front door to itself. */
export async function costs(plan: Omit<Plan, "outages">): Promise<Record<string, number>> {
  const clock = new VirtualClock(() => undefined, plan.seed);
  const door = await FrontDoor.open("fd-1", plan, [], clock);
  const site = new Site(0, door, plan, clock);
  const runs = { "first up": () => site.up(), "up again": () => site.up(), refresh: () => site.refresh() };
  const counts: Record<string, number> = {};
  try {
    for (const [name, run] of Object.entries(runs)) {
      const before = door.requests;
      await run();
      counts[name] = door.requests - before;
    }
    return counts;
  } finally {
    await door.emulator.close();
  }
}
