import { setImmediate as turn } from "node:timers/promises";
import { LiveView, Session, dashboardApp, dashboardReads } from "../../cli/dashboard/dashboard";
import type { Entry, ListReading, FrontDoorReads } from "../../cli/shared/monitor";
import { failed, FrontdoorError } from "../../provider/errors";
import { systemClock } from "../../provider/time";
import { blocksOf } from "../docs/pages";
import { VirtualClock } from "../harness/virtual-clock";
import { pageModule, startDashboard, useEmulator } from "./command";
import { World as ServiceWorld, configured, fill, many } from "./watch-world";

const origin = "http://127.0.0.1:4242";
const shares = [{ id: "shr-1", name: "web", status: "DEPLOYED", frontdoorId: "fd-1" }];

function dashboard() {
  const list = (entries: typeof shares) => () => Promise.resolve({ entries, pages: 1, isWhole: true });
  const polls = { tunnels: list([]), shares: list(shares), connection: () => Promise.resolve({ tunnels: [] }) };
  const live = new LiveView(polls, systemClock, { title: "Front door fd-1", address: "https://a.example/frontdoor" });
  const asked: unknown[] = [];
  const read = (args: object) => {
    asked.push(args);
    const { id } = args as { id: string };
    if (id === "bad id") return Promise.reject(failed("an id must be letters"));
    if (id === "tnl-2") return Promise.resolve({ id, status: "DEPLOYED" } as never);
    return Promise.resolve({ id, name: "a", status: "NEW" } as never);
  };
  const refused = () => Promise.reject(failed("GET tunnel-config: 403 [access-refused]"));
  const reads = {
    ...{ getTunnel: read, getTunnelMetrics: read, getShareMetrics: read },
    ...{ getTunnelConfig: refused, getSampleConfig: refused },
  };
  const session = new Session();
  const app = dashboardApp({ session, live, frontdoorId: "fd-1", reads });
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.request(`${origin}${path}`, { method, headers });
  const enter = async () => {
    const cookie = (await ask(session.path)).headers.get("set-cookie") ?? "";
    return { cookie: cookie.split(";")[0] ?? "" };
  };
  return { ask, app, asked, session, enter };
}

const paths = ["/", "/page/main.js", "/api/events", "/api/fd-1/tunnels/tnl-1", "/api/fd-1/shares/shr-1/metrics"];

describe("who is let in", () => {
  it("nobody, without the one-time address", async () => {
    const { ask, asked } = dashboard();
    for (const path of [...paths, "/open/", "/open/wrong"])
      expect([path, (await ask(path)).status]).toEqual([path, 401]);
    for (const value of ["", "undefined"])
      expect((await ask("/", { cookie: `frontdoor-4242=${value}` })).status).toBe(401);
    expect(asked).toEqual([]);
  });

  it("the one browser that opens that address, by a cookie that no script and no other page can use", async () => {
    const { ask, session, enter } = dashboard();
    const opened = await ask(session.path);
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
    const cookie = opened.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^frontdoor-4242=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(session.path.slice("/open/".length));
    const [own = ""] = cookie.split(";");
    expect((await ask("/", { cookie: own })).status).toBe(200);
    expect((await ask(session.path, { cookie: own })).headers.get("location")).toBe("/");
    expect((await ask(session.path)).status).toBe(401);
    expect((await enter()).cookie).toBe("");
  });

  it("no name that points to this machine", async () => {
    const { app, session } = dashboard();
    for (const host of ["a.example", "127.0.0.1.a.example", "[::1]:4242", "0.0.0.0:4242"])
      expect((await app.request(`http://${host}${session.path}`)).status).toBe(403);
    expect((await app.request(`http://localhost:4242${session.path}`)).status).toBe(303);
  });

  it.each([
    ...["https://a.example", "null", "http://127.0.0.1:9999"].map((from) => ({ origin: from })),
    ...["cross-site", "same-site"].map((from) => ({ "sec-fetch-site": from })),
  ])("no request of another page: %j", async (headers: Record<string, string>) => {
    const { ask, session, enter } = dashboard();
    expect((await ask(session.path, headers)).status).toBe(403);
    expect((await ask("/api/events", { ...(await enter()), ...headers })).status).toBe(403);
  });

  it("nothing that could write", async () => {
    const { ask, enter } = dashboard();
    const own = { ...(await enter()), origin };
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"])
      for (const path of paths) expect([method, (await ask(path, own, method)).status]).toEqual([method, 405]);
  });
});

