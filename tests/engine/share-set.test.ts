import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const on = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1" };
const port = (ingressPort: number, more: object = {}) => ({
  target: `h${ingressPort}.internal:443`,
  ingressPort,
  ...more,
});
const both = { web: port(443), db: port(5432) };

interface SetOutputs {
  shares: Record<string, { name: string; target: string; status: string }>;
  ids: Record<string, string>;
  status: string;
}

describe("a set", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open();
  });
  afterEach(() => stack.close());

  const program = (shares: object, more: object = {}, tunnel: object = {}) => ({
    tunnels: { hq: { ...hq, ...tunnel } },
    sets: { services: { ...on, shares, ...more } },
  });
  const outputs = () => stack.kept()["services"]?.outputs as unknown as SetOutputs;
  const live = () =>
    Object.fromEntries(
      stack.emulator.shares().flatMap((each) => (each.status === "DELETED" ? [] : [[each.id, each.ingressPort]])),
    );

  it("is made, edited by key and destroyed, and quiet in between", async () => {
    expect(await stack.preview(program(both))).toMatchObject({ code: 0, steps: ["create hq", "create services"] });
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: ["create hq", "create services"] });
    const { shares, ids } = outputs();
    expect(outputs().status).toBe("DEPLOYED");
    expect(shares["web"]).toMatchObject({
      name: "engine-test-services-web",
      target: "h443.internal:443",
      id: ids["web"],
    });
    stack.writes();

    const edit = program({ db: port(5432, { target: "db2:1" }), api: port(443) });
    expect(await stack.preview(edit)).toMatchObject({ code: 0, steps: ["update services"] });
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0, steps: ["update services"] });
    const writes = stack.writes();
    expect(writes).toHaveLength(3);
    // The port is web's before it is api's.
    expect(writes.indexOf(`DELETE /ipsec-shares/${ids["web"]}`)).toBeLessThan(
      writes.findIndex((line) => line.startsWith("POST")),
    );
    expect(writes).toContain(`PATCH /ipsec-shares/${ids["db"]} {"target":"db2:1"}`);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.alive()).toEqual([]);
  });

  it("goes before its tunnel where that is replaced, and moves over where the new one comes first", async () => {
    await stack.up(program(both));
    const before = Object.keys(live());
    stack.writes();
    const replaced = program(both, {}, { peerCidr: "10.21.0.0/16" });
    expect(await stack.steadyUp(replaced)).toMatchObject({
      code: 0,
      steps: expect.arrayContaining(["replace hq", "replace services"]) as string[],
    });
    expect(Object.keys(live())).toHaveLength(2);
    expect(Object.keys(live()).some((id) => before.includes(id))).toBe(false);
    stack.writes();
    const moved = program(both, {}, { peerCidr: "10.21.0.0/16", locationId: "loc-2" });
    const ids = Object.keys(live());
    expect(await stack.steadyUp(moved)).toMatchObject({
      code: 0,
      steps: expect.arrayContaining(["replace hq", "update services"]) as string[],
    });
    expect(Object.keys(live())).toEqual(ids);
    expect(stack.calls().map((line) => line.replace(/-\d+$/, ""))).toEqual([
      "POST /ipsec-tunnels",
      "PATCH /ipsec-shares/shr",
      "PATCH /ipsec-shares/shr",
      "DELETE /ipsec-tunnels/tnl",
    ]);
  });

  it("keeps what is done where some fail, and does the rest in the next run; drift is mended", async () => {
    stack.emulator.faults.failNext({ kind: "share", op: "create" });
    expect(await stack.up(program(both))).toMatchObject({
      code: 255,
      errors: expect.arrayContaining([
        expect.stringContaining('IPsec share set "engine-test-services": 1 of 2 shares are not as declared'),
      ]) as string[],
    });
    expect(Object.keys(live())).toHaveLength(2);
    stack.writes();
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: ["update services"] });
    expect(stack.calls()).toEqual([expect.stringMatching(/^PUT/)]);
    stack.emulator.removeShare(outputs().ids["web"] ?? "");
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: ["update services"] });
    expect(Object.values(live())).toHaveLength(2);
  });

  it("takes single shares over and lets them go again in one edit, without a delete", async () => {
    const tunnels = { hq };
    const single = { ...on, ...both.web };
    await stack.up({ tunnels, shares: { web: single }, sets: { services: { ...on, shares: { db: both.db } } } });
    const id = stack.id("web");
    stack.writes();
    expect(await stack.steadyUp(program({ ...both, web: { ...both.web, adopt: id } }))).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(outputs().ids["web"]).toBe(id);
    const back = {
      tunnels,
      shares: { web: { ...single, adopt: id } },
      sets: { services: { ...on, shares: { db: both.db } } },
    };
    expect(await stack.steadyUp(back)).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(stack.id("web")).toBe(id);
    expect(Object.keys(outputs().ids)).toEqual(["db"]);
  });

  it("refuses two on one port and names bad values by their paths, at preview", async () => {
    const { errors } = await stack.preview(
      program({ web: port(443), db: port(443), api: { target: "x", ingressPort: 1 } }),
    );
    expect(errors.join("\n")).toMatch(/shares\["(db|web)"\]\.ingressPort .*is that of shares\["(db|web)"\]/);
    expect(errors.join("\n")).toMatch(/shares\["api"\]\.target .*must be host:port/);
    expect(stack.writes()).toEqual([]);
  });

  it("keeps what is secret in it out of the state and of messages", async () => {
    const secret = "vault.hidden.internal:8200";
    expect(await stack.steadyUp(program({ web: { target: { secret }, ingressPort: 443 } }))).toMatchObject({
      code: 0,
    });
    expect(stack.stateText()).not.toContain("vault.hidden");
    const wrong = await stack.up(program({ web: { target: { secret: "http://vault.hidden/" }, ingressPort: 443 } }));
    expect(wrong.code).not.toBe(0);
    expect(wrong.text).not.toContain("vault.hidden");
    expect(wrong.text).toMatch(/target.*must be host:port/);
  });

  it("goes on after Ctrl-C: no id is lost and nothing is made twice", async () => {
    Object.assign(stack.emulator.settings, { provisionMs: 3_000 });
    const shares = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`s${at}`, port(at + 1)]));
    const running = stack.up(program(shares));
    while (stack.emulator.shares().length < 20) await new Promise((resolve) => setTimeout(resolve, 50));
    stack.interrupt();
    await running;
    expect(await stack.up(program(shares))).toMatchObject({ code: 0 });
    expect(stack.emulator.shares()).toHaveLength(20);
    expect(Object.keys(outputs().ids)).toHaveLength(20);
  });
});
