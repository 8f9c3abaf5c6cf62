import { ask, own, seen, share, tunnel } from "./own";

describe("faults of the work", () => {
  it("fails as often as told, then no more", async () => {
    const emulator = await own();
    emulator.faults.failNext({ kind: "share", op: "create", times: 2 });
    emulator.seedTunnel();
    for (const ingressPort of [1, 2, 3]) await ask(emulator, "POST /ipsec-shares", { ...share("tnl-1"), ingressPort });
    emulator.clock.advance(1000);
    expect(emulator.shares().map(({ status }) => status)).toEqual(["ERROR", "ERROR", "DEPLOYED"]);
  });

  it("leaves the other kind and the other operation alone", async () => {
    const emulator = await own();
    emulator.faults.failNext({ kind: "share", op: "update" });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    await ask(emulator, "POST /ipsec-shares", share("tnl-1"));
    emulator.clock.advance(1000);
    expect([...emulator.tunnels(), ...emulator.shares()].map(({ status }) => status)).toEqual(["DEPLOYED", "DEPLOYED"]);
    await ask(emulator, "PATCH /ipsec-shares/shr-1", { name: "n" });
    emulator.clock.advance(1000);
    expect(await seen(emulator, "/ipsec-shares/shr-1")).toBe("ERROR");
  });

  it("sticks in NEW and in DELETING until something is done about it", async () => {
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

describe("faults of the wire", () => {
  it("answers before the work, which does not happen", async () => {
    const emulator = await own();
    const headers = { "retry-after": "7" };
    emulator.faults.answerNext({
      method: "POST",
      path: "/ipsec-tunnels",
      status: 503,
      headers,
      body: { error: "busy" },
    });
    const answer = await ask(emulator, "POST /ipsec-tunnels", tunnel);
    expect(answer).toMatchObject({ status: 503, body: { error: "busy" } });
    expect(answer.headers.get("retry-after")).toBe("7");
    expect(emulator.tunnels()).toEqual([]);
  });

  it("answers after the work, alone: nothing of the work's own answer shows", async () => {
    const emulator = await own();
    emulator.faults.answerNext({
      status: 502,
      body: "<html>bad gateway</html>",
      headers: { "content-type": "text/html" },
      when: "after",
    });
    const answer = await ask(emulator, "POST /ipsec-tunnels", tunnel);
    expect(answer).toMatchObject({ status: 502, body: "<html>bad gateway</html>" });
    expect([answer.headers.get("content-type"), answer.headers.get("location")]).toEqual(["text/html", null]);
    expect(emulator.tunnels()).toHaveLength(1);
    expect(emulator.requests).toMatchObject([{ status: 502 }]);
  });

  it.each([
    ["before" as const, 0],
    ["after" as const, 1],
  ])("drops the connection %s the work", async (when, made) => {
    const emulator = await own();
    emulator.faults.dropNext({ method: "POST", when });
    await expect(ask(emulator, "POST /ipsec-tunnels", tunnel)).rejects.toThrow("fetch failed");
    expect(emulator.tunnels()).toHaveLength(made);
    expect(emulator.requests).toMatchObject([{ method: "POST", status: 0, body: tunnel }]);
  });

  it("takes rules one at a time, in order, where they match", async () => {
    const emulator = await own();
    emulator.seedTunnel();
    emulator.faults.answerNext({ path: /^\/ipsec-shares/, status: 500 });
    emulator.faults.answerNext({ path: "/ipsec-tunnels/", status: 503, times: 2 });
    emulator.faults.answerNext({ method: "get", status: 429 });
    const statuses = [];
    for (const path of ["tunnels/tnl-1", "tunnels/tnl-1", "tunnels/tnl-1", "tunnels", "shares"]) {
      statuses.push((await ask(emulator, `GET /ipsec-${path}`)).status);
    }
    expect(statuses).toEqual([503, 503, 429, 200, 500]);
    expect(emulator.faults.pending()).toBe(0);
  });

  it("can be taken back", async () => {
    const emulator = await own();
    const undo = emulator.faults.answerNext({ status: 500 });
    emulator.faults.failNext({ kind: "tunnel", op: "create" });
    undo();
    expect(emulator.faults.pending()).toBe(1);
    emulator.faults.clear();
    expect(emulator.faults.pending()).toBe(0);
    expect((await ask(emulator, "GET /ipsec-tunnels")).status).toBe(200);
  });

  it("delays without changing the answer", async () => {
    const emulator = await own();
    emulator.faults.delayNext({ delayMs: 30 });
    const begun = performance.now();
    expect((await ask(emulator, "GET /ipsec-tunnels")).status).toBe(200);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(29);
  });

  it("does not keep a closing emulator waiting, and does no work after it", async () => {
    const emulator = await own();
    emulator.faults.delayNext({ delayMs: 600_000 });
    const answer = ask(emulator, "POST /ipsec-tunnels", tunnel);
    const cut = expect(answer).rejects.toThrow("fetch failed");
    while (emulator.requests.length === 0) await new Promise(setImmediate);
    await emulator.close();
    await cut;
  });

  it("runs an action of the test's own", async () => {
    const emulator = await own();
    emulator.faults.onRequest({
      match: ({ path }) => path === "/ipsec-tunnels",
      times: Infinity,
      action: async (work) => {
        const { status } = await work();
        return new Response("{", { status });
      },
    });
    expect(await ask(emulator, "GET /ipsec-tunnels")).toMatchObject({ status: 200, body: "{" });
  });
});
