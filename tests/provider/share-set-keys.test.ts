import type { ShareInputs } from "../../provider/fields/share";
import { closeWorlds, chosen, derived, shareInputs, type World, openWorld } from "./world";
import {
  kinds,
  openWithTunnel,
  port,
  programOf,
  type Shares,
  checkedIn,
  type Declared,
  declaredOn,
} from "./set-program";
import { UNKNOWN } from "../../provider/fields/field";

afterEach(closeWorlds);

describe("share set keys", () => {
  let world: World;

  let tunnelId: string;

  beforeEach(async () => {
    [world, tunnelId] = await openWithTunnel();
  });

  const { declared, check, stack, live } = programOf(() => [world, tunnelId]);

  /** A set with these shares, in a new run. */
  async function deployed(shares: Shares) {
    const set = stack();
    expect((await set.up(declared(shares))).error).toBeUndefined();
    world.nextRun();
    world.calls();
    return set;
  }

  /** What check makes of a single share that adopts this one. */
  function adopter(id: string): ShareInputs {
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::single";
    const news = { ...shareInputs(tunnelId), name: undefined, target: "host-443.internal:443", adopt: id };
    const { inputs, failures } = world.shares.check({ news, origin, olds: {} });
    expect(failures).toEqual([]);
    return inputs as ShareInputs;
  }

  describe("removing a key of a set", () => {
    it("is an update in place, and a preview knows the outputs of the others", async () => {
      const set = await deployed({ web: port(443), db: port(5432) });
      const { inputs } = check(declared({ web: port(443) }), set.outputs);
      expect(await world.sets.diff("services", set.outputs, inputs, world.within(60))).toMatchObject({
        ...{ changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true },
      });
      const id = set.outputs.ids["web"];
      expect(world.sets.knownOutputs(inputs, set.outputs)).toMatchObject({
        ...{ ids: { web: id }, shares: { web: { id, status: "DEPLOYED", locationId: "loc-1" } }, status: "DEPLOYED" },
      });
    });

    it("deletes its share after all other writes", async () => {
      const set = await deployed({ gone: port(22), web: port(443), db: port(5432) });
      const { ids } = set.outputs;
      const { writes, error } = await set.up(declared({ web: port(444), db: port(5433), api: port(8443) }));
      expect(error).toBeUndefined();
      expect(kinds(writes)).toEqual([
        `DELETE/${ids["gone"]}`,
        ...["web", "db"].map((key) => `PATCH/${ids[key]}`),
        "POST",
      ]);
      expect(writes.at(-1)).toBe(`DELETE /ipsec-shares/${ids["gone"]}`);
      expect(Object.keys(set.outputs.ids)).toEqual(["web", "db", "api"]);
    });

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

  describe("a key with retain", () => {
    const retained = port(443, { retain: true });
    const db = port(5432);

    it("leaves its share at the service when it is removed, and one line says so with the id", async () => {
      const set = await deployed({ web: retained, db });
      const id = set.outputs.ids["web"] ?? "";
      expect(await set.up(declared({ db }))).toEqual({ writes: [], error: undefined });
      expect(Object.keys(set.outputs.ids)).toEqual(["db"]);
      expect(live()).toMatchObject({ "office-test-services-web": 443 });
      expect(world.said).toEqual([expect.stringMatching(`shares\\["web"\\] \\(${id}\\) .*\\[retained\\]$`)]);
      const single = await world.shares.create(adopter(id), derived, world.within(900));
      expect([single.id, world.writes()]).toEqual([id, []]);
    });

    it("is true or false, and never sent to the service", async () => {
      const { failures } = check(declared({ web: port(443, { retain: "yes" }) }));
      expect(failures).toEqual([{ property: 'shares["web"].retain', reason: "must be true or false", value: "yes" }]);
      await deployed({ web: retained });
      expect(world.emulator.shares()).toEqual([expect.not.objectContaining({ retain: true })]);
    });
  });

  describe("what a set has", () => {
    it("reports the creation record of a key that it no longer has, once, whether the key was in the state or not", async () => {
      const named = () => world.said.filter((line) => line.includes("[stale-creation-record]"));
      const first = check(declared({ db: port(5432) })).inputs;
      await world.interrupted(() => world.sets.create(first, chosen, world.within(900)));
      const set = stack();
      await set.up(declared({ web: port(443) }));
      expect(named()).toEqual([expect.stringContaining('shares["db"]')]);

      world.nextRun();
      const more = check(declared({ web: port(443), api: port(8443) })).inputs;
      await world.interrupted(() => world.sets.update("services", set.outputs, more, world.within(900)));
      for (const again of [1, 2]) {
        expect([again, (await set.up(declared({ web: port(443) }))).writes]).toEqual([again, []]);
        expect(named().slice(1)).toEqual([expect.stringContaining('shares["api"]')]);
      }
    });

    it("loses nothing if --replace creates a set beside itself: the error says what to adopt, and with adopt each share stays", async () => {
      const set = await deployed({ web: port(443), db: port(5432) });
      const { web = "", db = "" } = set.outputs.ids;
      // With --replace the engine gives check no old inputs, and asks for no diff.
      const created = (shares: Shares) => {
        world.nextRun();
        world.calls();
        return world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
      };
      // No key begins: the new set would stay half made beside the old one.
      const more = { db: port(5432, { target: "other:1" }), api: port(8443) };
      const error = await created({ web: port(443), ...more }).catch((thrown: unknown) => (thrown as Error).message);
      expect(error).toMatch(
        /shares\["web"\]: .*\[identical-exists\]; shares\["db"\]: .*\[port-in-use\]\. .*\[set-incomplete\]$/,
      );
      const said = world.said.join("\n");
      expect(said).toContain(`adopt: "${web}"\` in the arguments. [identical-exists]`);
      expect(said).toContain(`adopt: "${db}"\` in the arguments. [port-in-use]`);
      await expect(created({ web: port(443, { adopt: web }), db: port(5432) })).rejects.toThrow("shares[");
      expect(Object.values(live()).sort()).toEqual([443, 5432]);
      const adopting = { web: port(443, { adopt: web }), db: port(5432, { adopt: db }), api: port(8443) };
      expect((await created(adopting)).outputs.ids).toMatchObject({ web, db });
      await world.sets.delete("services", set.outputs, world.within(900));
      expect(world.writes()).toEqual([expect.stringMatching(/^POST/)]);
      expect(Object.values(live()).sort()).toEqual([443, 5432, 8443]);
    });
  });
});

describe("the check of a set", () => {
  const tunnelId = "tnl-1";

  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });

  const declared = (shares: Shares, more: object = {}): Declared => declaredOn(tunnelId, shares, more);
  const check = (news: Declared, olds: object = {}) => checkedIn(world, news, olds);
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

  it("names what was meant by a misspelt input of a share, and only what a share of a set takes", () => {
    const misspelt = { tagret: "web.internal:443", ingressPort: 443, retian: true, colour: "red" };
    const told = failures(declared({ web: misspelt }));
    for (const [name, action] of [
      ["tagret", "Write target instead."],
      ["retian", "Write retain instead."],
      ["colour", "Use one of: envZId, envId, target, ingressPort, name, locationId, adopt, retain."],
    ])
      expect(told).toContainEqual(
        `shares["web"].${name} is not an argument of a share of IpsecShareSet. ${action} [unknown-input]`,
      );
    expect(told.filter((line) => line.includes("ipsecTunnelId"))).toEqual([]);
  });

  it("refuses two on one port, and too many", () => {
    expect(failures(declared({ web: port(443), db: port(443, { target: "db:1" }) }))).toEqual([
      expect.stringMatching(/^shares\["db"\].ingressPort is also the port of shares\["web"\]\. .*\[port-twice\]/),
    ]);
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`s${at}`, port(at + 1)]));
    expect(failures(declared(many))).toEqual([expect.stringMatching(/^shares must be shares by key, at most 5000/)]);
  });

  it("accepts a set without shares, on the front door of the configuration", () => {
    expect(check(declared({}))).toMatchObject({ inputs: { shares: {}, frontdoorId: "fd-1" }, failures: [] });
  });

  it("refuses the port of another set or share of the program, once", () => {
    expect(failures(declared({ web: port(443) }))).toEqual([]);
    const { failures: problems } = checkedIn(world, declared({ a: port(443), b: port(444), c: port(444) }), {}, "more");
    expect(problems.map(({ property, reason }) => `${property} ${reason}`)).toEqual([
      'shares["a"].ingressPort is also the port of share "services["web"]" on the same tunnel. Give one of the two shares another port. [port-twice]',
      'shares["c"].ingressPort is also the port of shares["b"]. Give one of the two shares another port. [port-twice]',
    ]);
    expect(failures(declaredOn("tnl-2", { web: port(443) }))).toEqual([]);
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::single";
    const single = { ...port(443), ipsecTunnelId: tunnelId, envZId: "env-1" };
    expect(world.shares.check({ news: single, olds: {}, origin }).failures).toMatchObject([
      { property: "ingressPort" },
    ]);
  });

  it("asks for an environment where neither the set nor the share has one", () => {
    expect(failures({ ipsecTunnelId: tunnelId, shares: { web: port(443) } })).toEqual([
      expect.stringMatching(/^shares\["web"\].envZId is required: .* here or as envId/),
    ]);
  });

  it("lets unknown values pass, wherever they are", () => {
    expect(failures(declared({ web: { target: UNKNOWN, ingressPort: UNKNOWN }, db: UNKNOWN as never }))).toEqual([]);
    expect(failures({ ...declared({}), shares: UNKNOWN as never })).toEqual([]);
  });

  it("keeps the names that the state has, whatever the set is called now", () => {
    const { inputs } = check(declared({ web: port(443) }), {
      name: "office-test-old",
      frontdoorId: "fd-1",
      shares: { web: { name: "office-test-old-web", __defaults: ["name"] } },
    });
    expect(inputs).toMatchObject({ name: "office-test-old", shares: { web: { name: "office-test-old-web" } } });
  });

  it("refuses the name of another resource of the program", () => {
    const shares = { web: port(443, { name: "one" }), db: port(2, { name: "one" }) };
    expect(failures(declared(shares))).toEqual([
      expect.stringMatching(/^shares\["db"\].name .*"services\["web"\]" and "services\["db"\]".*\[name-twice\]$/),
    ]);
  });
});
