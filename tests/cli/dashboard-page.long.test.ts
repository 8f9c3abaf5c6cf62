import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type Emulator, startEmulator } from "../../emulator";
import { Workspace } from "./command";
import { findChromium, launch } from "../harness/chromium";
import { needs } from "../harness/needs";
import { startDashboard } from "./command";

const executable = findChromium();
const describeHere = needs("Chromium", executable !== undefined) ? describe : describe.skip;

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** What axe answers, as far as it is told here. */
interface Found {
  violations: { id: string; nodes: { html: string }[] }[];
}

let browser: Browser;
let emulator: Emulator;
let workspace: Workspace;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (executable !== undefined) browser = await launch(executable);
});
afterAll(async () => {
  if (executable !== undefined) await browser.close();
});
beforeEach(async () => {
  emulator = await startEmulator({ admin: true });
  workspace = new Workspace(emulator);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await emulator.close();
  workspace.remove();
});

/** Opens a page that may ask its own server alone, and may not go wrong. */
async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) wrong.push(`asks ${request.url()}`);
  });
  page.on("pageerror", ({ message }) => wrong.push(message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) wrong.push(message.text());
  });
  ends.push(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(url);
  await page.locator("#poll[data-live=true]").waitFor();
  return page;
}

const shown = {
  dashboard: async (options?: BrowserContextOptions) => {
    const { url, stop } = await startDashboard(workspace);
    ends.push(stop);
    return open(url, options);
  },
  emulator: (options?: BrowserContextOptions) => open(new URL("/", emulator.baseUrl).href, options),
};

const site = () => {
  const tunnel = emulator.seedTunnel({ name: "<img src=x onerror=alert(1)>", locationId: "loc-1" });
  const shares = [
    { name: "intranet", target: "intranet.corp.example:443", ingressPort: 443 },
    { name: "database", target: "10.8.0.15:5432", ingressPort: 5432, status: "NEW" as const },
    { name: "ssh", target: "bastion.corp.example:22", ingressPort: 22, status: "ERROR" as const },
  ].map((each) => emulator.seedShare({ ...each, ipsecTunnelId: tunnel.id }));
  return { tunnel, shares };
};

const row = (page: Page, id: string) => page.locator(`[data-key="share/fd-1/${id}"]`);

const textsOf = (page: Page, selector: string) => page.locator(selector).allTextContents();