describe("what is answered", () => {
  it("holds what keeps a page to itself, refusals too", async () => {
    const { ask, enter } = dashboard();
    const own = await enter();
    for (const [path, headers] of [["/", own] as const, ["/page/main.js", own] as const, ["/", {}] as const]) {
      const answer = await ask(path, headers);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/);
      expect(policy).toMatch(/frame-ancestors 'none'/);
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
      });
    }
  });

  it("is the page and its files, and no other file", async () => {
    const { ask, enter } = dashboard();
    const own = await enter();
    const page = await (await ask("/", own)).text();
    for (const [, path = ""] of page.matchAll(/(?:href|src)="(page\/[^"]+)"/g))
      expect([path, (await ask(`/${path}`, own)).status]).toEqual([path, 200]);
    expect(page).not.toMatch(/<style|style="|<script(?! type="module" src="page\/)|\bon\w+="|https?:/);
    expect((await ask("/page/main.js", own)).headers.get("content-type")).toMatch(/^text\/javascript/);
    for (const path of ["/page/../main.ts", "/page/%2e%2e/main.ts", "/page/..%2fmain.ts", "/page/nothing.js"])
      expect((await ask(path, own)).status).toBe(404);
  });

  it("is everything that is known, as events", async () => {
    const { ask, enter } = dashboard();
    const answer = await ask("/api/events", await enter());
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array);
      if (text.includes('"shares"')) break;
    }
    const [first = ""] = text.split("\n\n");
    const about = '{"about":{"title":"Front door fd-1","address":"https://a.example/frontdoor"}}';
    expect(first).toBe(`data: ${about}\nretry: 1000`);
    expect(text).toContain(`"shares":${JSON.stringify(shares)}`);
  });

  it("is what one tunnel, and its metrics, and a share's are, or the service's trouble", async () => {
    const { ask, asked, enter } = dashboard();
    const own = await enter();
    const body = async (path: string) => (await ask(path, own)).json();
    expect(await body("/api/fd-1/tunnels/tnl-1")).toEqual({ tunnel: { id: "tnl-1", name: "a", status: "NEW" } });
    await body("/api/fd-1/tunnels/tnl-1/metrics?window=1d");
    await body("/api/fd-1/shares/shr-1/metrics?window=15m");
    expect(asked).toEqual([
      { id: "tnl-1", frontdoorId: "fd-1" },
      { id: "tnl-1", frontdoorId: "fd-1", window: "1d" },
      { id: "shr-1", frontdoorId: "fd-1", duration: "15m" },
    ]);
    // The details stay known if its tunnel-config can't be read, and say so.
    const partial = await body("/api/fd-1/tunnels/tnl-2");
    const trouble = "GET tunnel-config: 403 [access-refused]";
    expect(partial).toEqual({ tunnel: { id: "tnl-2", status: "DEPLOYED" }, trouble });
    const refused = await ask("/api/fd-1/tunnels/bad%20id", own);
    expect([refused.status, await refused.json()]).toEqual([400, { message: "an id must be letters" }]);
  });

  it.each(["tunnels/tnl-1", "tunnels/tnl-1/metrics", "shares/shr-1/metrics"])(
    "is nothing of another front door, by path or by query: %s",
    async (rest) => {
      const { ask, asked, enter } = dashboard();
      const own = await enter();
      for (const path of [`fd-2/${rest}`, `fd-1%2F..%2Ffd-2/${rest}`, `fd-1/../fd-2/${rest}`, `FD-1/${rest}`])
        expect([path, (await ask(`/api/${path}`, own)).status]).toEqual([path, 404]);
      for (const query of ["frontdoorId=fd-2", "frontdoorId=fd-1&frontdoorId=fd-2", "window=1h&frontdoorId="])
        expect([query, (await ask(`/api/fd-1/${rest}?${query}`, own)).status]).toEqual([query, 404]);
      expect((await ask("/api/events?frontdoorId=fd-2", own)).status).toBe(404);
      expect(asked).toEqual([]);
      expect((await ask(`/api/fd-1/${rest}?frontdoorId=fd-1`, own)).status).toBe(200);
    },
  );
});

const here = useEmulator(() => undefined, { token: "very-secret-token" });

/** The command of docs/how-to/monitoring.md. */
const [{ code } = { code: "" }] = blocksOf("docs/how-to/monitoring.md");
const [, , ...args] = code.trim().split(" ");

