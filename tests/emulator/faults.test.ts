import { request } from "undici";
import type { Emulator } from "../../emulator";
import { admin, ask, own, seen, share, statusOf, statuses, tunnel } from "./own";

const list = "GET /ipsec-shares";

describe("faults of the work", () => {
  it("fail as often as told, then no more, and leave the other kind and operation alone", async () => {
    const emulator = await own();
    emulator.faults.failNext({ kind: "share", op: "create", times: 2 });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    for (const ingressPort of [1, 2, 3]) await ask(emulator, "POST /ipsec-shares", { ...share("tnl-1"), ingressPort });
    emulator.clock.advance(1000);
    expect(emulator.shares().map(({ status }) => status)).toEqual(["ERROR", "ERROR", "DEPLOYED"]);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DEPLOYED");
    emulator.faults.failNext({ kind: "share", op: "update" });
    await ask(emulator, "PATCH /ipsec-shares/shr-3", { name: "n" });
    emulator.clock.advance(1000);
    expect(await seen(emulator, "/ipsec-shares/shr-3")).toBe("ERROR");
  });

  it("stick in NEW and in DELETING until something is done about it", async () => {
    const emulator = await own();
    emulator.faults.stickNext({ kind: "tunnel", op: "create" });
    emulator.faults.stickNext({ kind: "tunnel", op: "delete" });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    emulator.clock.advance(1e9);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("NEW");
    await ask(emulator, "DELETE /ipsec-tunnels/tnl-1");
    emulator.clock.advance(1e9);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETING");
    emulator.setStatus("tnl-1", "DELETED");
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETED");
  });
});

describe("faults of answers", () => {
  it("answer after the work, and nothing of the work's own answer shows", async () => {
    const emulator = await own();
    const headers = { "content-type": "text/html" };
    emulator.faults.answerNext({ status: 502, body: "<html>bad gateway</html>", headers, when: "after" });
    const answer = await ask(emulator, "POST /ipsec-tunnels", tunnel);
    expect(answer).toMatchObject({ status: 502, body: "<html>bad gateway</html>" });
    expect([answer.headers.get("content-type"), answer.headers.get("location")]).toEqual(["text/html", null]);
    expect([emulator.tunnels().length, emulator.requests]).toMatchObject([1, [{ status: 502 }]]);
  });

  it.each([
    ["skip" as const, [1, 2, 4]],
    ["repeat" as const, [1, 2, 2, 3, 4]],
  ])("let pages shift: %s", async (change, ports) => {
    const emulator = await own();
    emulator.seedTunnel();
    for (const ingressPort of [1, 2, 3, 4]) emulator.seedShare({ ingressPort });
    emulator.faults.add({ fault: "pages", change, path: "/ipsec-shares" });
    const pages = [];
    for (const page of [0, 1]) {
      const { body } = await ask(emulator, `${list}?size=2&page=${page}`);
      pages.push(...(body as { content: { ingressPort: number }[] }).content);
    }
    expect(pages.map(({ ingressPort }) => ingressPort)).toEqual(ports);
  });

  it("limit the rate until it is taken back", async () => {
    const emulator = await own();
    const undo = emulator.faults.add({ fault: "limit", perSecond: 2, retryAfter: "3" });
    expect(await statuses(emulator, list, 3)).toEqual([200, 200, 429]);
    expect((await ask(emulator, list)).headers.get("retry-after")).toBe("3");
    emulator.clock.advance(1000);
    expect(await statuses(emulator, list, 3)).toEqual([200, 200, 429]);
    undo();
    expect(await statuses(emulator, list, 1)).toEqual([200]);
  });
});