describeHere.each(["dashboard", "emulator"] as const)("the page of the %s", (which) => {
  it("shows what the service says, and what changes without being loaded anew", async () => {
    const { tunnel, shares } = site();
    const page = await shown[which]();
    await page.locator(".connection", { hasText: "UP" }).waitFor();
    expect(await textsOf(page, ".tunnel .node .name")).toEqual([tunnel.name]);
    const rows = await page.locator(".share").all();
    const texts = await Promise.all(rows.map((each) => each.locator("> span").allTextContents()));
    const byPort = [...shares].sort((a, b) => a.ingressPort - b.ingressPort);
    expect(texts).toEqual(
      byPort.map(({ ingressPort, name, target, status }) => [String(ingressPort), name, target, status]),
    );
    expect(await textsOf(page, "#statuses button")).toEqual([
      "DEPLOYED 1 tunnel, 1 share",
      "ERROR 1 share",
      "NEW 1 share",
    ]);

    await page.evaluate("globalThis.isSamePage = true");
    for (const status of ["DEPLOYED", "DELETING", "ERROR"] as const) {
      emulator.setStatus(shares[1]?.id ?? "", status);
      await row(page, shares[1]?.id ?? "")
        .locator(".status", { hasText: status })
        .waitFor();
    }
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
    expect((await textsOf(page, "#changes li")).map((text) => text.slice("00:00:00 ".length))).toEqual([
      `${tunnel.name} / database share DELETING → ERROR`,
      `${tunnel.name} / database share DEPLOYED → DELETING`,
      `${tunnel.name} / database share NEW → DEPLOYED`,
    ]);
  });

  it("shows details, connection and metrics of what is selected, by keyboard alone", async () => {
    const { tunnel, shares } = site();
    const page = await shown[which]();
    await page.locator(".share").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator("#details-title:focus", { hasText: `Share ${tunnel.name} / intranet` }).waitFor();
    await page.locator("#plots svg").nth(2).waitFor();
    expect(await page.locator("#plots svg").first().getAttribute("aria-label")).toMatch(/^Bytes in: last /);
    await page.keyboard.press("Escape");
    expect(await page.locator(":focus").textContent()).toContain("intranet");

    await page.locator(".tunnel .node").press("Enter");
    await page.locator("#config dd", { hasText: "169.254." }).waitFor({ state: "attached" });
    const names = await page
      .locator("#fields dt")
      .evaluateAll((all) => all.map((each) => (each as unknown as { title: string }).title));
    const texts = await textsOf(page, "#fields dd span");
    const values = Object.fromEntries(names.map((name, index) => [name, texts[index]]));
    expect(values).toMatchObject({ ...tunnel, connection: "UP", vpnConnectionState: "available" });
    const asked = page.waitForResponse(/metrics\?window=7d/);
    await page.locator("#window").selectOption("7d");
    expect((await asked).status()).toBe(200);
    expect(shares).toHaveLength(3);
  });

  it("says why and since when a tunnel is DOWN, filters by it, and names the endpoint of its shares", async () => {
    const { tunnel } = site();
    emulator.seedTunnel({ name: "another", locationId: "loc-2" });
    const page = await shown[which]();
    await page.locator(".connection:visible").nth(1).waitFor();
    Object.assign(emulator.settings, { connectionStatuses: { [tunnel.id]: "DOWN" } });
    const why = /IKE peer did not answer · since \d\d:\d\d \(\d+\ss\)/;
    await page.locator("#problems li", { hasText: "1 tunnel DOWN" }).getByText(why).waitFor({ timeout: 25_000 });
    await page.locator(".tunnel").first().locator(".why", { hasText: why }).waitFor();
    await page.locator("#changes li", { hasText: /tunnel connection UP → DOWN/ }).waitFor();
    await page.locator("#statuses button", { hasText: "DOWN 1" }).click();
    await page.locator(".tunnel").nth(1).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?status=DOWN");

    await page.locator(".share", { hasText: "intranet" }).click();
    await page.locator("#fields dd", { hasText: `${tunnel.nlbDnsName}:443` }).waitFor();
    expect(await page.getByLabel("Copy Status").count()).toBe(0);
    const target = page.locator("#remedy code");
    expect(await target.textContent()).toMatch(/npx pulumi-frontdoor tunnel tnl-\d+( |$)/);
    await page.locator("#fields a").click();
    await page.locator("#details-title", { hasText: `Tunnel ${tunnel.name}` }).waitFor();
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).search).toBe("?status=DOWN");
  });

  it.each([
    ["light", {}],
    ["dark", { colorScheme: "dark" as const }],
    ["narrow", { viewport: { width: 360, height: 740 } }],
  ])("an accessibility checker finds nothing: %s", async (_name, options) => {
    const { tunnel } = site();
    emulator.seedShare({ name: "going", status: "DELETING", ingressPort: 1 });
    emulator.seedShare({ name: "gone", status: "DELETED", ingressPort: 2 });
    const page = await shown[which]({ ...options, bypassCSP: true });
    emulator.setStatus(tunnel.id, "NEW");
    await page.locator("#changes li").first().waitFor();
    emulator.setStatus(tunnel.id, "DEPLOYED");
    await page.locator(".connection:visible").waitFor();
    await page.evaluate(axe);
    const violations = async () => {
      const { violations } = await page.evaluate<Found>("axe.run()");
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    };
    expect(await violations()).toEqual([]);
    await page.locator(".share").first().click();
    await page.locator("#plots svg").first().waitFor();
    expect(await violations()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  });
});

describeHere("the dashboard", () => {
  it("says that the service can't be reached, and goes on once it can", async () => {
    const { shares } = site();
    const page = await shown.dashboard();
    await row(page, shares[0]?.id ?? "").waitFor();
    const over = emulator.faults.answerNext({ status: 503, times: 1000 });
    await page.locator("#trouble", { hasText: "503" }).waitFor();
    expect(await page.locator(".share").count()).toBe(3);
    await page.locator("body[data-old]").waitFor();
    await page.locator("#poll", { hasText: /Last seen [3-9] s ago/ }).waitFor();
    over();
    await page.locator("#trouble").waitFor({ state: "hidden" });
  });

  it("shows the details of a tunnel whose tunnel-config can't be read, and says why", async () => {
    const { tunnel } = site();
    const path = `/ipsec-tunnels/${tunnel.id}/tunnel-config`;
    emulator.faults.answerNext({ path, status: 403, body: {}, times: 1000 });
    const page = await shown.dashboard();
    await page.locator(".tunnel .node").first().press("Enter");
    await page.locator('#fields dt[title="vpnConfigurationNotRead"] + dd', { hasText: "403" }).waitFor();
    expect(await textsOf(page, "#fields dd span")).toEqual(
      expect.arrayContaining([tunnel.peerCidr, tunnel.nlbDnsName]),
    );
    expect(await page.locator("#configuration").isHidden()).toBe(true);
  });

  it("says within 3 s that it has ended", async () => {
    const { url, stop } = await startDashboard(workspace);
    const page = await open(url);
    await stop();
    await page.locator("#trouble", { hasText: "has ended" }).waitFor({ timeout: 3_000 });
    expect(await page.locator("#poll").textContent()).toMatch(/^Last seen/);
  });
});
