import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { type Emulator, startEmulator } from "../emulator";
import { Place, startDashboard } from "../tests/cli/command";
import { findChromium, launch } from "../tests/harness/chromium";
import { root } from "../tests/harness/folder";

const folder = join(root, "docs", "images");

const detailsHigh = 1500;
/** The overview for the README; the details of a tunnel, which are as high as they have to be to show their plots. */
const pictures: [string, BrowserContextOptions][] = [
  ["dashboard-overview", { viewport: { width: 1000, height: 700 } }],
  ["dashboard", { viewport: { width: 1120, height: detailsHigh } }],
  ["dashboard-dark", { viewport: { width: 1120, height: detailsHigh }, colorScheme: "dark" }],
  ["dashboard-narrow", { viewport: { width: 360, height: 740 } }],
];

const applications = { "app-db": 8443, "app-web": 443, "app-files": 8444 };
const longAgoMs = 2 * 3_600_000;

/** Three sites, as a program that follows the guides declares them. */
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

/** Pictures of `frontdoor dashboard` on the emulator: the whole page, with a tunnel that is DOWN. */
async function takeAll(): Promise<void> {
  const executable = findChromium();
  if (executable === undefined) throw new Error("There is no Chromium on the PATH: install it first");
  mkdirSync(folder, { recursive: true });
  const browser = await launch(executable);
  const emulator = await startEmulator();
  // So that the tunnels have had traffic for a while.
  emulator.clock.advance(-longAgoMs);
  seed(emulator);
  emulator.clock.advance(longAgoMs);
  const place = new Place(emulator);
  const down = emulator.tunnels().find(({ name }) => name === "customer-b-dc1")?.id ?? "";
  try {
    for (const [name, options] of pictures) {
      emulator.settings.connectionStatuses = {};
      const { url, stop } = await startDashboard(place);
      const context = await browser.newContext({ ...options, timezoneId: "UTC" });
      const page = await context.newPage();
      await page.goto(url);
      await page.locator(".connection").nth(2).waitFor();
      if (options.viewport?.height === detailsHigh) {
        await page.goto(`${page.url()}#tunnel/${emulator.frontdoorId}/${down}`);
        await page.locator("#plots svg").nth(2).waitFor();
      }
      // So that the dashboard sees when the tunnel goes down, and shows the traffic before.
      emulator.settings.connectionStatuses = { [down]: "DOWN" };
      await page.locator('.connection[data-status="DOWN"]').waitFor({ timeout: 60_000 });
      await page.mouse.move(0, 0);
      await page.waitForTimeout(8_000);
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
      await context.close();
      await stop();
    }
  } finally {
    await emulator.close();
    place.remove();
    await browser.close();
  }
}

takeAll().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
