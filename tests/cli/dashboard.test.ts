import { LiveView, Session, dashboardApp } from "../../cli/dashboard/dashboard";
import { failed } from "../../provider/errors";
import { systemClock } from "../../provider/time";
import { blocksOf } from "../docs/pages";
import { evaluate, startDashboard, useEmulator } from "./command";

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
    expect(evaluate("details.js", "configurationIn({ body: given })", partial)).toEqual({ trouble });
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

describe("the page", () => {
  const entry = (id: string, more: object = {}) => ({ id, frontdoorId: "fd", name: id, status: "DEPLOYED", ...more });
  const share = (id: string, ipsecTunnelId: string, ingressPort: number, more: object = {}) =>
    entry(id, { ipsecTunnelId, ingressPort, ...more });

  /** Returns the tunnels of the tree, each with its shares, for entries that pass a filter. */
  const treeOf = (state: object, isWanted = "() => true") =>
    evaluate(
      "topology.js",
      `topologyOf(given, ${isWanted}).flatMap(([, all]) => all.map((each) => [
        each.name, ...(each.isMissing ? ["missing"] : []), ...(each.isOnly ? ["only"] : []), ...each.shares.map(({ id }) => id)
      ].join(" ")))`,
      state,
    );

  it("tells what changed between two lists", () => {
    const before = [entry("1", { status: "NEW" }), entry("2"), entry("3", { ingressPort: 1 })];
    const after = [entry("1"), entry("3", { status: "NEW", ingressPort: 2 }), entry("4", { status: "NEW" })];
    const connections = [
      { a: { status: "UP" } },
      { a: { status: "DOWN", statusMessage: "no answer" }, b: { status: "UP" } },
    ];
    const changes = evaluate(
      "words.js",
      `[...changesBetween("share", ...given[0]), ...connectionChanges(...given[1])].map(({ key, kind, text }) => [key, kind, text])`,
      [[before, after], connections],
    );
    expect(changes).toEqual([
      ["share/fd/1", "share", "NEW → DEPLOYED"],
      ["share/fd/3", "share", "DEPLOYED → NEW, Ingress port 1 → 2"],
      ["share/fd/4", "share", "new, NEW"],
      ["share/fd/2", "share", "gone"],
      // The page writes the kind before the text.
      ["a", "tunnel", "connection UP → DOWN (no answer)"],
    ]);
  });

  it("puts shares under their tunnels by port, those of no tunnel under what they name, and DELETED last", () => {
    const tunnels = [entry("site 10"), entry("site 2", { status: "DELETED" }), entry("site 9")];
    const shares = [
      ...[share("c", "site 9", 443), share("b", "site 9", 80), share("a", "gone", 22)],
      ...[share("old", "site 9", 1, { status: "DELETED" }), share("d", "site 9", 8080)],
    ];
    expect(treeOf({ tunnels, shares }, `({ id }) => id !== "site 10"`)).toEqual([
      ...["gone missing a", "site 9 b c d old", "site 2"],
    ]);
  });

  it("puts tunnels with a problem first", () => {
    const tunnels = [entry("a"), entry("b"), entry("c"), entry("d"), entry("e", { status: "ERROR" })];
    const shares = [share("s", "c", 1, { status: "ERROR" })];
    const connections = { "tunnel/fd/d": { status: "Down" }, "tunnel/fd/a": { status: "UP" } };
    expect(treeOf({ tunnels, shares, connections })).toEqual(["d", "e", "c s", "a", "b"]);
  });

  it("marks tunnels that are the only ones of their site", () => {
    const [a, b] = [{ peerCidr: "10.1.0.0/16" }, { peerCidr: "10.2.0.0/16" }];
    const tunnels = [
      ...[entry("1", a), entry("2", a), entry("3", b), entry("gone", { ...b, status: "DELETED" })],
      entry("4", { ...a, frontdoorId: "fd-2" }),
    ];
    expect(treeOf({ tunnels }, `({ id }) => id !== "2"`)).toEqual(["1", "3 only", "gone", "4 only"]);
    // A tunnel without a known network can lead to any site.
    expect(treeOf({ tunnels: [...tunnels, entry("5")] })).toEqual(["1", "2", "3", "5", "gone", "4"]);
  });

  it.each(["#100%", "#tunnel/fd/%E0%A4%A", ""])("shows no details for the address %j", (hash) => {
    expect(evaluate("details.js", `selectedIn({ shares: [] }, given) ?? "none"`, hash)).toBe("none");
  });

  it("lists each problem once, has a command for each, and counts the connections that it knows", () => {
    const down = { status: "DOWN", statusMessage: "peer did not answer", sinceMs: Date.now() - 720_000 };
    const state = {
      tunnels: [entry("a", { status: "ERROR" }), entry("b"), entry("c")],
      shares: ["ERROR", "ERROR", "NEW", "SUSPENDED"].map((status, index) => entry("defg"[index] ?? "", { status })),
      connections: { "tunnel/fd/b": down, "tunnel/fd/c": { status: "UP" } },
    };
    const shortly = { ...down, sinceMs: Date.now() - 8_000, isSinceExact: true };
    const found = evaluate(
      "words.js",
      `(({ state, down, shortly }) => {
        const about = { options: "--frontdoor-id fd" };
        const [broken, tunnel] = state.tunnels;
        return {
          problems: problemsOf(state).map(({ thing, word, entries }) => [thing, word, entries.map(({ shown, reason }) => shown + reason).join()]),
          commands: [["tunnel", broken], ["tunnel", tunnel], ["share", state.shares[0]]].map(([kind, each]) => problemOf(kind, each, down, about).command),
          remedies: [down, shortly].map((connection) => problemOf("tunnel", tunnel, connection, about).remedy),
          read: readConnections({ ...state, connections: { "tunnel/fd/c": {} } }),
        };
      })(given)`,
      { state, down, shortly },
    );
    const since = /^bpeer did not answer · since at least \d\d:\d\d \(12\u00a0min\)$/;
    expect(found).toEqual({
      problems: [
        ["tunnel", "DOWN", expect.stringMatching(since)],
        ...[
          ["tunnel", "ERROR", "a"],
          ["share", "ERROR", "d,e"],
          ["share", "SUSPENDED", "g"],
        ],
      ],
      commands: [
        "npx pulumi-frontdoor explain tunnel-failed",
        "npx pulumi-frontdoor tunnel b --frontdoor-id fd",
        "npx pulumi-frontdoor explain share-error",
      ],
      remedies: [
        expect.stringMatching(/^Follow “A tunnel is DOWN”/),
        expect.stringMatching(/^Wait until five minutes/),
      ],
      read: { all: 2, known: 1 },
    });
  });

  const hashed = ["shop-eu-hamburg-1a2b3c4d", "shop-eu-lyon-2b3c4d5e", "shop-eu-porto-3c4d5e6f"];
  it("shows names without the prefix and the hash that all have in common", () => {
    const names: [names: string[], shown?: string][] = [
      [hashed, "hamburg,lyon,porto"],
      [[...hashed, "by-hand"], "hamburg,lyon,porto,by-hand"],
      [["a-store-01", "a-store-02"], "store-01,store-02"],
      [["shop-eu-x-1a2b3c4d", "shop-eu-x-2b3c4d5e", "shop-eu-y-3c4d5e6f"], "shop-eu-x-1a2b3c4d,shop-eu-x-2b3c4d5e,y"],
      ...[["shop-x-1a2b3c4d", "shop-x-2b3c4d5e"], ["alone-1a2b3c4d"], ["same", "same"]].map((all): [string[]] => [all]),
      [["site-20240101", "site-20250101"]],
    ];
    const shown = evaluate("words.js", "given.map(([names]) => shortNames(names).join())", names);
    expect(shown).toEqual(names.map(([all, short]) => short ?? all.join()));
  });

  it("shortens the shares of each tunnel by themselves, and names the site outside the tree", () => {
    const tunnels = ["site-hq", "site-plant"].map((name) => entry(name));
    const shares = ["app-db", "app-web"].map((name) => share(name, "site-hq", 1));
    const others = ["app-api", "other"].map((name) => share(name, "site-plant", 1));
    const script = "(({ names, outside }) => [names, outside].map((all) => [...all.values()].join()))(namesOf(given))";
    expect(evaluate("words.js", script, { tunnels, shares: [...shares, ...others] })).toEqual([
      "hq,plant,db,web,app-api,other",
      "hq,plant,hq / db,hq / web,plant / app-api,plant / other",
    ]);
  });

  it("labels fields", () => {
    const fields = ["id", "peerPublicIp", "envZId", "nlbDnsName", "phase1DHGroupNumbers", "vpn.up"];
    const labels = ["ID", "Peer public IP", "Environment ID", "NLB DNS name", "Phase 1 DH group numbers", "vpn.up"];
    expect(evaluate("words.js", "given.map(labelOf)", fields)).toEqual(labels);
  });
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
