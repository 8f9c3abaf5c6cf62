import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { type Emulator, startEmulator } from "../emulator";
import { Workspace, startDashboard } from "../tests/cli/command";
import { findChromium, launch } from "../tests/harness/chromium";
import { root } from "../tests/harness/folder";

const folder = join(root, "docs", "images");

/** So high that the details, which scroll on their own, are in view as a whole. */
const viewport = { width: 1040, height: 1490 };

const applications = { "app-db": 8443, "app-web": 443, "app-files": 8444 };
const longAgoMs = 2 * 3_600_000;
/** Longer than the five minutes after which the guides ask to act. */
const downForMs = 6.5 * 60_000;

/** Three tunnels of two sites, as a program that follows the guides declares them. */
function seed(emulator: Emulator): void {
  const siteA = { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16" };
  const sites = {
    "customer-a-dc1": { ...siteA, locationId: "us-east-1" },
    "customer-b-dc1": { peerPublicIp: "203.0.113.8", peerCidr: "172.29.0.0/16", locationId: "us-west-2" },
    "customer-a-dc1-backup": { ...siteA, locationId: "us-east-2" },
  };
  for (const [name, site] of Object.entries(sites)) {
    const { id } = emulator.seedTunnel({ name, ...site });
    for (const [application, ingressPort] of Object.entries(applications))
      emulator.seedShare({
        ...{ name: `${name}-${application}`, ipsecTunnelId: id, envZId: "ijcrWb-ZOq", locationId: site.locationId },
        ...{ ingressPort, target: `10.20.100.${ingressPort === 443 ? 2 : 1}:${ingressPort}`, status: "DEPLOYED" },
      });
  }
}

/** A page of `pulumi-frontdoor dashboard` while all tunnels are UP, with the details of a tunnel. */
async function open(browser: Browser, workspace: Workspace, tunnel: string) {
  const { url, stop } = await startDashboard(workspace);
  const context = await browser.newContext({ viewport, timezoneId: "UTC" });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator(".connection").nth(2).waitFor();
  await page.goto(`${page.url()}#tunnel/${tunnel}`);
  await page.locator("#plots svg").nth(2).waitFor();
  return { page, stop };
}

/** A picture of `pulumi-frontdoor dashboard` on the emulator, with a tunnel that has been DOWN for some minutes. */
async function take(): Promise<void> {
  const executable = findChromium();
  if (executable === undefined) throw new Error("There is no Chromium on the PATH: install it first");
  mkdirSync(folder, { recursive: true });
  const browser = await launch(executable);
  const emulator = await startEmulator();
  // So that the tunnels have had traffic for a while.
  emulator.clock.advance(-longAgoMs);
  seed(emulator);
  emulator.clock.advance(longAgoMs);
  const workspace = new Workspace(emulator);
  const down = emulator.tunnels().find(({ name }) => name === "customer-b-dc1")?.id ?? "";
  try {
    const { page, stop } = await open(browser, workspace, `${emulator.frontdoorId}/${down}`);
    emulator.settings.connectionStatuses = { [down]: "DOWN" };
    process.stderr.write(`The picture is there in ${downForMs / 60_000} minutes.\n`);
    await setTimeout(downForMs);
    await page.locator('.connection[data-status="DOWN"]').waitFor();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.mouse.move(0, 0);
    await page.waitForTimeout(2_000);
    await page.screenshot({ fullPage: true, path: join(folder, "dashboard.png") });
    await stop();
  } finally {
    await emulator.close();
    workspace.remove();
    await browser.close();
  }
}

take().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
