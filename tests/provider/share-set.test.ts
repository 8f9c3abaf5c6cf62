import { UNKNOWN } from "../../provider/fields/field";
import {
  checkedIn,
  chosen,
  type Declared,
  declaredOn,
  derived,
  kinds,
  openWithTunnel,
  openWorld,
  port,
  programOf,
  type Shares,
  tunnelInputs,
  type World,
} from "../harness/world";

let world: World;
let tunnelId: string;

describe("share set", () => {
  const open = async (...settings: Parameters<typeof openWithTunnel>) => {
    [world, tunnelId] = await openWithTunnel(...settings);
  };

  const { declared, check, stack } = programOf(() => [world, tunnelId]);

  describe("a set of shares", () => {
    beforeEach(() => open());

    it("whose shares a preview does not know is updated if its tunnel is unknown too, and check has seen it", async () => {
      const set = stack();
      await set.up(declared({ web: port(443) }));
      world.nextRun();
      const { inputs } = check(declared({ web: port(443) }));
      const news = { ...inputs, shares: UNKNOWN, ipsecTunnelId: UNKNOWN } as Parameters<World["sets"]["diff"]>[2];
      const diff = (isChecked: boolean) => world.sets.diff("s", set.outputs, news, { ...world.within(60), isChecked });
      expect(await diff(true)).toMatchObject({ changes: true, replaces: [] });
      expect(await diff(false)).toMatchObject({ changes: true, replaces: ["ipsecTunnelId"] });
    });

    it("is imported by its tunnel, and needs nothing then", async () => {
      const set = stack();
      await set.up(declared({ "web-a": port(1), "web-b": port(2), db: port(3, { locationId: "loc-1" }) }));
      world.nextRun();
      const { id, state } = world.sets.imported(`fd-1/tunnel/${tunnelId}`);
      const whole = await world.sets.read(id, state, world.within(900));
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
      // Frontdoor has chosen the location. A program can leave it out or give it, for all shares or for one.
      expect(JSON.stringify(inputs)).not.toContain("locationId");
      const db = "office-test-services-db";
      const pinned = { ...each, shares: { ...each.shares, [db]: { ...each.shares[db], locationId: "loc-1" } } };
      for (const program of [each, inherited, pinned, { ...each, locationId: "loc-1" }]) {
        const { inputs: news } = check(program, inputs);
        expect(whole && (await world.sets.diff(id, whole, news, world.within(60)))).toMatchObject({ changes: false });
      }
      const name = "constructor";
      world.emulator.seedShare({ id: "shr-9", name, ipsecTunnelId: tunnelId, ingressPort: 9 });
      const more = world.sets.imported(`tunnel/${tunnelId}`);
      const read = await world.sets.read(more.id, more.state, world.within(900));
      // A program cannot have a key that every object has.
      expect(read?.ids).toMatchObject({ "constructor-shr-9": "shr-9" });
      for (const wrong of ["tnl-1", "tunnel/", "tunnel/tnl-1/web-*", "tunnel/tnl-1/web/more", "a/b/c"])
        expect(() => world.sets.imported(wrong)).toThrow("[import-id]");
    });

    it("is an imported one only until its first update: then a new key can have the port of a removed one", async () => {
      await stack().up(declared({ web: port(1), db: port(2) }));
      world.nextRun();
      const { id, ...imported } = world.sets.imported(`tunnel/${tunnelId}`);
      const read = await world.sets.read(id, imported.state, world.within(900));
      if (!read) throw new Error("no share was found");
      let state = read;
      const [web, db] = ["office-test-services-web", "office-test-services-db"];
      const inputsOf = (shares: Shares) => check(declared(shares), world.sets.inputsOf(state)).inputs;
      const diff = (shares: Shares) => world.sets.diff(id, state, inputsOf(shares), world.within(60));
      const crm = { [web]: port(1), crm: port(2) };
      await expect(diff(crm)).rejects.toThrow(
        new RegExp(`shares\\["crm"\\]: "${state.ids[db] ?? ""}".*\\[keys-differ\\]$`),
      );
      const changed = { [web]: port(1, { target: "other:1" }), [db]: port(2) };
      state = (await world.sets.update(id, state, inputsOf(changed), world.within(900))).outputs;
      world.nextRun();
      world.calls();
      expect(await diff(crm)).toMatchObject({ changes: true, replaces: [] });
      const { outputs, unfinished } = await world.sets.update(id, state, inputsOf(crm), world.within(900));
      expect([unfinished, Object.keys(outputs.ids)]).toEqual([undefined, [web, "crm"]]);
      expect(kinds(world.writes())).toEqual([
        expect.stringMatching(/^DELETE/),
        expect.stringMatching(/^PATCH/),
        "POST",
      ]);
    });
  });

  it("has longer by its requests, and removed keys count in an update", async () => {
    await open({}, undefined, () => ({ "frontdoor:requestsPerSecond": "20" }));
    const shares = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`s${n}`, port(n + 1)]));
    const set = check(declared(shares)).inputs;
    const large = { create: 1_400, update: 1_400, delete: 1_400 };
    expect(world.sets.timeoutsOf(set)).toEqual(large);
    expect(world.sets.timeoutsOf({ ...set, shares: {} }, set as never)).toEqual(large);
  });
});

