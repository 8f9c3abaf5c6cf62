import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addMetrics, RequestCounts } from "../../../cli/watch/metrics";
import { root } from "../../harness/folder";
import { fill, many, World } from "./world";

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
