import { closeWorlds, type World, chosen, derived, shareInputs, tunnelInputs } from "./world";
import { type Declared, kinds, openWithTunnel, port, programOf, type Shares } from "./set-program";
import { UNKNOWN } from "../../provider/fields/field";

afterEach(closeWorlds);

let world: World;

let tunnelId: string;

describe("share set", () => {
  const open = async (...settings: Parameters<typeof openWithTunnel>) => {
    [world, tunnelId] = await openWithTunnel(...settings);
  };

  const { declared, check, stack, live } = programOf(() => [world, tunnelId]);

  describe("a set of shares", () => {
    beforeEach(() => open());

    it("creates each under the name derived from project, stack, set and key, and is quiet from then on", async () => {
      const set = stack();
      const shares = { web: port(443), db: port(5432, { envZId: "env-2" }) };
      expect(kinds((await set.up(declared(shares, { nlbDnsName: "nlb.example" }))).writes)).toEqual(["POST", "POST"]);
      expect(live()).toEqual({ "office-test-services-web": 443, "office-test-services-db": 5432 });
      const { web, db } = set.outputs.shares;
      expect(web).toMatchObject({ ...port(443), envZId: "env-1", status: "DEPLOYED", ipsecTunnelId: tunnelId });
      expect(db).toMatchObject({ envZId: "env-2" });
      expect(set.outputs).toMatchObject({
        ids: { web: web?.id, db: db?.id },
        endpoints: { web: "nlb.example:443", db: "nlb.example:5432" },
        status: "DEPLOYED",
      });
      // In another order, and with what they share said by each.
      const again = { db: port(5432, { envId: "env-2" }), web: port(443, { envZId: "env-1" }) };
      expect((await set.up(declared(again, { nlbDnsName: "nlb.example" }))).writes).toEqual([]);
      await set.refresh();
      expect((await set.up(declared(again, { nlbDnsName: "nlb.example" }))).writes).toEqual([]);
    });

    it("takes a change of what all share to each that has none of its own", async () => {
      const set = stack();
      await set.up(declared({ web: port(443), db: port(5432, { envZId: "env-2" }) }));
      const { writes } = await set.up(
        declared({ web: port(443), db: port(5432, { envZId: "env-2" }) }, { envZId: "env-3" }),
      );
      expect(writes).toEqual([`PATCH /ipsec-shares/${set.outputs.ids["web"]} {"envZId":"env-3"}`]);
    });

    it("names the first two shares that fail, and the number of the others", async () => {
      world.emulator.faults.answerNext({
        method: "POST",
        status: 403,
        body: { error: "forbidden", message: "no" },
        times: 12,
      });
      const shares = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`s${at}`, port(at + 1)]));
      await expect(stack().up(declared(shares))).rejects.toThrow(
        /12 of 12 .*shares\["s0"\].*; shares\["s1"\][^;]*; and 10 more\. .*\[set-incomplete\]$/,
      );
      expect(live()).toEqual({});
    });

    it("stays without shares, and needs no request for that", async () => {
      const set = stack();
      expect((await set.up(declared({}))).writes).toEqual([]);
      expect(world.calls()).toEqual([]);
      expect(set.outputs).toMatchObject({ shares: {}, ids: {}, status: "DEPLOYED", frontdoorId: "fd-1" });
      await set.refresh();
      expect(set.exists).toBe(true);
      expect(kinds((await set.up(declared({ web: port(443) }))).writes)).toEqual(["POST"]);
      expect(kinds((await set.up(declared({}))).writes)).toEqual([expect.stringMatching(/^DELETE/)]);
      await set.refresh();
      expect(set.exists).toBe(true);
    });

    it("is gone only once all of it is", async () => {
      const set = stack();
      await set.up(declared({ web: port(443), db: port(5432) }));
      world.emulator.removeShare(set.outputs.ids["web"] ?? "");
      await set.refresh();
      expect(Object.keys(set.outputs.ids)).toEqual(["db"]);
      world.emulator.removeShare(set.outputs.ids["db"] ?? "");
      await set.refresh();
      expect(set.exists).toBe(false);
    });

    it("is imported by its tunnel, and needs nothing then", async () => {
      const set = stack();
      await set.up(declared({ "web-a": port(1), "web-b": port(2), db: port(3, { locationId: "loc-1" }) }));
      world.nextRun();
      const { id, olds } = world.sets.imported(`fd-1/tunnel/${tunnelId}`);
      const whole = await world.sets.read(id, olds, world.within(900));
      const inputs = whole && (world.sets.inputsOf(whole) as Declared);
      expect(Object.keys(inputs?.shares ?? {})).toHaveLength(3);
      const checked = check(inputs ?? declared({}), inputs);
      expect(checked.failures).toEqual([]);
      if (whole)
        expect(await world.sets.diff(id, whole, checked.inputs, world.within(60))).toMatchObject({ changes: false });
      // A program can give the common environment once, or for each share.
      const { envZId: once, ...each } = inputs ?? declared({});
      const shares = Object.entries(each.shares).map(([key, share]) => [key, { ...share, envZId: undefined }]);
      const inherited: Declared = { ...each, envZId: once, shares: Object.fromEntries(shares) as Shares };
      expect(once).toBe("env-1");
      for (const program of [each, inherited]) {
        const { inputs: news } = check(program, inputs);
        expect(whole && (await world.sets.diff(id, whole, news, world.within(60)))).toMatchObject({ changes: false });
      }
      const name = "constructor";
      world.emulator.seedShare({ id: "shr-9", name, ipsecTunnelId: tunnelId, ingressPort: 9 });
      const more = world.sets.imported(`tunnel/${tunnelId}`);
      const read = await world.sets.read(more.id, more.olds, world.within(900));
      // A program cannot have a key that every object has.
      expect(read?.ids).toMatchObject({ "constructor-shr-9": "shr-9" });
      for (const wrong of ["tnl-1", "tunnel/", "tunnel/tnl-1/web-*", "tunnel/tnl-1/web/more", "a/b/c"])
        expect(() => world.sets.imported(wrong)).toThrow("[import-id]");
    });
  });

  it("is given the time in which the ceiling lets all be sent", async () => {
    await open({}, undefined, () => ({ "frontdoor:requestsPerSecond": "20" }));
    const shares = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`s${at}`, port(at + 1)]));
    expect(world.sets.timeoutsOf(check(declared(shares)).inputs)).toEqual({ create: 1000, update: 1000, delete: 1000 });
  });
});