it("pulumi-frontdoor dashboard prints an address that shows the front door, and ends with Ctrl-C", async () => {
  const { emulator, workspace } = here;
  const tunnel = emulator.seedTunnel({ name: "site-a" });
  emulator.seedShare({ name: "billing" });
  const { frontdoorId, token } = emulator;
  const { url, said, stop } = await startDashboard(workspace, args);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}$/);

  const opened = await fetch(url, { redirect: "manual" });
  const headers = { cookie: (opened.headers.get("set-cookie") ?? "").split(";", 1).join("") };
  const events = await fetch(new URL("/api/events", url), { headers });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of events.body ?? []) {
    text += decoder.decode(chunk as Uint8Array);
    if (text.includes('"status":"UP"')) break;
  }
  expect(text).toContain('"name":"site-a"');
  expect(text).toContain('"name":"billing"');
  expect(text).toContain('"status":"UP"');
  const details = await (await fetch(new URL(`/api/${frontdoorId}/tunnels/${tunnel.id}`, url), { headers })).text();
  expect(details).toContain(tunnel.vpnConnectionId);
  for (const secret of [token, emulator.samplePsk(tunnel.id)]) expect(text + details + said.text).not.toContain(secret);

  expect(await stop()).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^front door .*\nOpen this URL: it lets one browser in, once. Ctrl-C ends it.\n$/,
    ) as string,
  });
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it.each([
  [["--port", "many"], {}, 2, /number from 0 to 65535/],
  [
    [],
    { FRONTDOOR_BASE_URL: "http://127.0.0.1:9/frontdoor" },
    3,
    /Nothing listens at 127\.0\.0\.1:9\..*\[unreachable\]/,
  ],
])("pulumi-frontdoor dashboard %j with %j ends with %i", async (args, env, code, said) => {
  const ended = await here.workspace.run(["dashboard", ...args], env);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(said);
  expect(ended.stdout).toBe("");
});

const about = { title: "Front door fd-1", address: "https://a.example/frontdoor" };
const entry = (id: string, status = "DEPLOYED"): Entry => ({ id, name: id, status, frontdoorId: "fd-1" });
const found = (entries: Entry[], pages = 1, isWhole = true): ListReading => ({ entries, pages, isWhole });

interface Parts {
  tunnels?: Entry[];
  shares?: Entry[];
  connections?: Record<string, { status?: string; trouble?: string; sinceMs?: number; isSinceExact?: boolean }>;
  poll?: { atMs: number; pauseMs: number; seenMs?: number; trouble?: string };
}

/** A service of which each list and connection is counted, at the time it was asked for. */
class World {
  readonly clock = new VirtualClock(() => undefined);
  tunnels = found([]);
  shares = found([]);
  readonly asked: string[] = [];
  trouble: Error | undefined;
  readonly live = new LiveView(this.reads(), this.clock, about);

  private reads(): FrontDoorReads {
    const ask = (what: string) => turn().then(() => void this.asked.push(what));
    return {
      tunnels: async () => {
        await ask("tunnels");
        if (this.trouble) throw this.trouble;
        return this.tunnels;
      },
      shares: () => ask("shares").then(() => this.shares),
      connection: async (id) => {
        await ask(id);
        return { state: "available", tunnels: [{ status: "UP" }] };
      },
    };
  }

  /** Watches until what has been shown is as wanted, and gives that. */
  async until(isWanted: (parts: Parts) => boolean): Promise<Parts> {
    let parts: Parts = {};
    for await (const text of this.live.watch(new AbortController().signal)) {
      parts = { ...parts, ...(JSON.parse(text) as Parts) };
      if (isWanted(parts)) break;
    }
    return parts;
  }

  count(what: string): number {
    return this.asked.filter((each) => each === what).length;
  }
}

it("asks for nothing until someone watches, and for nothing more once nobody does", async () => {
  const world = new World();
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(world.asked).toEqual([]);
  // Only a tunnel that is DEPLOYED has a connection.
  world.tunnels = found([entry("tnl-1"), entry("tnl-new", "NEW")]);
  await world.until(({ connections = {} }) => Object.keys(connections).length > 0);
  expect([world.count("tnl-1"), world.count("tnl-new")]).toEqual([1, 0]);
  for (let turns = 0; turns < 50; turns++) await turn();
  const { length } = world.asked;
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(world.asked).toHaveLength(length);
});

it("asks for one list of each kind, however many watch, and shows it to all of them", async () => {
  const world = new World();
  world.shares = found([entry("shr-1")]);
  const all = Array.from({ length: 5 }, () => world.until(({ shares }) => shares?.length === 1));
  for (const { shares } of await Promise.all(all)) expect(shares).toEqual([entry("shr-1")]);
  expect([world.count("tunnels"), world.count("shares")]).toEqual([1, 1]);
});

