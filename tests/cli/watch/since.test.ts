import { SinceFile } from "../../../cli/watch/since";
import { World } from "./world";

const files = new Map<string, string>();
const folder = {
  read: (file: string) => files.get(file),
  write: (file: string, text: string) => files.set(file, text),
};
const since = new Map([["tnl-1", { status: "DOWN" as const, sinceMs: 5, isExact: true }]]);
beforeEach(() => {
  files.clear();
});

it("the file tells another run of the same front door since when connections are DOWN, for five minutes", () => {
  const file = () => new SinceFile(folder, "https://a.example/frontdoor", "fd-1");
  expect(file().read(0)).toEqual(new Map());
  file().write(since, 1_000);
  expect(file().read(300_000)).toEqual(since);
  expect(file().read(302_000)).toEqual(new Map());
  expect(new SinceFile(folder, "https://a.example/frontdoor", "fd-2").read(1_000)).toEqual(new Map());
  for (const name of files.keys()) files.set(name, "{");
  expect(file().read(1_000)).toEqual(new Map());
});

it("watch knows the time of a change that it saw, and at least the time of its first read otherwise", async () => {
  const world = new World();
  world.tunnels.set("tnl-1", { status: "DEPLOYED", connection: "UP" });
  const monitor = await world.start();
  await world.seconds(20);
  expect(monitor.since.get("tnl-1")).toMatchObject({ status: "UP", isExact: false });
  world.tunnels.set("tnl-1", { status: "DEPLOYED", connection: "DOWN" });
  await world.seconds(40);
  expect(monitor.since.get("tnl-1")).toMatchObject({ status: "DOWN", isExact: true });
  world.tunnels.delete("tnl-1");
  await world.seconds(40);
  expect(monitor.since.size).toBe(0);
  world.stop();
});
