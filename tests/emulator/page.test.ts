import { request } from "node:http";
import type { Emulator } from "../../emulator";
import { logLine } from "../../emulator/records";
import { admin, ask, own, start, tunnel } from "./own";

interface Parts {
  about?: { title: string; address: string };
  tunnels?: { name: string; status: string }[];
  shares?: { name: string; status: string }[];
  connections?: Record<string, { status: string }>;
  requests?: { method: string; path: string; status: number }[];
  switches?: { faults: { id: number; left: number | null }[]; connectionStatus: string };
}

/** What the page is told until it is as wanted; what is done meanwhile begins with the first event. */
async function watch(emulator: Emulator, isWanted: (parts: Parts) => boolean, act?: () => unknown): Promise<Parts> {
  const answer = await fetch(new URL("/api/events", emulator.baseUrl));
  const parts: Parts = {};
  const decoder = new TextDecoder();
  let text = "";
  let isFirst = true;
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) Object.assign(parts, JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "{}") as Parts);
    if (isWanted(parts)) break;
    if (isFirst) await act?.();
    isFirst = false;
  }
  return parts;
}

describe("the page", () => {
  it("is the one of the dashboard, and asks for nothing from elsewhere", async () => {
    const emulator = await own();
    const page = await fetch(new URL("/", emulator.baseUrl));
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'/);
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    const [, path = ""] = /(?:href|src)="(page\/[^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(new URL(`/${path}`, emulator.baseUrl))).status).toBe(200);
    expect((await admin(emulator, "GET /page/%2e%2e/main.ts")).status).toBe(404);
  });

  it("is told what there is at once, what changes, and neither key nor token", async () => {
    const emulator = await own();
    emulator.seedTunnel({ name: "site-a" });
    const { id } = emulator.seedShare({ name: "billing", status: "NEW" });
    await ask(emulator, "GET /ipsec-shares/%3Cb%3E");
    const isDeployed = ({ shares }: Parts) => shares?.[0]?.status === "DEPLOYED";
    const parts = await watch(emulator, isDeployed, () => {
      emulator.setStatus(id, "DEPLOYED");
    });
    expect(parts).toMatchObject({
      about: { title: "Front door emulator", address: emulator.baseUrl },
      tunnels: [{ name: "site-a", status: "DEPLOYED" }],
      connections: { "tunnel/fd-1/tnl-1": { status: "UP" } },
      requests: [{ method: "GET", path: "/ipsec-shares/%3Cb%3E", status: 404 }],
    });
    for (const secret of [emulator.token, emulator.samplePsk("tnl-1")])
      expect(JSON.stringify(parts)).not.toContain(secret);
  });

  it("leaves nothing in the request log, and meets no fault", async () => {
    const emulator = await own({ admin: true });
    emulator.seedTunnel();
    emulator.faults.dropNext({ times: 9 });
    await watch(emulator, ({ tunnels }) => tunnels !== undefined);
    for (const path of ["", "/metrics?window=1d"])
      expect((await admin(emulator, `GET /api/fd-1/tunnels/tnl-1${path}`)).status).toBe(200);
    expect((await admin(emulator, "GET /api/fd-1/tunnels/tnl-9")).status).toBe(404);
    expect(emulator.requests).toEqual([]);
    expect(emulator.faults.pending()).toBe(9);
  });

  it("has switches where the admin endpoints are on, for its own scripts and no other page's", async () => {
    expect(await watch(await own(), ({ tunnels }) => tunnels !== undefined)).not.toHaveProperty("switches");
    const emulator = await own({ admin: true });
    const { origin } = new URL(emulator.baseUrl);
    const fault = { fault: "answer", status: 503, times: 2 };
    expect((await admin(emulator, "POST /_admin/faults", fault, { origin })).status).toBe(201);
    await admin(emulator, "POST /_admin/faults", { fault: "limit", perSecond: 1 });
    for (const foreign of ["null", "https://a.example", "http://127.0.0.1:1"]) {
      expect((await admin(emulator, "POST /_admin/faults", fault, { origin: foreign })).status).toBe(403);
      expect((await admin(emulator, "GET /api/events", undefined, { origin: foreign })).status).toBe(403);
    }
    const { switches } = await watch(emulator, (parts) => parts.switches !== undefined);
    expect(switches?.faults).toEqual([
      { id: 1, fault, left: 2 },
      { id: 2, fault: { fault: "limit", perSecond: 1 }, left: null },
    ]);
  });
});

it("closing ends what is watched", async () => {
  const emulator = await own();
  const answer = await fetch(new URL("/api/events", emulator.baseUrl));
  await emulator.close();
  await expect(answer.text()).rejects.toThrow();
});

