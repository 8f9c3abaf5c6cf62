import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { version } from "../../cli/shared/node-version";
import { RequestCounts, addMetrics } from "../../cli/watch/metrics-server";
import { blocksOf } from "../docs/pages";
import { start } from "../harness/command";
import { root } from "../harness/folder";
import { ask, installed, startWatch, useEmulator } from "./command";
import { World, fill, many, most } from "./watch-world";

const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "hq" });
  emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
});

describe("pulumi-frontdoor watch", () => {
  const began = (counts: string) => `front door fd-1: ${counts}. Ends once no status has been changing for 30 s\n`;

  it("ends after 30 s in which no status is changing", async () => {
    const { clock, end } = here.workspace.open(["watch"], { isService: true });
    let isOver = false;
    void end.then(() => (isOver = true));
    await clock.pass(29_000);
    expect(isOver).toBe(false);
    await clock.pass(2_000);
    const { code, stdout, stderr } = await end;
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toBe(`${here.using}${began("2 DEPLOYED")}no status is changing: 2 DEPLOYED\n`);
  });

  it("counts the 30 s from its first answer, which can be late", async () => {
    here.emulator.setStatus("shr-1", "NEW");
    here.emulator.faults.answerNext({ path: /ipsec-shares$/, status: 429, headers: { "retry-after": "40" } });
    const { clock, says, end } = here.workspace.open(["watch"], { isService: true });
    await clock.pass(45_000);
    await says(/1 NEW/);
    here.emulator.setStatus("shr-1", "DEPLOYED");
    await clock.pass(2_000);
    await says(/NEW → DEPLOYED/);
    await clock.pass(31_000);
    expect((await end).code).toBe(0);
  });

  it("sees a run of Pulumi that begins later, and pauses between two resources", async () => {
    const { clock, says, said, end } = here.workspace.open(["watch"], { isService: true });
    for (const id of ["shr-2", "shr-3"]) {
      await clock.pass(20_000);
      here.emulator.seedShare({ id, name: id, ipsecTunnelId: "tnl-1", status: "NEW" });
      await clock.pass(4_000);
      await says(new RegExp(`${id} \\(${id}\\) NEW\n`));
      here.emulator.setStatus(id, "DEPLOYED");
    }
    await clock.pass(4_000);
    await clock.pass(31_000);
    expect((await end).code).toBe(0);
    expect(said.stdout).toMatch(/shr-3 \(shr-3\) NEW → DEPLOYED/);
  });

  it("prints a line for each change, until no status is changing", async () => {
    here.emulator.setStatus("shr-1", "NEW");
    const { clock, says, end } = here.workspace.open(["watch"], { isService: true });
    await says(/1 NEW/);
    here.emulator.seedShare({ id: "shr-2", name: "db", ipsecTunnelId: "tnl-1", status: "DELETING" });
    await clock.pass(2_000);
    await says(/DELETING/);
    here.emulator.setStatus("shr-1", "DEPLOYED");
    here.emulator.removeShare("shr-2");
    await clock.pass(2_000);
    await clock.pass(31_000);
    const { code, stdout, stderr } = await end;
    expect(code).toBe(0);
    for (const change of [
      "db (shr-2) DELETING",
      "web (shr-1) NEW → DEPLOYED after",
      "db (shr-2) DELETING → gone after",
    ])
      expect(stdout.replace(/^\d\d:\d\d:\d\d share /gm, "\n")).toContain(`\n${change}`);
    expect(stderr).toMatch(/no status is changing: 2 DEPLOYED\n$/);
  });

  it("fails on ERROR, and once the time is over", async () => {
    here.emulator.setStatus("shr-1", "ERROR");
    const broken = await here.run("watch --json");
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(
        /these have failed: share web \(shr-1\) ERROR\. `pulumi up --refresh` sends shr-1 again: first check its target\. \[status-error\]\n$/,
      ),
    ]);
    const now = [{ id: "tnl-1" }, { status: "ERROR" }];
    expect(JSON.parse(broken.stdout)).toMatchObject({ isSettled: true, changes: [], now });

    here.emulator.setStatus("shr-1", "NEW");
    here.emulator.seedShare({ id: "shr-2", name: "db", ipsecTunnelId: "tnl-1", status: "ERROR" });
    const late = await here.run("watch --for 1s");
    expect([late.code, late.stdout]).toEqual([1, ""]);
    expect(late.stderr).toMatch(/^these have failed: share db \(shr-2\) ERROR$/m);
    expect(late.stderr).toMatch(/still changing: share web \(shr-1\) NEW\. .*\[still-changing\]\n$/);
    expect((await here.run("watch --for soon")).code).toBe(2);
  });
});