describe("rules", () => {
  it("act one at a time, in order, on what they match, after what they skip", async () => {
    const emulator = await own();
    emulator.seedTunnel();
    emulator.faults.answerNext({ path: /^\/ipsec-shares/, status: 500 });
    emulator.faults.answerNext({ path: "/ipsec-tunnels/", status: 503, times: 2 });
    emulator.faults.answerNext({ method: "get", status: 429 });
    const found = [];
    for (const path of ["tunnels/tnl-1", "tunnels/tnl-1", "tunnels/tnl-1", "tunnels", "shares"])
      found.push(await statusOf(emulator, `GET /ipsec-${path}`));
    expect([found, emulator.faults.pending()]).toEqual([[503, 503, 429, 200, 500], 0]);
    emulator.faults.add({ fault: "html", status: 502, skip: 2, method: "GET" });
    expect(await statuses(emulator, list, 4)).toEqual([200, 200, 502, 200]);
  });
});

describe("faults of connections", () => {
  const open = (emulator: Emulator) =>
    request(`${emulator.baseUrl}/v2/fd-1/ipsec-shares`, { headers: { authorization: `Bearer ${emulator.token}` } });

  it.each([
    ["dropped before the work", { fault: "drop", when: "before" }, 0],
    ["dropped after the work", { fault: "drop", when: "after" }, 1],
    ["cut in two", { fault: "cut" }, 1],
  ] as const)("lose an answer: %s", async (_what, fault, made) => {
    const emulator = await own();
    emulator.faults.add({ ...fault, method: "POST" });
    await expect(ask(emulator, "POST /ipsec-tunnels", tunnel)).rejects.toThrow();
    expect([emulator.tunnels().length, emulator.requests]).toMatchObject([made, [{ method: "POST", status: 0 }]]);
  });

  it("commit late: the answer is lost and the work is done after a while", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "late", delayMs: 5000, method: "POST" });
    await expect(ask(emulator, "POST /ipsec-tunnels", tunnel)).rejects.toThrow("fetch failed");
    emulator.clock.advance(4999);
    expect((await ask(emulator, "GET /ipsec-tunnels")).body).toMatchObject({ content: [] });
    emulator.clock.advance(1);
    expect((await ask(emulator, "GET /ipsec-tunnels")).body).toMatchObject({ content: [{ status: "NEW" }] });
  });

  it("answer byte by byte or much later, and keep no closing emulator waiting", async () => {
    const slow = await own();
    slow.faults.add({ fault: "trickle" });
    const trickled = expect((await open(slow)).body.text()).rejects.toThrow();
    const late = await own();
    late.faults.delayNext({ delayMs: 600_000 });
    const cut = expect(ask(late, "POST /ipsec-tunnels", tunnel)).rejects.toThrow("fetch failed");
    while (late.requests.length === 0) await new Promise(setImmediate);
    await Promise.all([slow.close(), late.close()]);
    await Promise.all([trickled, cut]);
  });
});

describe("faults over HTTP", () => {
  it("drop a connection, can be taken back all or one by one, and are refused if they are none", async () => {
    const emulator = await own({ admin: true });
    const add = (fault: object) => admin(emulator, "POST /_admin/faults", fault);
    expect(await add({ fault: "drop" })).toEqual({ status: 201, body: { pending: 1 } });
    await expect(ask(emulator, list)).rejects.toThrow("fetch failed");
    await add({ fault: "fail", kind: "tunnel", op: "create" });
    await add({ fault: "answer", status: 503, path: "/ipsec-shares", times: 2 });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    await ask(emulator, list);
    const left = (await admin(emulator, "GET /_admin/faults")).body as { id: number; left: number }[];
    expect(left.map(({ id, left }) => [id, left])).toEqual([[3, 1]]);
    expect((await admin(emulator, "DELETE /_admin/faults/3")).status).toBe(200);
    expect((await admin(emulator, "DELETE /_admin/faults/7")).status).toBe(404);
    await add({ fault: "drop", times: 9 });
    expect((await admin(emulator, "DELETE /_admin/faults")).body).toEqual({ pending: 0 });
    const answer = { fault: "answer", status: 503 };
    for (const none of [
      { fault: "explode" },
      { fault: "shape", shape: "round" },
      { ...answer, headers: { "not a token": "x" } },
      { ...answer, headers: { "x-a": "two\nlines" } },
      { fault: "redirect", status: 302, location: "http://other\r\n" },
      { fault: "limit", perSecond: 1, retryAfter: "\u2028" },
    ])
      expect((await add(none)).status).toBe(400);
    expect(await statusOf(emulator, list)).toBe(200);
  });
});