describe("ports of a set that change places in a cycle", () => {
  beforeEach(async () => {
    [world, tunnelId] = await openWithTunnel();
  });

  const { declared, check, stack } = programOf(() => [world, tunnelId]);

  const at = (ingressPort: number | typeof UNKNOWN, more: object = {}) => ({ target: "x:1", ingressPort, ...more });

  /** A share on its own, ready and shown by lists. */
  async function single(name: string, ingressPort: number): Promise<string> {
    const inputs = { ...shareInputs(tunnelId), name, ingressPort };
    const { id } = await world.shares.create(inputs, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    return id;
  }

  const refusal = async (olds: Shares, news: Shares) => {
    const set = stack();
    await set.up(declared(olds));
    world.nextRun();
    world.calls();
    const { inputs } = check(declared(news), set.outputs);
    const diff = world.sets.diff("services", set.outputs, inputs, world.within(60));
    const message = await diff.catch((error: unknown) => (error as Error).message);
    expect(world.writes()).toEqual([]);
    return message;
  };

  it("are refused by the diff, which names the keys and sends nothing", async () => {
    const two = { a: port(1), b: port(2), c: port(3) };
    expect(await refusal(two, { a: at(2), b: at(1), c: port(3) })).toMatch(
      /shares\["a"\], shares\["b"\] .*\[port-cycle\]$/,
    );
  });

  it("are refused also if the cycle is longer, and a key outside it is not named", async () => {
    const four = { a: port(1), b: port(2), c: port(3), d: port(4) };
    const message = await refusal(four, { a: at(2), b: at(3), c: at(1), d: at(5), e: at(4) });
    expect(message).toMatch(/ shares\["a"\], shares\["b"\], shares\["c"\] .*\[port-cycle\]$/);
  });

  it("are let through if a share of the cycle is gone, goes to another tunnel, or has a port that is not known yet", async () => {
    const set = stack();
    await set.up(declared({ a: port(1), b: port(2) }));
    world.nextRun();
    const { outputs } = set;
    const swapped = { a: at(2), b: at(1) };
    const changes = async (news: object, olds = outputs) =>
      (await world.sets.diff("services", olds, check(news as never, olds).inputs, world.within(60))).changes;
    const { a, b } = outputs.shares;
    if (!a || !b) throw new Error("the state lacks a share");
    expect(await changes(declared(swapped), { ...outputs, shares: { a, b: { ...b, status: "DELETING" } } })).toBe(true);
    expect(await changes(declared({ a: at(2), b: at(UNKNOWN) }))).toBe(true);
    expect(await changes(declared({ a: at(2), c: at(1) }))).toBe(true);
    world.emulator.seedTunnel({ ...tunnelInputs, locationId: "loc-7" });
    const other = world.emulator.tunnels().find(({ id }) => id !== tunnelId)?.id ?? "";
    const { error, writes } = await set.up(declared(swapped, { ipsecTunnelId: other }));
    expect([error, kinds(writes).map((line) => line.replace(/\/.*/, ""))]).toEqual([undefined, ["PATCH", "PATCH"]]);
  });

  it("are refused before any write if a create adopts the shares; what it would adopt is not deleted meanwhile", async () => {
    const [a, b] = [await single("a", 1), await single("b", 2)];
    world.nextRun();
    world.calls();
    const shares = { one: at(2, { adopt: a }), two: at(1, { adopt: b }), other: port(9) };
    const made = world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
    await expect(made).rejects.toThrow(/shares\["one"\], shares\["two"\] .*\[port-cycle\]$/);
    const inputs = { ...shareInputs(tunnelId), name: "a", ingressPort: 1, status: "DEPLOYED" };
    await world.shares.delete(a, inputs, world.within(900));
    expect(world.writes()).toEqual([]);
  });
});