describe("share set keys", () => {
  let world: World;
  let tunnelId: string;

  beforeEach(async () => {
    [world, tunnelId] = await openWithTunnel();
  });

  const { declared, check, stack } = programOf(() => [world, tunnelId]);

  /** A set with these shares, in a new run. */
  async function deployed(shares: Shares) {
    const set = stack();
    expect((await set.up(declared(shares))).error).toBeUndefined();
    world.nextRun();
    world.calls();
    return set;
  }

  describe("removing a key of a set", () => {
    it("deletes nothing after a failed write, so that a key which comes back has its share again", async () => {
      const [web, db, api] = [port(443), port(5432), port(8443)];
      const set = await deployed({ web, db });
      const id = set.outputs.ids["web"];
      world.emulator.faults.failNext({ kind: "share", op: "create" });
      expect((await set.up(declared({ db, api }))).error).toContain("1 of 2 ");
      expect(set.outputs.ids).toMatchObject({ web: id });
      expect((await set.up(declared({ web, db, api }))).writes).toEqual([expect.stringMatching(/^PUT/)]);
      expect(kinds((await set.up(declared({ db, api }))).writes)).toEqual([`DELETE/${id}`]);
    });
  });

  it("lets the other keys have the ports of shares that are deleted, if one delete is refused", async () => {
    const set = await deployed({ a: port(1001), b: port(1002) });
    const { a = "" } = set.outputs.ids;
    const body = { error: "forbidden", message: "no" };
    world.emulator.faults.answerNext({ method: "DELETE", path: new RegExp(a), status: 403, body, times: Infinity });
    const { error } = await set.up(declared({ p: port(1001), q: port(1002) }));
    expect(error).toMatch(/403 forbidden/);
    expect(Object.keys(set.outputs.ids).sort()).toEqual(["a", "q"]);
  });

  it("keeps the old shares of a set that moves to another front door until all of it is there, also with --continue-on-error", async () => {
    [world, tunnelId] = await openWithTunnel({ token: "all", tokens: { all: ["*"] } });
    const set = await deployed({ web: port(443), db: port(5432) });
    const there = { ...tunnelInputs, frontdoorId: "fd-2" };
    const ipsecTunnelId = (await world.tunnels.create(there, chosen, world.within(900))).id;
    world.nextRun();
    world.calls();
    const moved = declared({ web: port(443), db: port(5432) }, { ipsecTunnelId, frontdoorId: "fd-2" });
    const body = { error: "forbidden", message: "no" };
    world.emulator.faults.answerNext({ method: "POST", status: 403, body });
    const made = await world.sets.create(check(moved, set.outputs).inputs, derived, world.within(900));
    expect(Object.keys(made.outputs.ids)).toHaveLength(1);
    const remove = () => world.sets.delete("services", set.outputs, world.within(900));
    await expect(remove()).rejects.toThrow(/its shares on front door fd-1 stay.* \[set-incomplete\]$/);
    expect(kinds(world.writes())).toEqual(["POST", "POST"]);
    // In the next run, the update of the new set creates the key that is missing, and then the old set goes.
    world.nextRun();
    world.emulator.clock.advance(60_000);
    const news = check(moved, made.outputs).inputs;
    const whole = await world.sets.update("services", made.outputs, news, world.within(900));
    expect(whole.unfinished).toBeUndefined();
    await remove();
    const { web, db } = set.outputs.ids;
    expect(kinds(world.writes())).toEqual([`DELETE/${web}`, `DELETE/${db}`, "POST"].sort());
  });
});