const count = async (...args: Parameters<typeof ask>) =>
  ((await ask(...args)).body as { totalElements: number }).totalElements;

describe("the clock", () => {
  it("goes on by ten years at most, so that dates stay dates", async () => {
    const emulator = await own({ admin: true });
    const by = (advanceMs: number) => admin(emulator, "POST /_admin/clock", { advanceMs });
    expect((await by(1e300)).status).toBe(400);
    expect((await by(60_000)).status).toBe(200);
  });

  it("is real time when it is not frozen", async () => {
    const emulator = await own({ frozenAtMs: null });
    for (const ahead of [0, 3_600_000]) {
      emulator.clock.advance(ahead);
      const before = Date.now();
      const told = emulator.clock.now() - ahead;
      expect([told >= before, told <= Date.now()]).toEqual([true, true]);
    }
  });
});

describe("lag", () => {
  it("hides a new resource from GETs and lists for a time each", async () => {
    const emulator = await own({ readLagMs: 100, listLagMs: 300 });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    const look = async () => [
      await seen(emulator, "/ipsec-tunnels/tnl-1"),
      await count(emulator, "GET /ipsec-tunnels"),
      emulator.tunnels().length,
    ];
    expect(await look()).toEqual([404, 0, 1]);
    // Writes are judged by the truth.
    expect((await ask(emulator, "POST /ipsec-tunnels", tunnel)).status).toBe(409);
    emulator.clock.advance(100);
    expect(await look()).toEqual(["NEW", 0, 1]);
    emulator.clock.advance(200);
    expect(await look()).toEqual(["NEW", 1, 1]);
  });

  it("shows the old DEPLOYED and the old values after a PATCH", async () => {
    const emulator = await own({ readLagMs: 100 });
    emulator.seedTunnel();
    emulator.seedShare({ name: "old" });
    await ask(emulator, "PATCH /ipsec-shares/shr-1", { name: "new" });
    const look = async () => (await ask(emulator, "GET /ipsec-shares/shr-1")).body;
    expect(await look()).toMatchObject({ name: "old", status: "DEPLOYED" });
    emulator.clock.advance(100);
    expect(await look()).toMatchObject({ name: "new", status: "NEW" });
  });

  it("goes on showing what has been deleted", async () => {
    const emulator = await own({ readLagMs: 5000, deletedShownAs: "404" });
    emulator.seedTunnel();
    await ask(emulator, "DELETE /ipsec-tunnels/tnl-1");
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DEPLOYED");
    emulator.clock.advance(5999);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETING");
    emulator.clock.advance(1);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe(404);
  });

  it("does not delay changes made out of band", async () => {
    const emulator = await own({ readLagMs: 60_000, listLagMs: 60_000 });
    emulator.seedTunnel({ status: "NEW" });
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("NEW");
    emulator.setStatus("tnl-1", "ERROR");
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("ERROR");
    emulator.seedShare();
    emulator.patchShare("shr-1", { target: "10.9.9.9:1" });
    expect((await ask(emulator, "GET /ipsec-shares/shr-1")).body).toMatchObject({ target: "10.9.9.9:1" });
    emulator.removeShare("shr-1");
    expect(await count(emulator, "GET /ipsec-shares")).toBe(0);
  });
});

describe("the end of a deleted resource", () => {
  it("is DELETED for the retention, then 404, and leaves its place at once", async () => {
    const emulator = await own({ deletedRetentionMs: 10_000 });
    emulator.seedTunnel();
    await ask(emulator, "DELETE /ipsec-tunnels/tnl-1");
    emulator.clock.advance(1000);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETED");
    expect((await ask(emulator, "POST /ipsec-tunnels", tunnel)).status).toBe(202);
    emulator.clock.advance(9999);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETED");
    emulator.clock.advance(1);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe(404);
    expect(emulator.tunnels().map(({ id }) => id)).toEqual(["tnl-2"]);
  });
});
