import { request } from "undici";
import { admin, ask, own, share, tunnel } from "./own";

const list = "GET /ipsec-shares";

describe("faults of answers", () => {
  it.each([
    ["nulls", { content: null, totalElements: null }],
    ["wrong types", { content: { 0: { id: 7, ingressPort: "seven" } } }],
    ["unknown fields", { content: [{ name: "seeded-2", labels: ["a"] }], quota: { used: 3 } }],
    ["unknown status", { content: [{ name: "seeded-2", status: "REBALANCING" }] }],
    ["other id", { content: [{ id: "other-1" }] }],
    ["list", [{ totalElements: 1 }]],
    ["text", "accepted"],
    ["null body", null],
  ] as const)("turns a list into %s", async (shape, body) => {
    const emulator = await own();
    emulator.seedTunnel();
    emulator.seedShare();
    emulator.faults.add({ fault: "shape", shape, path: "/ipsec-shares" });
    const answer = await ask(emulator, list);
    if (typeof body === "object" && body !== null) expect(answer.body).toMatchObject(body);
    else expect(answer.body).toEqual(body);
    expect((await ask(emulator, list)).body).toMatchObject({ totalElements: 1 });
  });

  it("answers a page, garbage and a redirect to the same address", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "html", status: 404 });
    emulator.faults.add({ fault: "garbage" });
    emulator.faults.add({ fault: "redirect", status: 307 });
    expect(await ask(emulator, list)).toMatchObject({ status: 404, body: expect.stringContaining("<h1>") as string });
    expect(await ask(emulator, list)).toMatchObject({ status: 200, body: expect.stringMatching(/^\{"id/) as string });
    expect(await ask(emulator, list)).toMatchObject({ status: 200, body: { content: [] } });
    expect(emulator.requests.map(({ status }) => status)).toEqual([404, 200, 307, 200]);
  });

  it.each([
    ["skip" as const, [1, 2, 4]],
    ["repeat" as const, [1, 2, 2, 3, 4]],
  ])("lets pages shift: %s", async (change, ports) => {
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

  it("lets so many pass by first", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "html", status: 502, skip: 2, method: "GET" });
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await ask(emulator, list)).status);
    expect(statuses).toEqual([200, 200, 502, 200]);
  });

  it("limits the rate until it is taken back", async () => {
    const emulator = await own();
    const undo = emulator.faults.add({ fault: "limit", perSecond: 2, retryAfter: "3" });
    const statuses = async (count: number) => {
      const seen = [];
      for (let n = 0; n < count; n++) seen.push((await ask(emulator, list)).status);
      return seen;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    expect((await ask(emulator, list)).headers.get("retry-after")).toBe("3");
    emulator.clock.advance(1000);
    expect(await statuses(3)).toEqual([200, 200, 429]);
    undo();
    expect(await statuses(1)).toEqual([200]);
  });
});

describe("faults of connections", () => {
  it("commits late: the answer is lost and the work is done after a while", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "late", delayMs: 5000, method: "POST" });
    await expect(ask(emulator, "POST /ipsec-tunnels", tunnel)).rejects.toThrow("fetch failed");
    emulator.clock.advance(4999);
    expect((await ask(emulator, "GET /ipsec-tunnels")).body).toMatchObject({ content: [] });
    emulator.clock.advance(1);
    expect((await ask(emulator, "GET /ipsec-tunnels")).body).toMatchObject({ content: [{ status: "NEW" }] });
  });

  it("commits late behind an answer that says otherwise", async () => {
    const emulator = await own();
    emulator.seedTunnel({ id: "tnl-9" });
    emulator.faults.add({ fault: "late", delayMs: 1, method: "POST", answer: { status: 503 } });
    expect((await ask(emulator, "POST /ipsec-shares", share("tnl-9"))).status).toBe(503);
    emulator.clock.advance(1);
    expect((await ask(emulator, list)).body).toMatchObject({ totalElements: 1 });
  });

  it("cuts an answer in two after the work", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "cut", method: "POST" });
    await expect(ask(emulator, "POST /ipsec-tunnels", tunnel)).rejects.toThrow();
    expect(emulator.tunnels()).toHaveLength(1);
    expect(emulator.requests).toMatchObject([{ status: 0 }]);
  });

  it("answers with more than anyone reads", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "endless" });
    const headers = { authorization: `Bearer ${emulator.token}` };
    const { body } = await request(`${emulator.baseUrl}/v2/fd-1/ipsec-shares`, { headers });
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      if (bytes > 1_000_000) break;
    }
    expect(bytes).toBeGreaterThan(1_000_000);
  });

  it("answers with a small body that unpacks to a large one", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "bomb" });
    const headers = { authorization: `Bearer ${emulator.token}` };
    const answer = await request(`${emulator.baseUrl}/v2/fd-1/ipsec-shares`, { headers });
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect((await answer.body.arrayBuffer()).byteLength).toBeLessThan(300_000);
  });

  it("answers byte by byte, and closes all the same", async () => {
    const emulator = await own();
    emulator.faults.add({ fault: "trickle" });
    const headers = { authorization: `Bearer ${emulator.token}` };
    const { body } = await request(`${emulator.baseUrl}/v2/fd-1/ipsec-shares`, { headers });
    const read = body.text();
    const cut = expect(read).rejects.toThrow();
    await emulator.close();
    await cut;
  });
});

describe("faults over HTTP", () => {
  it.each([
    { fault: "late", delayMs: 1, answer: { status: 502 } },
    { fault: "html", status: 200, when: "after" },
    { fault: "shape", shape: "no id", pathPattern: "^/ipsec" },
    { fault: "pages", change: "skip" },
    { fault: "limit", perSecond: 5, retryAfter: null },
    { fault: "trickle" },
  ])("takes %j", async (fault) => {
    const emulator = await own({ admin: true });
    expect(await admin(emulator, "POST /_admin/faults", fault)).toMatchObject({ status: 201 });
  });

  it("refuses a shape it does not know", async () => {
    const emulator = await own({ admin: true });
    const answer = await admin(emulator, "POST /_admin/faults", { fault: "shape", shape: "round" });
    expect(answer.status).toBe(400);
  });
});
