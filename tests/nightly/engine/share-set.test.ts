import { ownToken } from "../../harness/plugin";
import { Stack } from "../../harness/stack";
import { both, hq, livePorts, on, outputsOfSet, port, program } from "../../engine/sets";

describe("a set", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open();
  });
  afterEach(() => stack.close());

  it("adopts a single share in one edit, without a write", async () => {
    const single = { ...on, ...both.web };
    await stack.up({
      tunnels: { hq },
      shares: { web: single },
      sets: { services: { ...on, shares: { db: both.db } } },
    });
    const id = stack.id("web");
    stack.writes();
    expect(await stack.steadyUp(program({ ...both, web: { ...both.web, adopt: id } }))).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(outputsOfSet(stack).ids["web"]).toBe(id);
  });

  it("goes before its tunnel where that is replaced, and moves over where the new one comes first", async () => {
    await stack.up(program(both));
    const before = Object.keys(livePorts(stack));
    stack.writes();
    const replaced = program(both, {}, { peerCidr: "10.21.0.0/16" });
    expect(await stack.steadyUp(replaced)).toMatchObject({
      code: 0,
      steps: expect.arrayContaining(["replace hq", "replace services"]) as string[],
    });
    expect(Object.keys(livePorts(stack))).toHaveLength(2);
    expect(Object.keys(livePorts(stack)).some((id) => before.includes(id))).toBe(false);
    stack.writes();
    const moved = program(both, {}, { peerCidr: "10.21.0.0/16", locationId: "loc-2" });
    const ids = Object.keys(livePorts(stack));
    expect(await stack.steadyUp(moved)).toMatchObject({
      code: 0,
      steps: expect.arrayContaining(["replace hq", "update services"]) as string[],
    });
    expect(Object.keys(livePorts(stack))).toEqual(ids);
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
    expect(Object.keys(livePorts(stack))).toHaveLength(2);
    stack.writes();
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: ["update services"] });
    expect(stack.calls()).toEqual([expect.stringMatching(/^PUT/)]);
    stack.emulator.removeShare(outputsOfSet(stack).ids["web"] ?? "");
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: ["update services"] });
    expect(Object.values(livePorts(stack))).toHaveLength(2);
  });

  it("does not share what it has with another resource that adopts it, whichever is looked at first", async () => {
    await stack.up(program(both));
    const { db } = outputsOfSet(stack).ids;
    const other = { ...on, ...both.db, adopt: db };
    stack.writes();
    for (const more of [{}, { opts: { dependsOn: ["other"] } }]) {
      const { sets, tunnels } = program(both, more);
      const { errors } = await stack.up({ tunnels, shares: { other }, sets });
      expect(errors.join("\n")).toContain(`${db ?? ""} is the id of "other" and of "services["db"]" of this program`);
    }
    // Where the set is looked at once the other one is done, both are in the state by now.
    expect(Object.keys(stack.kept())).toContain("other");
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: ["delete other"] });
    expect(stack.writes()).toEqual([]);
    expect(Object.keys(livePorts(stack))).toContain(db);
  });

  it("stays as it is if --replace would create its shares beside the old ones, and adopts them if every key says so", async () => {
    await stack.up(program(both));
    const { db = "", web = "" } = outputsOfSet(stack).ids;
    stack.writes();
    const urn = `urn:pulumi:test::engine::${ownToken("IpsecShareSet")}::services`;
    const refused = await stack.up(program(both), "--replace", urn);
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain("set deleteBeforeReplace: true");
    expect(await stack.steadyUp(program(both))).toMatchObject({ code: 0, steps: [] });
    const adopted = { web: { ...both.web, adopt: web }, db: { ...both.db, adopt: db }, api: port(8443) };
    expect(await stack.steadyUp(program(adopted), "--replace", urn)).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([expect.stringMatching(/^POST/)]);
    expect(outputsOfSet(stack).ids).toMatchObject({ db, web });
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
});