describe("pulumi-frontdoor watch --serve", () => {
  it("serves metrics, and nothing else", async () => {
    here.emulator.settings.connectionStatus = "DOWN";
    const { clock, url, scrape, stop } = await startWatch(here.workspace, []);
    await clock.passUntil(() => here.emulator.requests.some(({ path }) => path.includes("tunnel-config")));
    const metrics = await scrape();
    expect(metrics).toContain('frontdoor_connection_up{kind="tunnel",id="tnl-1"} 0');
    expect(metrics).toMatch(/^frontdoor_requests_total [3-9]$/m);
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect(await fetch(new URL("/", url)).then(({ status }) => status)).toBe(404);
    const { code, stdout, stderr } = await stop();
    expect([code, stdout, stderr]).toEqual([0, "", expect.not.stringContaining("[")]);
  });

  it("answers on loopback to loopback names only, and never to another page", async () => {
    const { url, stop } = await startWatch(here.workspace, []);
    const { port } = new URL(url);
    const statuses = async (host: string, headers: Record<string, string>) =>
      (await ask(url, { host: `${host}:${port}`, ...headers })).status;
    for (const host of ["127.0.0.1", "localhost"]) expect([host, await statuses(host, {})]).toEqual([host, 200]);
    for (const host of ["a.example", "127.0.0.1.a.example", "192.0.2.1"])
      expect([host, await statuses(host, {})]).toEqual([host, 403]);
    const ofPages: Record<string, string>[] = [{ origin: "https://a.example" }, { origin: "null" }];
    for (const headers of [...ofPages, { "sec-fetch-site": "cross-site" }])
      expect([headers, await statuses("127.0.0.1", headers)]).toEqual([headers, 403]);
    await stop();
    const open = await startWatch(here.workspace, [], {}, "0.0.0.0:0");
    const there = `http://127.0.0.1:${new URL(open.url).port}/metrics`;
    expect((await ask(there, { host: "monitor.example" })).status).toBe(200);
    expect((await ask(there, { host: "monitor.example", origin: "https://a.example" })).status).toBe(403);
    await open.stop();
  });

  it.each([
    ["--serve 127.0.0.1:99999", /<host>:<port>.*\[wrong-usage\]/s],
    ["--serve 9464 --json", /\[options-conflict\]/],
  ])("refuses %s", async (args, message) => {
    const { code, stderr } = await here.run(`watch ${args}`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it("refuses a port that is in use and a wrong token, and ends with --for", async () => {
    const { url, stop } = await startWatch(here.workspace, []);
    const taken = await here.run(`watch --serve ${new URL(url).port}`);
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringMatching(/\[port-not-free\]\n$/)]);
    await stop();
    const ended = await here.run("watch --serve 0 --for 1s");
    expect([ended.code, ended.stdout]).toEqual([0, ""]);
    const refused = await here.run("watch --serve 0", { FRONTDOOR_TOKEN: "wrong" });
    expect(refused.code).toBe(1);
  });
});

const page = "docs/how-to/monitoring.md";

describe(page, () => {
  it.each(blocksOf(page).flatMap(({ mark, code }) => (mark?.file === "tests/cli/watch-command.test.ts" ? code : [])))(
    "as pasted: %s",
    async (code) => {
      const script = code.replace("--serve 9464", "--serve 0");
      writeFileSync(
        here.path("npx"),
        `#!/bin/sh\nshift; echo $$ >pid; exec '${process.execPath}' '${installed}' "$@"\n`,
      );
      chmodSync(here.path("npx"), 0o755);
      const PATH = [here.workspace.folder, process.env["PATH"]].join(delimiter);
      const { says, end } = start("bash", ["-e", "-c", script], here.workspace.where({ PATH }));
      await says(/^metrics: http:\/\/127\.0\.0\.1:\d+\/metrics$/m);
      process.kill(Number(readFileSync(here.path("pid"), "utf8")), "SIGINT");
      const { code: exitCode, text } = await end;
      expect([exitCode, text]).toEqual([0, expect.not.stringMatching(/^frontdoor: /m)]);
    },
  );
});

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

  it("tells no change in hours of lost requests and slow answers, and then the one that there is", async () => {
    const world = new World();
    fill(world.tunnels, many("tnl", 2, up));
    fill(world.shares, many("shr", 2, { status: "DEPLOYED" }));
    world.roundTripMs = () => (world.clock.random() < 0.1 ? 25_000 : 200);
    await world.start();
    for (let hour = 1; hour <= 3; hour++) {
      // For ten minutes in each hour nothing is answered.
      world.lostPart = 1;
      await world.seconds(600);
      world.lostPart = 0.2;
      await world.seconds(3000);
    }
    expect(world.events()).toEqual([]);
    world.set("tnl-1", { connection: "DOWN" });
    await world.seconds(300);
    world.stop();
    expect(world.events()).toEqual(["tnl-1 DOWN"]);
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
