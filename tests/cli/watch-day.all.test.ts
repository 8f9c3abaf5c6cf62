import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { World, fill, many, most } from "./watch-world";

const heapMb = () => {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

const up = { status: "DEPLOYED", connection: "UP" } as const;

it("pulumi-frontdoor watch tells no change in a day of lost requests and slow answers, and its memory stays flat", async () => {
  const world = new World();
  fill(world.tunnels, many("tnl", 2, up));
  fill(world.shares, many("shr", 2, { status: "DEPLOYED" }));
  world.lostPart = 0.2;
  world.roundTripMs = () => (world.clock.random() < 0.1 ? 25_000 : 200);
  await world.start();
  await world.seconds(3600);
  world.askedMs.length = 0;
  const heapsMb = [heapMb()];
  // For ten minutes in each hour nothing is answered.
  for (let hour = 1; hour <= 24; hour++) {
    world.lostPart = 1;
    await world.seconds(600);
    world.lostPart = 0.2;
    await world.seconds(3000);
    // Five, and half as many more after a quiet time.
    expect(most(world.askedMs)).toBeLessThanOrEqual(7);
    world.askedMs.length = 0;
    world.errors.length = 0;
    if (hour % 6 === 0) heapsMb.push(heapMb());
  }
  // What grows, grows in each quarter of the day. Other work of the process can take or free memory in one of them.
  const grownMb = heapsMb.slice(1).map((heap, quarter) => heap - (heapsMb[quarter] ?? 0));
  expect(grownMb.toSorted((a, b) => a - b)[1]).toBeLessThan(0.5);
  expect(world.events()).toEqual([]);
  world.set("tnl-1", { connection: "DOWN" });
  await world.seconds(300);
  world.stop();
  expect(world.events()).toEqual(["tnl-1 DOWN"]);
});