describe("the check of a set", () => {
  const tunnelId = "tnl-1";

  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });

  const { declared, check } = programOf(() => [world, tunnelId]);
  const failures = (news: Declared) => check(news).failures.map(({ property, reason }) => `${property} ${reason}`);

  it("tells each problem on its path, and what is the set's once", () => {
    const shares = {
      web: { target: "http://x", ingressPort: 0 },
      db: { target: "db:1", ingressPort: 443, envId: "e", envZId: "e", colour: "red" },
      api: { target: "api:1", ingressPort: 444, ipsecTunnelId: "tnl-9" },
      raw: "text" as never,
      "a::b": port(1),
    };
    expect(
      check(declared(shares, { locationId: " x", size: 1 }))
        .failures.map(({ property }) => property)
        .sort(),
    ).toEqual([
      "locationId",
      'shares["a::b"]',
      'shares["api"].ipsecTunnelId',
      'shares["db"].colour',
      'shares["db"].envId',
      'shares["raw"]',
      'shares["web"].ingressPort',
      'shares["web"].target',
      "size",
    ]);
  });

  it("refuses two on one port, and too many", () => {
    expect(failures(declared({ web: port(443), db: port(443, { target: "db:1" }) }))).toEqual([
      expect.stringMatching(/^shares\["db"\].ingressPort is also the port of shares\["web"\]\. .*\[port-twice\]/),
    ]);
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`s${at}`, port(at + 1)]));
    expect(failures(declared(many))).toEqual([expect.stringMatching(/^shares must be shares by key, at most 5000/)]);
  });

  it("refuses the name of another resource of the program", () => {
    const shares = { web: port(443, { name: "one" }), db: port(2, { name: "one" }) };
    expect(failures(declared(shares))).toEqual([
      expect.stringMatching(/^shares\["db"\].name .*"services\["web"\]" and "services\["db"\]".*\[name-twice\]$/),
    ]);
  });

  it("lets unknown values pass, wherever they are", () => {
    expect(failures(declared({ web: { target: UNKNOWN, ingressPort: UNKNOWN }, db: UNKNOWN as never }))).toEqual([]);
    expect(failures({ ...declared({}), shares: UNKNOWN as never })).toEqual([]);
  });

  it("refuses the port of another set or share of the program, once", () => {
    expect(failures(declared({ web: port(443) }))).toEqual([]);
    const { failures: problems } = checkedIn(world, declared({ a: port(443), b: port(444), c: port(444) }), {}, "more");
    expect(problems.map(({ property, reason }) => `${property} ${reason}`)).toEqual([
      'shares["a"].ingressPort is also the port of share "services["web"]" on the same tunnel. Change the port of one of the two shares. [port-twice]',
      'shares["c"].ingressPort is also the port of shares["b"]. Change the port of one of the two shares. [port-twice]',
    ]);
    expect(failures(declaredOn("tnl-2", { web: port(443) }))).toEqual([]);
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::single";
    const single = { ...port(443), ipsecTunnelId: tunnelId, envZId: "env-1" };
    expect(world.shares.check({ news: single, olds: {}, origin }).failures).toMatchObject([
      { property: "ingressPort" },
    ]);
  });
});

describe.each([
  [200, 30],
  [400, 50],
])("a set of %d shares at the default of 20 requests a second", (count, mostLists) => {
  it.each([0, 2_000, 5_000])(
    "sends few lists, and is done soon after its last POST, if a share takes %d ms",
    async (ms) => {
      const [world, tunnelId] = await openWithTunnel({ provisionMs: { tunnel: 0, share: ms } }, undefined, () => ({
        "frontdoor:requestsPerSecond": "20",
      }));
      const shares = Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, port(n + 1)]));
      const { inputs } = checkedIn(world, declaredOn(tunnelId, shares));
      const startedMs = world.clock.now();
      const { unfinished } = await world.sets.create(inputs, derived, world.within(900));
      expect(unfinished).toBeUndefined();
      const calls = world.calls();
      expect(calls.filter((line) => line.startsWith("POST "))).toHaveLength(count);
      expect(calls.filter((line) => line.startsWith("GET ")).length).toBeLessThanOrEqual(mostLists);
      expect(world.clock.now() - startedMs).toBeLessThanOrEqual(1.08 * (count * 50 + ms));
    },
  );
});
