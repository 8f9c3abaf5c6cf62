import { dashboardApp, Doorkeeper } from "../../../cli/dashboard/server";
import { Live } from "../../../cli/dashboard/live";
import { failed } from "../../../provider/errors";
import { systemClock } from "../../../provider/time";

const origin = "http://127.0.0.1:4242";
const shares = [{ id: "shr-1", name: "web", status: "DEPLOYED", frontdoorId: "fd-1" }];

function dashboard() {
  const list = (entries: typeof shares) => () => Promise.resolve({ entries, pages: 1, isWhole: true });
  const looks = { tunnels: list([]), shares: list(shares), connection: () => Promise.resolve({ tunnels: [] }) };
  const live = new Live(looks, systemClock, { title: "Front door fd-1", address: "https://a.example/frontdoor" });
  const asked: unknown[] = [];
  const read = (args: object) => {
    asked.push(args);
    const { id } = args as { id: string };
    if (id === "bad id") return Promise.reject(failed("an id must be letters"));
    return Promise.resolve({ id, name: "a", status: "NEW" } as never);
  };
  const reads = { getTunnel: read, getTunnelConfig: read, getTunnelMetrics: read, getShareMetrics: read };
  const door = new Doorkeeper();
  const app = dashboardApp({ door, live, frontdoorId: "fd-1", reads });
  const ask = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.request(`${origin}${path}`, { method, headers });
  const enter = async () => {
    const cookie = (await ask(door.path)).headers.get("set-cookie") ?? "";
    return { cookie: cookie.split(";")[0] ?? "" };
  };
  return { ask, app, asked, door, enter };
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
    const { ask, door, enter } = dashboard();
    const opened = await ask(door.path);
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
    const cookie = opened.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^frontdoor-4242=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(door.path.slice("/open/".length));
    const [own = ""] = cookie.split(";");
    expect((await ask("/", { cookie: own })).status).toBe(200);
    expect((await ask(door.path, { cookie: own })).headers.get("location")).toBe("/");
    expect((await ask(door.path)).status).toBe(401);
    expect((await enter()).cookie).toBe("");
  });

  it("no name that points to this machine", async () => {
    const { app, door } = dashboard();
    for (const host of ["a.example", "127.0.0.1.a.example", "[::1]:4242", "0.0.0.0:4242"])
      expect((await app.request(`http://${host}${door.path}`)).status).toBe(403);
    expect((await app.request(`http://localhost:4242${door.path}`)).status).toBe(303);
  });

  it.each([
    ...["https://a.example", "null", "http://127.0.0.1:9999"].map((from) => ({ origin: from })),
    ...["cross-site", "same-site"].map((from) => ({ "sec-fetch-site": from })),
  ])("no request of another page: %j", async (headers: Record<string, string>) => {
    const { ask, door, enter } = dashboard();
    expect((await ask(door.path, headers)).status).toBe(403);
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
