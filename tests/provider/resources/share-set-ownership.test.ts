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

  it("is deleted with its key if the program is reverted after a failed move into the set; the single share is then created again", async () => {
    const news = { ...shareInputs(tunnelId), name: "alone", ingressPort: 1 };
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::alone";
    const single = await world.shares.create(news, chosen, world.within(900));
    const set = stack();
    await set.up(declared({ db: port(5432), own: { target: news.target, ingressPort: 1, adopt: single.id } }));
    expect((await set.up(declared({ db: port(5432) }))).writes).toEqual([`DELETE /ipsec-shares/${single.id}`]);
    const { inputs } = world.shares.check({ news, origin, olds: { ...news } });
    const diff = world.shares.diff(single.id, single.outputs, inputs, world.within(60));
    expect(await diff).toMatchObject({ changes: true, replaces: ["status"] });
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

    // Its key retains it, and the single share is declared only after the set has let it go.
    const retained = { ...shares, web: { ...shares.web, retain: true } };
    expect((await set.up(declared(retained))).writes).toEqual([]);
    expect((await set.up(declared({ db: port(5432) }))).writes).toEqual([]);
    const own = { ...shareInputs(tunnelId), adopt: single.id };
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
    const { inputs } = world.shares.check({ news: own, origin, olds: {} });
    await world.shares.create(inputs as typeof own, derived, world.within(900));
    expect([live()["web"], world.writes()]).toEqual([443, []]);
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
    const refused = world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
    await expect(refused).rejects.toThrow('shares["web"]');
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

  it("loses nothing beside itself, as with --replace: shares that stay are refused, or adopted", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    const { outputs } = set;
    const { web = "", db = "" } = outputs.ids;
    // With --replace the engine gives check no old inputs, and asks for no diff.
    const besideItself = async (shares: Shares) => {
      world.nextRun();
      world.calls();
      const made = await world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
      await world.sets.delete("services", outputs, world.within(900));
      return { ids: made.outputs.ids, error: made.unfinished, writes: world.writes() };
    };
    world.nextRun();
    const refused = world.sets.create(
      check(declared({ web: port(443), db: port(5432, { target: "other:1" }) })).inputs,
      derived,
      world.within(900),
    );
    const error = await refused.catch((thrown: unknown) => (thrown as Error).message);
    expect(error).toContain(`shares["web"]: IPsec share "office-test-services-web": ${web} is exactly like it`);
    expect(error).toContain(
      `port 5432 of tunnel ${tunnelId} is used by share "office-test-services-db" (${db}). This share was not changed. ` +
        `To go on with that share, set adopt: "${db}" in this share's arguments. [port-in-use]`,
    );
    // Nor is a key begun that could be created, or an adoption: the new set would stay half made beside the old one.
    const edits: Shares[] = [{ api: port(8443) }, { web: port(443, { adopt: web }) }];
    for (const edit of edits) {
      world.nextRun();
      world.calls();
      const half = check(declared({ web: port(443), db: port(5432), ...edit })).inputs;
      await expect(world.sets.create(half, derived, world.within(900))).rejects.toThrow("shares[");
      expect(world.emulator.shares()).toHaveLength(2);
    }
    expect(Object.values(live()).sort()).toEqual([443, 5432]);
    const whole = { web: port(443, { adopt: web }), db: port(5432, { adopt: db }), api: port(8443) };
    expect(await besideItself(whole)).toMatchObject({
      ...{ error: undefined, writes: [expect.stringMatching(/^POST/)], ids: { web, db } },
    });
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
