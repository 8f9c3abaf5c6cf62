import type { Emulator } from "../../emulator";
import { admin, ask, own } from "./own";

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
