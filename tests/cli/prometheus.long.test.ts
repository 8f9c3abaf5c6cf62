import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { onPath } from "../../cli/shared/files";
import { type Emulator, startEmulator } from "../../emulator";
import { Workspace } from "./command";
import { until } from "./command";
import { root } from "../harness/folder";
import { needs } from "../harness/needs";

const folder = join(root, "examples", "monitoring");

const isThere = ["prometheus", "promtool", "amtool"].every((name) => onPath(process.env, name) !== undefined);
const describeHere = needs("Prometheus (packages prometheus, prometheus-alertmanager)", isThere)
  ? describe
  : describe.skip;

interface Answer {
  data: { alerts: { labels: Record<string, string>; state: string }[] };
}

describeHere("Prometheus", () => {
  let emulator: Emulator;
  let workspace: Workspace;
  beforeAll(async () => {
    emulator = await startEmulator();
    workspace = new Workspace(emulator);
  });
  afterAll(async () => {
    await emulator.close();
    workspace.remove();
  });

  it("accepts the rules and the configuration of examples/monitoring", () => {
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: "utf8" });
    const check = (...args: string[]) => run("promtool", "check", ...args);
    expect(check("rules", "alert-rules.yml")).toContain("7 rules found");
    expect(check("config", "prometheus.yml")).toContain("SUCCESS");
    expect(run("amtool", "check-config", "alertmanager.yml")).toContain("SUCCESS");
  });

  it("fires each rule in its time, also if watch restarts or a tunnel is renamed", () => {
    const rules = readFileSync(join(folder, "alert-rules.yml"), "utf8").replace(/^ +runbook_url: .*\n/gm, "");
    writeFileSync(workspace.path("rules.yml"), rules);
    copyFileSync(join(__dirname, "alert-rules.yml"), workspace.path("alert-rules.yml"));
    const { stdout, stderr, status } = spawnSync("promtool", ["test", "rules", "alert-rules.yml"], {
      ...{ cwd: workspace.folder, encoding: "utf8" },
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("SUCCESS");
  });

  it("scrapes pulumi-frontdoor watch, and fires the rules", async () => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
    const watch = workspace.start(["watch", "--serve", "0"]);
    const [url] = await watch.says(/http:\S+\/metrics(?=\n)/);
    const port = await freePort();
    const config = readFileSync(join(folder, "prometheus.yml"), "utf8")
      .replace("127.0.0.1:9464", new URL(url).host)
      .replace(/: 15s/g, ": 1s");
    writeFileSync(workspace.path("prometheus.yml"), config);
    const rules = readFileSync(join(folder, "alert-rules.yml"), "utf8").replace(/for: \dm/g, "for: 1s");
    writeFileSync(workspace.path("alert-rules.yml"), rules);
    const args = ["--config.file=prometheus.yml", `--web.listen-address=127.0.0.1:${port}`, "--storage.tsdb.path=data"];
    const prometheus = spawn("prometheus", args, { cwd: workspace.folder, stdio: "ignore" });
    const exited = once(prometheus, "exit");
    const alerts = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/alerts`).catch(() => undefined);
      if (!answer?.ok) return undefined;
      const { data } = (await answer.json()) as Answer;
      return data.alerts
        .filter(({ state }) => state === "firing")
        .map(({ labels }) => `${labels["alertname"]} ${labels["id"]}`);
    };
    const firing = async (...expected: string[]) => {
      await until(
        async () => JSON.stringify((await alerts())?.sort()) === JSON.stringify(expected),
        expected.join(", "),
      );
    };
    try {
      await firing();
      emulator.settings.connectionStatus = "DOWN";
      emulator.setStatus("shr-1", "ERROR");
      await firing("FrontdoorError shr-1", "FrontdoorTunnelDown tnl-1");
      emulator.settings.connectionStatus = "UP";
      emulator.setStatus("shr-1", "DEPLOYED");
      await firing();
    } finally {
      prometheus.kill("SIGTERM");
      process.kill(watch.pid);
      await Promise.all([exited, watch.end]);
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
