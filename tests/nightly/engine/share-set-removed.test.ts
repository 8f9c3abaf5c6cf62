import { pluginClasses } from "../../harness/plugin";
import { Stack } from "../../harness/stack";
import { both, hq, livePorts, on, outputsOfSet, port, program, singleOn } from "../../engine/sets";

const { db, web } = both;
const retained = { db, web: { ...web, retain: true } };
const forbidden = { status: 403, body: { error: "forbidden", message: "no" } };

describe("a key that is removed from a set", () => {
  let stack: Stack;
  let id: string;
  beforeEach(async () => {
    stack = await Stack.open();
    expect(await stack.up(program(both))).toMatchObject({ code: 0 });
    id = outputsOfSet(stack).ids["web"] ?? "";
    stack.writes();
  });
  afterEach(() => stack.close());

  const withSingle = (more: object = {}) => ({
    ...program({ db }),
    shares: { single: singleOn(web, id, more) },
  });

  it("stays in the state if its DELETE fails, and the next up deletes it", async () => {
    stack.emulator.faults.answerNext({ method: "DELETE", ...forbidden });
    const failed = await stack.up(program({ db }));
    expect(failed.code).not.toBe(0);
    expect(failed.errors.join("\n")).toContain('shares["web"]');
    expect(outputsOfSet(stack).ids["web"]).toBe(id);
    stack.writes();
    expect(await stack.steadyUp(program({ db }))).toMatchObject({ code: 0, steps: ["update services"] });
    expect(stack.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);
  });

  it("keeps its share with retain if the resource that adopts it fails, until that succeeds", async () => {
    expect(await stack.up(program(retained))).toMatchObject({ code: 0 });
    for (const flags of [[], ["--continue-on-error"]]) {
      stack.emulator.faults.answerNext({ method: "PATCH", ...forbidden });
      expect(await stack.up(withSingle({ target: "other:1" }), ...flags)).toMatchObject({ code: 255 });
      expect(Object.keys(livePorts(stack))).toContain(id);
    }
    expect(await stack.steadyUp(withSingle({ target: "other:1" }))).toMatchObject({ code: 0 });
    expect(stack.id("single")).toBe(id);
    expect(stack.calls().filter((line) => line.startsWith("DELETE"))).toEqual([]);
  });

  it("goes with retain to another set that is edited, too, and back", async () => {
    const two = (first: object, second: object) => ({
      tunnels: { hq },
      sets: { services: { ...on, shares: first }, others: { ...on, shares: second } },
    });
    const mail = port(25);
    expect(await stack.steadyUp(two(retained, { mail }))).toMatchObject({ code: 0 });
    stack.writes();
    const adopting = { ...web, adopt: id, retain: true };
    for (const edit of [two({ db }, { mail, web: adopting }), two({ db, web: adopting }, { mail })]) {
      expect(await stack.steadyUp(edit)).toMatchObject({ code: 0 });
      expect(stack.writes()).toEqual([]);
      expect(Object.keys(livePorts(stack))).toHaveLength(3);
    }
  });

  it("goes with retain to a set on a tunnel that is made in the same edit, however long that takes", async () => {
    expect(await stack.up(program(retained))).toMatchObject({ code: 0 });
    stack.writes();
    stack.emulator.settings.provisionMs = 8_000;
    const { sets, tunnels } = program({ db });
    const lab = { name: "lab", peerPublicIp: "203.0.113.8", peerCidr: "10.30.0.0/16", locationId: "loc-2" };
    const moved = { ipsecTunnelId: { tunnel: "lab" }, envZId: "env-1", shares: { web: { ...web, adopt: id } } };
    const edit = { tunnels: { ...tunnels, lab }, sets: { ...sets, moved } };
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual(["POST /ipsec-tunnels", `PATCH /ipsec-shares/${id}`]);
  });

  it("is deleted if the set is renamed in the same edit, and if a run in between was interrupted", async () => {
    stack.emulator.settings.provisionMs = 4_000;
    const shares = { db: { ...db, target: "db2:1" } };
    const edit = { tunnels: { hq }, sets: { renamed: { ...on, shares, opts: { aliases: [{ name: "services" }] } } } };
    const running = stack.up(edit);
    while (!stack.emulator.requests.some(({ method }) => method === "PATCH"))
      await new Promise((resolve) => setTimeout(resolve, 50));
    stack.interrupt();
    await running;
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([expect.stringMatching(/^PATCH/), `DELETE /ipsec-shares/${id}`]);
    expect(Object.keys(livePorts(stack))).toHaveLength(1);
  });

  it("is deleted in the edit in which its set goes from one host to the other", async () => {
    const imports = ["pulumi-frontdoor", pluginClasses];
    const [other = ""] = imports.filter((each) => each !== stack.imports);
    stack.imports = other;
    expect(await stack.steadyUp(program({ db }))).toMatchObject({ code: 0 });
    expect(stack.calls()).toEqual([`DELETE /ipsec-shares/${id}`]);
  });
});
