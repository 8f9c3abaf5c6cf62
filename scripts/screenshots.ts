import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { type Emulator, startEmulator } from "../emulator";
import { root } from "../tests/harness/folder";
import { findChromium, launch } from "../tests/harness/chromium";

const folder = join(root, "docs", "images");

const pictures: [string, BrowserContextOptions][] = [
  ["dashboard", { viewport: { width: 1120, height: 700 } }],
  ["dashboard-dark", { viewport: { width: 1120, height: 700 }, colorScheme: "dark" }],
  ["dashboard-narrow", { viewport: { width: 360, height: 740 } }],
];

const services = { intranet: 443, database: 5432, "file-server": 445, ssh: 22 };

/** Three sites, the last of which is on its way. */
function seed(emulator: Emulator): void {
  for (const [index, city] of ["hamburg", "lyon", "porto"].entries()) {
    const place = { locationId: city, peerPublicIp: `203.0.113.${10 + index}` };
    const { id } = emulator.seedTunnel({ name: `branch-${city}`, ...place });
    for (const [service, port] of Object.entries(services))
      emulator.seedShare({
        ...{ name: `${city}-${service}`, ipsecTunnelId: id, envZId: "env-agent-1", locationId: city },
        ...{ ingressPort: port, target: `${service}.corp.example:${port}` },
        status: index === 2 && port > 22 ? "NEW" : "DEPLOYED",
      });
  }
}

/** Pictures of the page on the emulator's demo, halfway on. */
async function takeAll(): Promise<void> {
  const executable = findChromium();
  if (executable === undefined) throw new Error("There is no Chromium on the PATH: install it first");
  mkdirSync(folder, { recursive: true });
  const browser = await launch(executable);
  try {
    for (const [name, options] of pictures) {
      // Without the switches it is what the dashboard shows of a service.
      const emulator = await startEmulator();
      seed(emulator);
      const context = await browser.newContext({ ...options, timezoneId: "UTC" });
      const page = await context.newPage();
      await page.goto(new URL("/", emulator.baseUrl).href);
      await page.locator(".connection").nth(2).waitFor();
      // So that something has changed.
      emulator.setStatus(emulator.shares().at(-2)?.id ?? "", "ERROR");
      await page.locator('.share [data-status="ERROR"]').waitFor();
      if (name !== "dashboard-narrow") {
        await page.locator(".tunnel .node").first().click();
        await page.locator("#plots svg").nth(2).waitFor();
        await page.mouse.move(0, 0);
      }
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await context.close();
      await emulator.close();
    }
  } finally {
    await browser.close();
  }
}

takeAll().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