describe("the request log", () => {
  it("holds method, path below the front door, query, body and status in order of arrival", async () => {
    const lines: string[] = [];
    const emulator = await own({ requestLogLimit: 3, onAnswer: (entry) => lines.push(logLine(entry)) });
    await ask(emulator, "GET /dropped-beyond-the-limit");
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    await ask(emulator, "GET /ipsec-tunnels?page=0&size=20");
    await ask(emulator, "GET /ipsec-tunnels/tnl-1", undefined, { authorization: "Bearer x" });
    const common = { at: start, frontdoorId: "fd-1", body: undefined, query: "" };
    expect(emulator.requests).toEqual([
      { ...common, method: "POST", path: "/ipsec-tunnels", body: tunnel, status: 202 },
      { ...common, method: "GET", path: "/ipsec-tunnels", query: "page=0&size=20", status: 200 },
      { ...common, method: "GET", path: "/ipsec-tunnels/tnl-1", status: 401 },
    ]);
    expect(lines).toHaveLength(4);
  });
});

describe("the admin endpoints", () => {
  it("are not there unless turned on", async () => {
    const emulator = await own();
    expect((await admin(emulator, "GET /_admin/state")).status).toBe(404);
    emulator.settings.admin = true;
    expect((await admin(emulator, "GET /_admin/state")).status).toBe(200);
  });

  it("show state and requests, move the clock", async () => {
    const emulator = await own({ admin: true });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    expect((await admin(emulator, "POST /_admin/clock", { advanceMs: 1000 })).body).toEqual({ now: start + 1000 });
    expect((await admin(emulator, "GET /_admin/state")).body).toMatchObject({
      now: start + 1000,
      tunnels: [{ id: "tnl-1", status: "DEPLOYED" }],
      shares: [],
    });
    expect((await admin(emulator, "GET /_admin/requests")).body).toMatchObject([{ method: "POST", status: 202 }]);
  });

  it("change settings, and refuse what is none", async () => {
    const emulator = await own({ admin: true });
    const changed = await admin(emulator, "PATCH /_admin/settings", { jitter: 0.5, provisionMs: 5 });
    expect(changed).toMatchObject({ status: 200, body: { jitter: 0.5, provisionMs: 5, teardownMs: 1000 } });
    for (const wrong of [{ jitter: 7 }, { colour: "red" }, { port: 1 }, { conflictStatus: 400 }])
      expect(await admin(emulator, "PATCH /_admin/settings", wrong)).toMatchObject({
        ...{ status: 400, body: { error: "invalid_request" } },
      });
    expect(emulator.settings).toMatchObject({ jitter: 0.5, provisionMs: 5, conflictStatus: 409 });
  });

  it("show no credential among the settings, also not after a change", async () => {
    const emulator = await own({
      admin: true,
      token: "canary-token",
      tokens: { "canary-second": ["*"] },
      basicUsers: { ana: { token: "canary-basic", frontdoorIds: ["*"] } },
      oauthClientSecret: "canary-client-secret",
    });
    for (const request of ["GET /_admin/settings", "PATCH /_admin/settings", "GET /_admin/state"]) {
      const change = request.startsWith("PATCH") ? { jitter: 0.5 } : undefined;
      const { status, body } = await admin(emulator, request, change);
      expect([status, JSON.stringify(body).match(/canary-[a-z-]+/g)]).toEqual([200, null]);
    }
  });

  it("reset everything but the clock and the ids", async () => {
    const emulator = await own({ admin: true, jitter: 0.5 });
    emulator.seedTunnel();
    emulator.settings.jitter = 0.1;
    emulator.settings.deleteAcceptedIn.push("DELETING");
    emulator.faults.dropNext();
    emulator.clock.advance(5);
    expect((await admin(emulator, "POST /_admin/reset")).status).toBe(204);
    expect([emulator.tunnels(), emulator.requests, emulator.faults.pending()]).toEqual([[], [], 0]);
    expect(emulator.settings).toMatchObject({ jitter: 0.5 });
    expect(emulator.settings.deleteAcceptedIn).not.toContain("DELETING");
    expect([emulator.clock.now(), emulator.seedTunnel().id]).toEqual([start + 5, "tnl-2"]);
  });

  it("are out of reach for web pages", async () => {
    const emulator = await own({ admin: true });
    expect((await admin(emulator, "POST /_admin/reset", undefined, { origin: "https://a.example" })).status).toBe(403);
    expect(await statusUnderHost(`${new URL(emulator.baseUrl).origin}/_admin/state`, "a.example")).toBe(403);
    expect(await statusUnderHost(new URL(emulator.baseUrl).origin, "a.example")).toBe(403);
  });
});

/** fetch does not let a Host header be set. */
function statusUnderHost(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
