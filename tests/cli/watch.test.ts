import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RequestCounts, addMetrics } from "../../cli/watch/service";
import { SinceFile } from "../../cli/watch/changes";
import { root } from "../harness/folder";
import { World, fill, many, most } from "./watch-world";

const up = { status: "DEPLOYED", connection: "UP" } as const;

describe("the alerts of pulumi-frontdoor watch, in simulated time", () => {
  it("reports DOWN, UP, ERROR and DEPLOYED once each", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 3, up));
    fill(world.shares, many("shr", 2, { status: "DEPLOYED" }));
    const monitor = await world.start();
    await world.seconds(60);
    expect(world.events()).toEqual([]);
    world.set("tnl-2", { connection: "DOWN" });
    await world.seconds(300);
    world.set("tnl-2", { connection: "UP" });
    world.set("shr-1", { status: "ERROR" });
    await world.seconds(300);
    world.set("shr-1", { status: "NEW" });
    await world.seconds(60);
    world.set("shr-1", { status: "DEPLOYED" });
    await world.seconds(60);
    world.stop();
    expect([...world.events()].sort()).toEqual(["DEPLOYED shr-1", "DOWN tnl-2", "ERROR shr-1", "UP tnl-2"]);
    expect(world.received[0]?.alert).toMatchObject({
      ...{ frontdoorId: "fd-1", kind: "tunnel", name: "tnl-2" },
      text: "tunnel tnl-2 (tnl-2) of front door fd-1 is DOWN: the service's words",
    });
    expect(monitor.deploySeconds.get("share shr-1")).toBeGreaterThan(45);
    expect(world.errors).toEqual([]);
  });

  it("signs the time stamp and the body", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 1, { ...up, connection: "DOWN" }));
    await world.start();
    await world.seconds(30);
    world.stop();
    const [{ headers, body } = { headers: {} as Record<string, string>, body: "" }] = world.received;
    const timestamp = headers["x-frontdoor-timestamp"] ?? "";
    const signature = createHmac("sha256", "s3cret").update(`${timestamp}.${body}`).digest("hex");
    expect(headers["x-frontdoor-signature"]).toBe(`sha256=${signature}`);
    expect(Math.abs(Number(timestamp) - world.clock.wall() / 1000)).toBeLessThan(30);
  });

  it("reports a flapping connection once, and its state after 30 minutes without a change", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 1, up));
    await world.start();
    for (let times = 0; times < 6; times++)
      for (const connection of ["DOWN", "UP"] as const) {
        world.set("tnl-1", { connection });
        await world.seconds(60);
      }
    await world.seconds(3600);
    world.stop();
    expect(world.events()).toEqual(["DOWN", "UP", "DOWN", "UP", "FLAPPING", "UP"].map((event) => `${event} tnl-1`));
  });

  it("waits before a DOWN, over a restart too, and sends nothing about a short one", async () => {
    const world = new World();
    world.downAfterMs = 300_000;
    fill(world.tunnels, many("tnl", 2, up));
    await world.start();
    for (const id of ["tnl-1", "tnl-2"]) world.set(id, { connection: "DOWN" });
    await world.seconds(200);
    world.set("tnl-2", { connection: "UP" });
    await world.seconds(30);
    world.stop();
    expect(world.events()).toEqual([]);
    await world.start();
    await world.seconds(30);
    expect(world.events()).toEqual([]);
    await world.seconds(120);
    expect(world.events()).toEqual(["DOWN tnl-1"]);
    world.set("tnl-1", { connection: "UP" });
    await world.seconds(60);
    world.stop();
    expect(world.events()).toEqual(["DOWN tnl-1", "UP tnl-1"]);
  });

  it("reports three short DOWN as flapping, and a tunnel that goes before its DOWN is told not at all", async () => {
    const world = new World();
    world.downAfterMs = 300_000;
    fill(world.tunnels, many("tnl", 2, up));
    await world.start();
    world.set("tnl-2", { connection: "DOWN" });
    for (let times = 0; times < 3; times++)
      for (const connection of ["DOWN", "UP"] as const) {
        world.set("tnl-1", { connection });
        await world.seconds(30);
      }
    world.tunnels.delete("tnl-2");
    await world.seconds(60);
    world.stop();
    expect(world.events()).toEqual(["FLAPPING tnl-1"]);
  });

  it("keeps alerts while the receiver fails, also over a restart, and repeats none", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 3, up));
    await world.start();
    world.receives = false;
    world.set("tnl-1", { connection: "DOWN" });
    await world.seconds(600);
    world.set("tnl-2", { connection: "DOWN" });
    await world.seconds(60);
    world.stop();
    await world.seconds(60);
    expect(
      world.said.filter((line) => line.includes("answered 503") && line.endsWith("[webhook-failed]")),
    ).toHaveLength(1);

    await world.start();
    await world.seconds(60);
    expect(world.events()).toEqual([]);
    world.receives = true;
    await world.seconds(120);
    world.stop();
    await world.seconds(60);
    await world.start();
    await world.seconds(300);
    world.stop();
    expect(world.events()).toEqual(["DOWN tnl-1", "DOWN tnl-2"]);
    expect(world.said.at(-1)).toBe("frontdoor: the webhook takes alerts again.");
  });

  it.each([
    [422, ["DOWN tnl-1", "DOWN tnl-3"]],
    [401, []],
  ])("of which the receiver answers one by %i keeps the others in order", async (status, events) => {
    const world = new World();
    fill(world.tunnels, many("tnl", 3, up));
    await world.start();
    world.refuses = { resourceId: "tnl-2", status };
    world.set("tnl-2", { connection: "DOWN" });
    await world.seconds(60);
    world.set("tnl-1", { connection: "DOWN" });
    await world.seconds(60);
    world.set("tnl-3", { connection: "DOWN" });
    await world.seconds(120);
    world.stop();
    expect(world.events()).toEqual(events);
    const lost = world.said.filter((line) => line.includes("answered 422 5 times, so it never gets this alert"));
    expect(lost).toHaveLength(status === 422 ? 1 : 0);
  });

  it("forgets a tunnel that is gone", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 1, { ...up, connection: "DOWN" }));
    await world.start();
    await world.seconds(60);
    world.tunnels.clear();
    await world.seconds(60);
    world.stop();
    expect(JSON.parse(world.kept ?? "")).toEqual({ reported: {}, queue: [] });
  });

  it("closes each open alert of a tunnel or share that is gone, also over a restart, and says nothing of the others", async () => {
    const world = new World();
    fill(world.tunnels, [...many("tnl", 2, { ...up, connection: "DOWN" }), ["tnl-3", up]]);
    fill(world.shares, many("shr", 2, { status: "ERROR" }));
    await world.start();
    await world.seconds(60);
    expect([...world.events()].sort()).toEqual(["DOWN tnl-1", "DOWN tnl-2", "ERROR shr-1", "ERROR shr-2"]);
    world.set("tnl-1", { status: "DELETED" });
    world.shares.delete("shr-1");
    await world.seconds(60);
    world.stop();
    await world.seconds(60);
    expect([...world.events().slice(4)].sort()).toEqual(["GONE shr-1", "GONE tnl-1"]);
    expect(world.received.at(-1)?.alert.text).toMatch(/^(tunnel|share) (\S+) \(\2\) of front door fd-1 is GONE$/);
    world.tunnels.clear();
    world.shares.clear();
    await world.start();
    await world.seconds(60);
    world.stop();
    expect([...world.events().slice(6)].sort()).toEqual(["GONE shr-2", "GONE tnl-2"]);
  });

  it("keeps the alert of a share in ERROR open while the service tries again", async () => {
    const world = new World();
    fill(world.shares, many("shr", 1, { status: "ERROR" }));
    await world.start();
    for (const status of ["NEW", "ERROR", "NEW", "DEPLOYED"]) {
      await world.seconds(60);
      world.set("shr-1", { status });
    }
    await world.seconds(60);
    world.stop();
    expect(world.events()).toEqual(["ERROR shr-1", "DEPLOYED shr-1"]);
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
    expect(world.received).toHaveLength(changedMs.size);
    const lateMs = world.received.map(({ alert, atMs }) => atMs - (changedMs.get(alert.resourceId) ?? Infinity));
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
  addMetrics(registry, monitor, world.clock, { queue: [] });
  return registry.metrics();
}

describe("the metrics", () => {
  it("show status, connection, ages and the time to deploy of each tunnel and share", async () => {
    const lines = (await scraped()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        'frontdoor_status{kind="tunnel",id="tnl-1",name="tnl-1",status="DEPLOYED"} 1',
        'frontdoor_status{kind="share",id="shr-1",name="shr-1",status="DEPLOYED"} 1',
        'frontdoor_connection_up{kind="tunnel",id="tnl-1",name="tnl-1"} 1',
        'frontdoor_connection_up{kind="tunnel",id="tnl-2",name="tnl-2"} 0',
        expect.stringMatching(/^frontdoor_status_age_seconds\{kind="share",id="shr-1",name="shr-1"\} \d/),
        expect.stringMatching(/^frontdoor_connection_age_seconds\{kind="tunnel",id="tnl-1",name="tnl-1"\} \d/),
        expect.stringMatching(/^frontdoor_deploy_seconds\{kind="share",id="shr-1",name="shr-1"\} [23]\d/),
        "frontdoor_alerts_waiting 0",
      ]),
    );
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
