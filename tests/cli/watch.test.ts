import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../cli/shared/node-version";
import { RequestCounts, addMetrics } from "../../cli/watch/metrics-server";
import { root } from "../harness/folder";
import { World, fill, many, most } from "./watch-world";

const up = { status: "DEPLOYED", connection: "UP" } as const;

describe("pulumi-frontdoor watch --serve, in simulated time", () => {
  it("tells each change of a status and of a connection once", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 3, up));
    fill(world.shares, many("shr", 2, { status: "DEPLOYED" }));
    const monitor = await world.start();
    await world.seconds(60);
    world.set("tnl-2", { connection: "DOWN" });
    await world.seconds(300);
    world.set("tnl-2", { connection: "UP" });
    for (const status of ["ERROR", "NEW", "DEPLOYED"]) {
      world.set("shr-1", { status });
      await world.seconds(60);
    }
    world.stop();
    expect([...world.events()].sort()).toEqual([
      "shr-1 DEPLOYED",
      "shr-1 ERROR",
      "shr-1 NEW",
      "tnl-2 DOWN",
      "tnl-2 UP",
    ]);
    expect(monitor.deploySeconds.get("share shr-1")).toBeGreaterThan(45);
    expect(world.errors).toEqual([]);
  });

  it.each([
    ["DOWN", 200, 200],
    ["ERROR", 50, 1000],
  ])("reports 95 of 100 %s within 60 s for %i tunnels and %i shares", async (...[event, tunnels, shares]) => {
    const world = new World();
    fill(world.tunnels, many("tnl", tunnels, up));
    fill(world.shares, many("shr", shares, { status: "DEPLOYED" }));
    await world.start();
    await world.seconds(90);
    const changedMs = new Map<string, number>();
    for (let index = 1; index <= 100; index++) {
      const id = event === "DOWN" ? `tnl-${1 + ((index * 7) % tunnels)}` : `shr-${index * 10}`;
      changedMs.set(id, world.clock.now());
      world.set(id, event === "DOWN" ? { connection: "DOWN" } : { status: "ERROR" });
      await world.seconds(1 + world.clock.random() * 10);
    }
    await world.seconds(120);
    world.stop();
    expect(world.changes).toHaveLength(changedMs.size);
    const lateMs = world.changes.map(({ id, atMs }) => atMs - (changedMs.get(id) ?? Infinity));
    lateMs.sort((one, other) => one - other);
    expect(lateMs[94]).toBeLessThan(60_000);
  });

  it("sends about 5 requests a second for 1,000 tunnels, reads each within 6 minutes, and each list once a tick", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 1000, up));
    fill(world.shares, many("shr", 1000, { status: "DEPLOYED" }));
    const monitor = await world.start();
    await world.seconds(360);
    world.stop();
    expect(monitor.connections.size).toBe(1000);
    expect(world.lists).toBeLessThanOrEqual(1 + 360 / 10);
    // Five, and half as many more after a quiet time.
    expect(most(world.askedMs)).toBeLessThanOrEqual(7);
    expect(world.errors).toEqual([]);
  });
});

it("watch knows the time of a change that it saw, and at least the time of its first read otherwise", async () => {
  const world = new World();
  world.tunnels.set("tnl-1", { status: "DEPLOYED", connection: "UP" });
  const monitor = await world.start();
  await world.seconds(20);
  expect(monitor.connections.get("tnl-1")?.since).toMatchObject({ status: "UP", isExact: false });
  world.tunnels.set("tnl-1", { status: "DEPLOYED", connection: "DOWN" });
  await world.seconds(40);
  expect(monitor.connections.get("tnl-1")?.since).toMatchObject({ status: "DOWN", isExact: true });
  world.tunnels.delete("tnl-1");
  await world.seconds(40);
  expect(monitor.connections.size).toBe(0);
  world.stop();
});

const read = (name: string) => readFileSync(join(root, "examples", "monitoring", name), "utf8");
const namesIn = (text: string) => new Set(text.match(/\bfrontdoor_[a-z_]+/g));

async function scraped(): Promise<string> {
  const world = new World();
  fill(world.tunnels, many("tnl", 2, { status: "DEPLOYED", connection: "UP" }));
  fill(world.shares, many("shr", 1, { status: "DEPLOYED" }));
  world.set("tnl-2", { connection: "DOWN" });
  const monitor = await world.start();
  await world.seconds(30);
  for (const status of ["NEW", "DEPLOYED"]) {
    world.set("shr-1", { status });
    await world.seconds(30);
  }
  world.stop();
  const { registry } = new RequestCounts();
  addMetrics(registry, monitor, world.clock);
  return registry.metrics();
}

describe("the metrics", () => {
  it.each([403, 404, 409])(
    "show the time of the first try of a connection that is always refused with %i, so that its alert can fire",
    async (refusal) => {
      const world = new World();
      fill(world.tunnels, many("tnl", 1, { status: "DEPLOYED", refusal }));
      const monitor = await world.start();
      await world.seconds(1000);
      world.stop();
      const { registry } = new RequestCounts();
      addMetrics(registry, monitor, world.clock);
      const lines = (await registry.metrics()).split("\n");
      const read = lines.find((line) => line.startsWith("frontdoor_connection_read_timestamp_seconds{")) ?? "";
      expect(world.clock.wall() / 1000 - Number(read.split(" ")[1])).toBeGreaterThan(900);
      expect(lines.filter((line) => line.startsWith("frontdoor_connection_up{"))).toEqual([]);
    },
  );

  it("show status, connection, times and the time to deploy of each tunnel and share, and its name only once", async () => {
    const lines = (await scraped()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        `frontdoor_build_info{version="${version}"} 1`,
        'frontdoor_resource_info{kind="tunnel",id="tnl-1",name="tnl-1"} 1',
        'frontdoor_resource_info{kind="share",id="shr-1",name="shr-1"} 1',
        'frontdoor_status{kind="tunnel",id="tnl-1",status="DEPLOYED"} 1',
        'frontdoor_status{kind="share",id="shr-1",status="DEPLOYED"} 1',
        'frontdoor_connection_up{kind="tunnel",id="tnl-1"} 1',
        'frontdoor_connection_up{kind="tunnel",id="tnl-2"} 0',
        expect.stringMatching(/^frontdoor_deploy_seconds\{kind="share",id="shr-1"\} [23]\d/),
      ]),
    );
    expect(
      lines.filter((line) => line.includes('name="')).every((line) => line.startsWith("frontdoor_resource_info")),
    ).toBe(true);
    const secondsOf = (series: string) => Number(lines.find((line) => line.startsWith(series))?.split(" ")[1]);
    const listed = secondsOf("frontdoor_list_timestamp_seconds");
    // The tunnel was there from the first list, and the share has been DEPLOYED for up to 30 seconds.
    const ages = ['status_since_timestamp_seconds{kind="share"', "connection_since_timestamp_seconds{"].map((series) =>
      Math.round((listed - secondsOf(`frontdoor_${series}`)) / 30),
    );
    expect(ages).toEqual([1, 3]);
  });

  it.each(["alert-rules.yml", "grafana-dashboard.json", "../../docs/how-to/monitoring.md"])(
    "have each name in %s",
    async (file) => {
      const names = namesIn(
        (await scraped()).replace(/^# .*\n/gm, "") + (await new RequestCounts().registry.metrics()),
      );
      expect([...namesIn(read(file))].filter((name) => !names.has(name))).toEqual([]);
    },
  );
});