it("says what is the matter, keeps what was shown, and goes on", async () => {
  const world = new World();
  world.tunnels = found([entry("tnl-1")]);
  await world.until(({ tunnels }) => tunnels !== undefined);
  world.trouble = new FrontdoorError("GET /v2/fd-1/ipsec-tunnels: 503", { kind: "failed" });
  const during = await world.until(({ poll }) => poll?.trouble !== undefined);
  expect(during).toMatchObject({ tunnels: [entry("tnl-1")], poll: { trouble: "GET /v2/fd-1/ipsec-tunnels: 503" } });
  const { atMs = 0, seenMs = 0 } = during.poll ?? {};
  expect(seenMs).toBeLessThan(atMs);
  world.trouble = undefined;
  expect((await world.until(({ poll }) => poll !== undefined && poll.trouble === undefined)).tunnels).toHaveLength(1);
});

it("a list that can lack entries makes none of them go", async () => {
  const world = new World();
  world.shares = found([entry("shr-1"), entry("shr-2")]);
  await world.until(({ shares }) => shares?.length === 2);
  world.shares = found([entry("shr-3")], 2, false);
  const { shares } = await world.until(({ shares }) => shares?.length === 3);
  expect(shares?.map(({ id }) => id)).toEqual(["shr-3", "shr-1", "shr-2"]);
  world.shares = found([entry("shr-3")], 2);
  await world.until(({ shares }) => shares?.length === 1);
});

it("shows each DOWN of 60 tunnels with 300 shares within 30 s, and sends at most ten requests a second", async () => {
  const world = new ServiceWorld();
  fill(world.tunnels, many("tnl", 60, { status: "DEPLOYED", connection: "UP" }));
  fill(world.shares, many("shr", 300, { status: "DEPLOYED" }));
  const down = [7, 23, 38, 51, 60].map((number) => `tnl-${number}`);
  for (const id of down) world.set(id, { connection: "DOWN" });
  const { polls } = dashboardReads(configured(), "fd-1", world.open);
  const live = new LiveView(polls, world.clock, about);
  const shown: string[][] = [];
  for await (const text of live.watch(new AbortController().signal)) {
    const { connections = {} } = JSON.parse(text) as Parts;
    shown.push(Object.keys(connections).filter((key) => connections[key]?.status === "DOWN"));
    if (shown.at(-1)?.length === down.length) break;
  }
  expect(world.clock.now()).toBeLessThan(30_000);
  expect(shown.at(-1)).toEqual(down.map((id) => `tunnel/fd-1/${id}`));
  expect(world.askedMs.length / (world.clock.now() / 1000)).toBeLessThanOrEqual(10);
});

it("is Live all the time with 3,000 shares, and on a small front door for ten seconds after the last read", async () => {
  const world = new ServiceWorld();
  fill(world.shares, many("shr", 3_000, { status: "DEPLOYED" }));
  const { polls } = dashboardReads(configured(), "fd-1", world.open);
  const heard: [atMs: number, poll: Parts["poll"]][] = [];
  for await (const text of new LiveView(polls, world.clock, about).watch(new AbortController().signal)) {
    const { poll } = JSON.parse(text) as Parts;
    if (poll) heard.push([world.clock.now(), poll]);
    if (world.clock.now() > 60_000) break;
  }
  // Just before each poll, the page has the one before.
  const moments = heard.slice(1).map(([nowMs], index) => [...(heard[index] ?? []), nowMs - 1]);
  const small: unknown[] = [0, { pauseMs: 800 }];
  const { isRecent } = pageModule("words.js") as { isRecent: (...moment: unknown[]) => boolean };
  const recent = (all: unknown[][]) => all.map((moment) => isRecent(...moment));
  expect(recent(moments)).toEqual([true, true, true, true]);
  expect(recent([9_999, 10_000].map((nowMs) => [...small, nowMs]))).toEqual([true, false]);
});

it("shows no key that the service puts into its words on a connection, and reads the sample configuration once for them", async () => {
  const world = new ServiceWorld();
  fill(
    world.tunnels,
    many("tnl", 1, { status: "DEPLOYED", connection: "DOWN", statusMessage: "peer sent Zx81kk2Lmno" }),
  );
  const { polls } = dashboardReads(configured(), "fd-1", world.open);
  const seen: string[] = [];
  for await (const text of new LiveView(polls, world.clock, about).watch(new AbortController().signal)) {
    seen.push(text);
    if (world.clock.now() > 60_000) break;
  }
  expect(seen.join()).toContain("peer sent [secret]");
  expect(seen.join()).not.toContain("Zx81kk2Lmno");
  expect(world.samples).toBe(1);
});
