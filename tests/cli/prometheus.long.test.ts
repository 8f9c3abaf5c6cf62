import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onPath } from "../../cli/shared/files";
import { type Emulator, startEmulator } from "../../emulator";
import { Workspace } from "./command";
import { root } from "../harness/folder";
import { needs } from "../harness/needs";

const folder = join(root, "examples", "monitoring");

const isThere = ["prometheus", "promtool", "amtool"].every((name) => onPath(process.env, name) !== undefined);
const describeHere = needs("Prometheus (packages prometheus, prometheus-alertmanager)", isThere)
  ? describe
  : describe.skip;

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
});
