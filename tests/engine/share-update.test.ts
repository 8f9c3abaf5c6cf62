import { Stack } from "../harness/stack";

describe("share update", () => {
  const tunnels = { hq: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } };
  const original = {
    name: "web",
    ipsecTunnelId: { tunnel: "hq" },
    envZId: "env-1",
    target: "web.internal:443",
    ingressPort: 443,
  };
  const moved = { name: "intranet", envZId: "env-2", target: "web2.internal:8443", ingressPort: 8443 };

  let stack: Stack;
  let id: string;
  let tunnelId: string;

  const resources = (share: object) => ({ tunnels, shares: { web: { ...share } } });
  const up = (share: object) => stack.up(resources(share));
  const steadyUp = (share: object) => stack.steadyUp(resources(share));

  beforeAll(async () => {
    stack = await Stack.open();
    expect(await up(original)).toMatchObject({ code: 0, steps: ["create hq", "create web"] });
    stack.writes();
    id = stack.id("web");
    tunnelId = stack.id("hq");
  });
  afterAll(() => stack.close());

  it("sends one PATCH with exactly the changed field and is done only when lagging reads show it DEPLOYED", async () => {
    const lagMs = 2000;
    Object.assign(stack.emulator.settings, { readLagMs: lagMs, listLagMs: lagMs });

    const run = await up({ ...original, target: "web2.internal:443" });

    expect(run).toMatchObject({ code: 0, steps: ["update web"] });
    const { requests } = stack.emulator;
    const sent = requests.find(({ method }) => method === "PATCH")?.at ?? NaN;
    const lastLook = requests.at(-1)?.at ?? NaN;
    expect(lastLook - sent).toBeGreaterThanOrEqual(lagMs + 300);
    expect(stack.writes()).toEqual([`PATCH /ipsec-shares/${id} {"target":"web2.internal:443"}`]);
    expect(stack.kept()["web"]).toMatchObject({ id, outputs: { target: "web2.internal:443", status: "DEPLOYED" } });
    Object.assign(stack.emulator.settings, { readLagMs: 0, listLagMs: 0 });
  });

  it("sends one PATCH with all changed fields", async () => {
    const run = await steadyUp({ ...original, ...moved });
    expect(run).toMatchObject({ code: 0, steps: ["update web"] });
    expect(stack.writes()).toEqual([
      `PATCH /ipsec-shares/${id} {"envZId":"env-2","target":"web2.internal:8443","ingressPort":8443,"name":"intranet"}`,
    ]);
    expect(stack.id("web")).toBe(id);
  });

  it("writes nothing where nothing changes", async () => {
    expect(await up({ ...original, ...moved })).toMatchObject({ code: 0, steps: [] });
    expect(stack.writes()).toEqual([]);
  });

  it("takes envId and envZId with the same value as the same", async () => {
    const { envZId, ...rest } = { ...original, ...moved };
    expect(await up({ ...rest, envId: envZId })).toMatchObject({ code: 0, steps: [] });
    const back = { tunnels, shares: { web: { ...rest, envZId } } };
    expect(await stack.preview(back, "--expect-no-changes")).toMatchObject({ code: 0, steps: [] });
    expect(stack.writes()).toEqual([]);
  });

  it("sends the whole share by PUT to clear locationId", async () => {
    expect(await up({ ...original, ...moved, locationId: "loc-7" })).toMatchObject({ code: 0, steps: ["update web"] });
    expect(stack.writes()).toEqual([`PATCH /ipsec-shares/${id} {"locationId":"loc-7"}`]);

    expect(await steadyUp({ ...original, ...moved })).toMatchObject({ code: 0, steps: ["update web"] });
    expect(stack.writes()).toEqual([
      `PUT /ipsec-shares/${id} {"name":"intranet","ipsecTunnelId":"${tunnelId}","envZId":"env-2","target":"web2.internal:8443","ingressPort":8443}`,
    ]);
    expect(stack.kept()["web"]).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
  });
});
