import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { blocksOf } from "../docs/pages";
import { start } from "../harness/command";
import { ask, installed, startWatch, useEmulator } from "./command";

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
