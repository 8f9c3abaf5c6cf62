import { chosen, derived, shareInputs, type World } from "../world";
import { checkedIn, kinds, openWithTunnel, port, programOf, type Shares } from "./set-program";

let world: World;
let tunnelId: string;

beforeEach(async () => {
  [world, tunnelId] = await openWithTunnel();
});
afterEach(() => world.close());

const { declared, check, stack, live } = programOf(() => [world, tunnelId]);

describe("what a set has", () => {
  it("gives a share that has left it back to its key until the engine has deleted that", async () => {
    const set = stack();
    const [web, db, api] = [port(443), port(5432), port(8443)];
    await set.up(declared({ web, db }));
    const id = set.outputs.ids["web"];
    const failing = async (shares: Shares) => {
      world.emulator.faults.failNext({ kind: "share", op: "create" });
      expect((await set.up(declared(shares))).error).toContain("1 of 2 shares");
    };
    await failing({ db, api });
    expect((await set.up(declared({ web, db, api }))).writes).toEqual([expect.stringMatching(/^PUT/)]);
    expect(set.outputs.ids).toMatchObject({ web: id });
    await set.up(declared({ web, db }));
    await failing({ db, api });
    const { error = "" } = await set.up(declared({ db, api, other: port(443) }));
    expect(error).toContain(`(${id}, DEPLOYED): it has left its set in a run that failed`);
    expect(kinds((await set.up(declared({ db, api }))).writes)).toEqual([`DELETE/${id}`]);
    expect((await set.up(declared({ db, api, other: port(443) }))).error).toBeUndefined();
  });

  it("keeps a share that has left it on its port until then, and what there is on its own", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    const inputs = { ...shareInputs(tunnelId), ingressPort: 25 };
    const { id, outputs } = await world.shares.create(inputs, chosen, world.within(900));
    world.emulator.faults.failNext({ kind: "share", op: "create" });
    await set.up(declared({ db: port(5432), api: port(8443) }));
    const moved = world.shares.update(id, outputs, { ...inputs, ingressPort: 443 }, world.within(900));
    await expect(moved).rejects.toThrow('let what is to have its port keep its own for one "up"');
  });

  it("is as it declares once what a run that failed has given to another set is taken back", async () => {
    const set = stack();
    const shares = { web: port(443), db: port(5432) };
    await set.up(declared(shares));
    const { web, db } = set.outputs.ids;
    world.nextRun();
    const taken = { w: port(443, { target: "other:1", adopt: web }), d: port(5432, { adopt: db }) };
    const { inputs } = checkedIn(world, declared(taken), {}, "others");
    const others = await world.sets.create(inputs, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    expect((await set.up(declared(shares))).writes).toEqual([]);
    await world.sets.delete(others.id, others.outputs, world.within(900));
    expect(kinds(world.writes())).toEqual([`PATCH/${web}`]);
    expect(world.emulator.shares()).toMatchObject(Object.values(shares));
    expect(await set.up(declared(shares))).toEqual({ writes: [], error: undefined });
  });

  it("takes over what an interrupted run began of it", async () => {
    const shares = { web: port(443) };
    await world.interrupted(() => world.sets.create(check(declared(shares)).inputs, chosen, world.within(900)));
    const set = stack();
    expect((await set.up(declared(shares))).writes).toEqual([]);
    expect(world.said).toEqual([expect.stringContaining("took over")]);
    expect(world.emulator.shares()).toHaveLength(1);
  });

  it("takes over what is done of it where the run ends before all of it is: the engine was told of nothing", async () => {
    const shares = { web: port(443), db: port(5432) };
    world.emulator.faults.stickNext({ kind: "share", op: "create" });
    void world.sets.create(check(declared(shares)).inputs, chosen, world.within(900));
    await world.clock.sleep(120_000);
    expect(world.emulator.shares().filter(({ status }) => status === "DEPLOYED")).toHaveLength(1);
    // A second Ctrl-C.
    world.nextRun("in order");
    for (const { id } of world.emulator.shares()) world.emulator.setStatus(id, "DEPLOYED");
    const set = stack();
    expect(await set.up(declared(shares))).toEqual({ writes: [], error: undefined });
    expect(Object.keys(set.outputs.ids)).toEqual(["web", "db"]);
  });

  it("names what an interrupted run began under a key that it no longer has, whether it was in the state or not", async () => {
    const named = () => world.said.filter((line) => line.includes("which the program no longer asks for"));
    const first = check(declared({ db: port(5432) })).inputs;
    await world.interrupted(() => world.sets.create(first, chosen, world.within(900)));
    const set = stack();
    await set.up(declared({ web: port(443) }));
    expect(named()).toEqual([expect.stringContaining("an interrupted run began shr-1, ")]);

    world.nextRun();
    const more = check(declared({ web: port(443), api: port(8443) })).inputs;
    await world.interrupted(() => world.sets.update("services", set.outputs, more, world.within(900)));
    const added = world.emulator.shares().find(({ ingressPort }) => ingressPort === 8443)?.id ?? "none";
    for (const again of [1, 2]) {
      expect([again, (await set.up(declared({ web: port(443) }))).writes]).toEqual([again, []]);
      expect(named().slice(1)).toEqual([expect.stringContaining(`an interrupted run began ${added}, `)]);
    }
  });

  it.each(["update", "delete"] as const)(
    "makes anew what is gone of it where its %s was cut off after that",
    async (cutOff) => {
      const set = stack();
      const shares = { web: port(443), db: port(5432), api: port(8443) };
      await set.up(declared(shares));
      world.nextRun();
      world.emulator.faults.stickNext({ kind: "share", op: "delete" });
      const until = world.within(900);
      const { inputs } = check(declared({ api: port(8443) }), {});
      void (cutOff === "update"
        ? world.sets.update("services", set.outputs, inputs, until)
        : world.sets.delete("services", set.outputs, until));
      await world.clock.sleep(120_000);
      world.nextRun("in order");
      for (const { id, status } of world.emulator.shares())
        if (status === "DELETING") world.emulator.setStatus(id, "DELETED");
      world.emulator.clock.advance(60_000);
      expect((await set.up(declared(shares))).error).toBeUndefined();
      expect(Object.values(live()).sort()).toEqual([443, 5432, 8443]);
    },
  );

  it("takes over single shares by key, and lets them go again, without a write", async () => {
    const single = await world.shares.create(shareInputs(tunnelId), derived, world.within(900));
    world.emulator.clock.advance(60_000);
    const set = stack();
    const { target, ingressPort } = shareInputs(tunnelId);
    const shares = { web: { target, ingressPort, adopt: single.id }, db: port(5432) };
    expect(kinds((await set.up(declared(shares))).writes)).toEqual(["POST"]);
    await world.shares.delete(single.id, single.outputs, world.within(900));
    expect(live()).toMatchObject({ web: 443 });
    expect((await set.up(declared(shares))).writes).toEqual([]);

    // Declared only after the set has let it go.
    world.nextRun();
    const old = set.outputs;
    const edit = declared({ db: port(5432) });
    const until = world.within(900);
    expect(await world.sets.diff("services", old, check(edit, old).inputs, until)).toMatchObject({
      ...{ replaces: ['shares["web"]'], deleteBeforeReplace: false },
    });
    const made = await world.sets.create(check(edit).inputs, chosen, until);
    expect(Object.keys(made.outputs.shares)).toEqual(["db"]);
    await world.clock.sleep(60_000);
    const own = { ...shareInputs(tunnelId), adopt: single.id };
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
    const { inputs } = world.shares.check({ news: own, origin, olds: {} });
    await world.shares.create(inputs as typeof own, derived, until);
    await world.sets.delete("services", old, until);
    expect(live()).toMatchObject({ web: 443 });
  });

  it("lets shares that it adopts change ports with one another and with its own, in the edit that adopts them", async () => {
    const single = async (name: string, ingressPort: number) => {
      const inputs = { ...shareInputs(tunnelId), name, ingressPort };
      return (await world.shares.create(inputs, chosen, world.within(900))).id;
    };
    const [a, b, c, d] = [await single("a", 1), await single("b", 2), await single("c", 3), await single("d", 4)];
    world.emulator.clock.advance(60_000);
    const set = stack();
    // a and b change places, c goes to where nobody is, and a new one to where c was.
    const [one, two] = [port(2, { adopt: a }), port(1, { adopt: b })];
    const adopted = { one, two, three: port(9, { adopt: c }), four: port(3) };
    const { error, writes } = await set.up(declared(adopted));
    expect(error).toBeUndefined();
    expect(kinds(writes).map((line) => line.replace(/\/.*/, ""))).toEqual([...Array<string>(4).fill("PATCH"), "POST"]);
    expect(live()).toMatchObject({ a: 2, b: 1, c: 9, d: 4 });
    const whole = { ...adopted, one: port(4), five: port(2, { adopt: d }) };
    expect((await set.up(declared(whole))).error).toBeUndefined();
    expect(live()).toMatchObject({ a: 4, b: 1, c: 9, d: 2 });
    expect((await set.up(declared(whole))).writes).toEqual([]);
  });

  it("holds what it is to adopt, also where another of its shares can't be made", async () => {
    const set = stack();
    await set.up(declared({ web: port(443) }));
    const single = await world.shares.create(
      { ...shareInputs(tunnelId), name: "alone", ingressPort: 1 },
      chosen,
      world.within(900),
    );
    world.nextRun();
    const shares = { web: port(443), own: port(1, { adopt: single.id }) };
    const made = world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
    await expect(made).rejects.toThrow('shares["web"]');
    await world.shares.delete(single.id, single.outputs, world.within(900));
    expect(live()).toMatchObject({ alone: 1 });
  });

  it("does not let a key take the share of another that stays", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    const adopt = set.outputs.ids["web"];
    await expect(set.up(declared({ web: port(8443), db: port(5432), api: port(443, { adopt }) }))).rejects.toThrow(
      `is the id of "services["api"]" and of "services["web"]" of this program: a resource can be declared once`,
    );
    expect(Object.values(live()).sort()).toEqual([443, 5432]);
    expect((await set.up(declared({ db: port(5432), api: port(443, { adopt }) }))).writes).toEqual([]);
  });

  it("begins nothing beside itself where it can't be made whole: the old one goes on, with a key that comes and with adopt", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    const adopt = set.outputs.ids["web"];
    const besideItself = async (shares: Shares) => {
      world.nextRun();
      world.calls();
      // With --replace the engine gives check no old inputs, and asks for no diff.
      const made = world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
      const error = await made.then(
        () => undefined,
        (thrown: unknown) => (thrown as Error).message,
      );
      return { error, writes: world.writes() };
    };
    const api = port(8443);
    for (const web of [port(443), port(443, { target: "other:1" }), port(443, { adopt })]) {
      const { error, writes } = await besideItself({ web, db: port(5432), api });
      // What is not exactly alike the service is asked for, and refuses.
      expect(writes.filter((line) => !line.endsWith('"target":"other:1","ingressPort":443}'))).toEqual([]);
      expect(error).toContain('shares["db"]');
      expect(error).toContain("deleteBeforeReplace: true");
    }
    expect(Object.values(live()).sort()).toEqual([443, 5432]);
    const whole = { web: port(443, { adopt }), db: port(5432, { adopt: set.outputs.ids["db"] }), api };
    expect(await besideItself(whole)).toMatchObject({ error: undefined, writes: [expect.stringMatching(/^POST/)] });
    expect(Object.values(live()).sort()).toEqual([443, 5432, 8443]);
  });

  it("holds what stays in it, also where its update does not come to it", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    const { outputs } = set;
    world.emulator.faults.answerNext({ method: "PATCH", status: 403 });
    const { error = "" } = await set.up(declared({ web: port(5432), db: port(5433) }));
    expect(error).toContain(`shares["web"]: port 5432 is still that of shares["db"]`);
    await world.sets.delete("services", outputs, world.within(900));
    expect(Object.values(live()).sort()).toEqual([443, 5432]);
  });

  it("goes whole where the engine replaces it for a change of one share: no diff holds what is only a part", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    world.nextRun();
    const edit = declared({ web: port(443, { target: "other:1" }), db: port(5432) });
    const until = world.within(900);
    const { inputs } = check(edit, set.outputs);
    expect(await world.sets.diff("services", set.outputs, inputs, until)).toMatchObject({
      ...{ changes: true, replaces: [], deleteBeforeReplace: true },
    });
    await world.sets.delete("services", set.outputs, until);
    expect(live()).toEqual({});
    world.calls();
    await world.sets.create(check(edit).inputs, derived, until);
    expect(kinds(world.writes())).toEqual(["POST", "POST"]);
  });
});
