import { ownToken, pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";
import { both, hq, livePorts, on, outputsOfSet, port, program } from "./sets";

const { db, web } = both;
const tunnel = `const hq = new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)});
const place = { ipsecTunnelId: hq.id, envZId: "env-1" };`;

describe("a share that leaves its set", () => {
  let stack: Stack;
  let id: string;
  beforeEach(async () => {
    stack = await Stack.open();
    expect(await stack.up(program(both))).toMatchObject({ code: 0 });
    id = outputsOfSet(stack).ids["web"] ?? "";
    stack.writes();
  });
  afterEach(() => stack.close());

  const withAdopting = (more: object = {}) => ({
    ...program({ db }),
    shares: { single: { ...on, ...web, adopt: id, ...more } },
  });

  it("stays where what adopts it fails, with --continue-on-error too", async () => {
    for (const flags of [[], ["--continue-on-error"]]) {
      stack.emulator.faults.answerNext({ method: "PATCH", status: 403, body: { error: "forbidden", message: "no" } });
      const failing = withAdopting({ target: "other:1" });
      expect(await stack.up(failing, ...flags)).toMatchObject({ code: 255 });
      expect(stack.calls().filter((line) => line.startsWith("DELETE"))).toEqual([]);
      expect(Object.keys(livePorts(stack))).toContain(id);
    }
    expect(await stack.steadyUp(withAdopting({ target: "other:1" }))).toMatchObject({ code: 0 });
    expect(stack.id("single")).toBe(id);
    expect(stack.calls().filter((line) => line.startsWith("DELETE"))).toEqual([]);
  });

  it("stays where the program can't say right who adopts it", async () => {
    const edit = withAdopting({ ingressPort: 0 });
    expect(await stack.up(edit)).toMatchObject({ code: 255 });
    expect(await stack.up(edit, "--continue-on-error")).toMatchObject({ code: 255 });
    expect(stack.writes()).toEqual([]);
    expect(await stack.steadyUp(withAdopting())).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
  });

  it("goes where its new resource puts it while a new key takes its port, also after a run that was killed", async () => {
    const edit = (more: object) => ({
      ...program({ db, api: { ...web, target: "api.internal:443" } }),
      shares: { single: { ...on, ...web, ingressPort: 6001, adopt: id, ...more } },
    });
    const cutOff = stack.up(edit({}));
    while (!stack.emulator.requests.some(({ method }) => method === "PATCH"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    stack.killProvider();
    expect((await cutOff).code).not.toBe(0);
    expect(await stack.steadyUp(edit({}))).toMatchObject({ code: 0 });
    expect(livePorts(stack)).toMatchObject({ [id]: 6001 });
    expect(Object.values(livePorts(stack)).sort()).toEqual([443, 5432, 6001]);
    expect(stack.calls()).not.toContainEqual(expect.stringContaining("DELETE"));
  });

  it("changes ports with a key that stays", async () => {
    const crossed = {
      ...program({ db: { ...db, ingressPort: web.ingressPort } }),
      shares: { single: { ...on, ...web, ingressPort: db.ingressPort, adopt: id } },
    };
    const other = outputsOfSet(stack).ids["db"] ?? "";
    // Where the set has not begun when the single one is refused, it is the next run that succeeds.
    const { code } = await stack.up(crossed);
    if (code !== 0) expect(await stack.steadyUp(crossed)).toMatchObject({ code: 0 });
    expect(livePorts(stack)).toEqual({ [id]: db.ingressPort, [other]: web.ingressPort });
  });

  it("goes to another set which is edited, too, and back", async () => {
    const two = (first: object, second: object) => ({
      tunnels: { hq },
      sets: { services: { ...on, shares: first }, others: { ...on, shares: second } },
    });
    const mail = port(25);
    expect(await stack.steadyUp(two(both, { mail }))).toMatchObject({ code: 0 });
    stack.writes();
    const there = two({ db }, { mail, web: { ...web, adopt: id } });
    const back = two({ db, web: { ...web, adopt: id } }, { mail });
    for (const edit of [there, back]) {
      expect(await stack.steadyUp(edit)).toMatchObject({ code: 0 });
      expect(stack.writes()).toEqual([]);
      expect(Object.keys(livePorts(stack))).toHaveLength(3);
    }
  });

  it("is deleted alone where the set is renamed in the same edit, and where a run in between was interrupted", async () => {
    stack.emulator.settings.provisionMs = 4_000;
    const edit = {
      tunnels: { hq },
      sets: {
        renamed: { ...on, shares: { db: { ...db, target: "db2:1" } }, opts: { aliases: [{ name: "services" }] } },
      },
    };
    const running = stack.up(edit);
    while (!stack.emulator.requests.some(({ method }) => method === "PATCH"))
      await new Promise((resolve) => setTimeout(resolve, 50));
    stack.interrupt();
    await running;
    expect(Object.keys(livePorts(stack))).toContain(id);
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([expect.stringMatching(/^PATCH/), `DELETE /ipsec-shares/${id}`]);
    expect(Object.keys(livePorts(stack))).toHaveLength(1);
  });

  it("stays as long as the set is protected or to be deleted first, and with retainOnDelete", async () => {
    const edit = (opts: object, shares: object) => program(shares, { opts });
    expect(await stack.up(edit({ protect: true }, both))).toMatchObject({ code: 0 });
    const refused = await stack.up(edit({ protect: true }, { db }));
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain("protect");
    const first = await stack.up(edit({ deleteBeforeReplace: true }, { db }));
    expect(first.code).not.toBe(0);
    expect(first.text).toContain("leave that option out for an edit that takes keys out");
    expect(await stack.up(edit({ retainOnDelete: true }, both))).toMatchObject({ code: 0 });
    expect(await stack.steadyUp(edit({ retainOnDelete: true }, { db }))).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(Object.keys(livePorts(stack))).toContain(id);
  });

  it("comes back with its key where the run that let it go has failed, and is deleted by the next one where it does not", async () => {
    // Of a share that is made once the set is, and whose port is taken.
    const bad = `new frontdoor.IpsecShare("bad", { ...place, target: "x:1", ingressPort: 5432 }, { dependsOn: [services] });`;
    const services = (shares: object) =>
      `const services = new frontdoor.IpsecShareSet("services", { ...place, shares: ${JSON.stringify(shares)} });`;
    const failing = (shares: object) => [tunnel, services(shares), bad].join("\n");
    expect(await stack.up(failing({ db }), "--skip-preview")).toMatchObject({ code: 255 });
    expect(stack.entered()).toContain("services engine-test-services to be deleted");
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0 });
    expect(stack.calls().filter((line) => !line.startsWith("POST"))).toEqual([]);
    expect(outputsOfSet(stack).ids["web"]).toBe(id);
    expect(await stack.up(failing({ db }), "--skip-preview")).toMatchObject({ code: 255 });
    const taking = await stack.up(program({ db, api: web }));
    expect(taking).toMatchObject({ code: 255 });
    expect(taking.text).toContain(`is that of "engine-test-services-web" (${id}, DEPLOYED): it has left its set`);
    stack.writes();
    expect(await stack.steadyUp(program({ db }))).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);
  });

  it("is deleted alone of a site's set", async () => {
    const site = (shares: object) => ({
      sites: { branch: { ...hq, name: "branch", locationId: "loc-2", envZId: "env-1", asSet: true, shares } },
    });
    expect(await stack.up({ ...program(both), ...site(both) })).toMatchObject({ code: 0 });
    const before = Object.keys(livePorts(stack));
    stack.writes();
    expect(await stack.steadyUp({ ...program(both), ...site({ db }) })).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([expect.stringMatching(/^DELETE/)]);
    expect(Object.keys(livePorts(stack))).toHaveLength(before.length - 1);
  });

  it("is deleted by the next up where --replace or a destroy comes in between", async () => {
    const bad = { ...program({ db }), shares: { bad: { ...on, target: "x", ingressPort: 1 } } };
    expect(await stack.up(bad)).toMatchObject({ code: 255 });
    const urn = `urn:pulumi:test::engine::${ownToken("IpsecShareSet")}::services`;
    expect(await stack.up(program({ db }), "--replace", urn)).toMatchObject({ code: 255 });
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(livePorts(stack)).toEqual({});
  });

  it("does not leave in the edit in which its set goes from one host to the other", async () => {
    const imports = ["pulumi-frontdoor", pluginClasses];
    for (const classes of stack.imports === pluginClasses ? imports : imports.reverse()) {
      stack.imports = classes;
      const refused = await stack.up(program({ db }));
      expect(refused).toMatchObject({ code: 255 });
      expect(refused.text).toContain(`shares["web"]: no longer in its set, which goes to the other host`);
      expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0 });
      expect(stack.writes()).toEqual([]);
    }
    expect(await stack.steadyUp(program({ db }))).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([`DELETE /ipsec-shares/${id}`]);
  });
});
