import { UNKNOWN } from "../../../provider/fields/field";
import { SetEngine } from "../set-engine";
import { chosen, derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";
import { checkedIn, type Declared, declaredOn, port, type Shares } from "./set-program";

let world: World;
let tunnelId: string;

const open = async (...settings: Parameters<typeof openWorld>) => {
  world = await openWorld(...settings);
  tunnelId = (await world.tunnels.create(tunnelInputs, chosen, world.within(900))).id;
  world.calls();
};

const declared = (shares: Shares, more: object = {}): Declared => declaredOn(tunnelId, shares, more);
const check = (news: Declared, olds: object = {}) => checkedIn(world, news, olds);

/** What a program does with a set from one run to the next. */
class Stack {
  private readonly engine = new SetEngine();

  /** What came of it: the writes in the order sent, or what is not as declared. */
  async up(news: Declared): Promise<{ writes: string[]; error?: string | undefined }> {
    world.nextRun();
    world.calls();
    const checked = (olds: object) => {
      const { inputs, failures } = check(news, olds);
      expect(failures).toEqual([]);
      return inputs;
    };
    const made = await this.engine.up(world, checked, 900);
    if (!made.unfinished) await this.engine.deleteReplaced(world, 900);
    world.emulator.clock.advance(60_000);
    return { writes: world.writes(), error: made.unfinished?.message };
  }

  async refresh(): Promise<void> {
    world.nextRun();
    const { id, inputs, outputs } = this.made;
    const read = await world.sets.read(id, outputs, world.within(900));
    this.engine.state = read && { id, inputs, outputs: read };
  }

  async destroy(): Promise<string[]> {
    world.nextRun();
    world.calls();
    await world.sets.delete(this.made.id, this.outputs, world.within(900));
    return world.writes();
  }

  get outputs() {
    return this.made.outputs;
  }

  get exists() {
    return this.engine.state !== undefined;
  }

  private get made() {
    const { state } = this.engine;
    if (!state) throw new Error("there is no set");
    return state;
  }
}

const stack = () => new Stack();
const kinds = (writes: string[]) =>
  writes.map((line) => line.replace(/ \{.*/, "").replace(/ \/ipsec-shares/, "")).sort();
const live = () =>
  Object.fromEntries(
    world.emulator.shares().flatMap((each) => (each.status === "DELETED" ? [] : [[each.name, each.ingressPort]])),
  );

afterEach(() => world.close());

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

  it("does by key what differs: a POST, a DELETE, a PATCH of what changed, and a PUT where a field is cleared", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432), old: port(22), loc: port(99, { locationId: "loc-9" }) }));
    const { ids } = set.outputs;
    const { writes, error } = await set.up(declared({ web: port(443), db: port(5433), new: port(23), loc: port(99) }));
    expect(error).toBeUndefined();
    expect(kinds(writes)).toEqual([`DELETE/${ids["old"]}`, `PATCH/${ids["db"]}`, "POST", `PUT/${ids["loc"]}`]);
    expect(writes.find((line) => line.startsWith("PATCH"))).toBe(
      `PATCH /ipsec-shares/${ids["db"]} {"target":"host-5433.internal:443","ingressPort":5433}`,
    );
    expect(Object.keys(set.outputs.shares)).toEqual(["web", "db", "new", "loc"]);
  });

  it("takes a change of what all share to each that has none of its own", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432, { envZId: "env-2" }) }));
    const { writes } = await set.up(
      declared({ web: port(443), db: port(5432, { envZId: "env-2" }) }, { envZId: "env-3" }),
    );
    expect(writes).toEqual([`PATCH /ipsec-shares/${set.outputs.ids["web"]} {"envZId":"env-3"}`]);
  });

  it("lets ports change places, in a circle by way of a free one", async () => {
    const set = stack();
    await set.up(declared({ a: port(1), b: port(2), c: port(3), d: port(4), e: port(5) }));
    const at = (ingressPort: number) => ({ target: "x:1", ingressPort });
    // a, b and c in a circle; d to where e is, which goes to a free port until it is deleted; f to where d was.
    const edit = { a: at(2), b: at(3), c: at(1), d: at(5), f: at(4) };
    const { writes, error } = await set.up(declared(edit));
    expect(error).toBeUndefined();
    const methods = kinds(writes).map((line) => line.replace(/\/.*/, ""));
    expect(methods).toEqual(["DELETE", ...Array<string>(6).fill("PATCH"), "POST"]);
    expect(live()).toMatchObject({
      "office-test-services-a": 2,
      "office-test-services-b": 3,
      "office-test-services-c": 1,
    });
    expect(live()).toMatchObject({ "office-test-services-d": 5, "office-test-services-f": 4 });
    expect((await set.up(declared(edit))).writes).toEqual([]);
  });

  it("keeps what is done where some fail, and does the rest in the next run", async () => {
    const set = stack();
    const other = { ...shareInputs(tunnelId), name: "strange", ingressPort: 80 };
    await world.shares.create(other, chosen, world.within(900));
    const shares = { web: port(443), taken: port(80), db: port(5432) };
    const first = await set.up(declared(shares));
    expect(first.error).toMatch(
      /^IPsec share set "office-test-services": 1 of 3 shares are not as declared: shares\["taken"\]: .*port 80/,
    );
    expect(Object.keys(set.outputs.ids)).toEqual(["web", "db"]);
    expect(kinds((await set.up(declared({ ...shares, taken: port(81) }))).writes)).toEqual(["POST"]);
    expect(set.outputs.status).toBe("DEPLOYED");
  });

  it("names ten of those that fail, and how many more", async () => {
    world.emulator.faults.answerNext({
      method: "POST",
      status: 403,
      body: { error: "forbidden", message: "no" },
      times: 12,
    });
    const shares = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`s${at}`, port(at + 1)]));
    await expect(stack().up(declared(shares))).rejects.toThrow(
      /12 of 12 shares are not.*shares\["s9"\].*; and 2 more; /,
    );
    expect(live()).toEqual({});
  });

  it("heals one in ERROR by a PUT in the next run, and makes anew what has gone", async () => {
    const set = stack();
    const shares = { web: port(443), db: port(5432) };
    world.emulator.faults.failNext({ kind: "share", op: "create" });
    expect((await set.up(declared(shares))).error).toMatch(/1 of 2 shares/);
    const broken = Object.entries(set.outputs.shares).find(([, { status }]) => status === "ERROR")?.[1].id ?? "";
    expect(kinds((await set.up(declared(shares))).writes)).toEqual([`PUT/${broken}`]);
    world.emulator.removeShare(broken);
    await set.refresh();
    expect(kinds((await set.up(declared(shares))).writes)).toEqual(["POST"]);
  });

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

  it("goes whole: what is gone already is no hindrance", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    world.emulator.removeShare(set.outputs.ids["web"] ?? "");
    expect(kinds(await set.destroy())).toHaveLength(2);
    expect(live()).toEqual({});
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

  it("is imported by its tunnel and a pattern of names, and needs nothing then", async () => {
    const set = stack();
    await set.up(declared({ "web-a": port(1), "web-b": port(2), db: port(3, { locationId: "loc-1" }) }));
    world.nextRun();
    const { id, olds } = world.sets.imported(`tunnel/${tunnelId}/*-web-*`);
    const outputs = await world.sets.read(id, olds, world.within(900));
    expect(Object.keys(outputs?.ids ?? {})).toEqual(["office-test-services-web-a", "office-test-services-web-b"]);
    const all = world.sets.imported(`fd-1/tunnel/${tunnelId}`);
    const whole = await world.sets.read(all.id, all.olds, world.within(900));
    const inputs = whole && (world.sets.inputsOf(whole) as Declared);
    expect(Object.keys(inputs?.shares ?? {})).toHaveLength(3);
    const checked = check(inputs ?? declared({}), inputs);
    expect(checked.failures).toEqual([]);
    if (whole)
      expect(await world.sets.diff(id, whole, checked.inputs, world.within(60))).toMatchObject({ changes: false });
    for (const wrong of ["tnl-1", "tunnel/", "tunnel/tnl-1/web/more", "a/b/c", "tunnel/tnl-1/we b"])
      expect(() => world.sets.imported(wrong)).toThrow("the id of a set is tunnel/<tunnelId>");
  });

  it("moves to another tunnel by PATCHes, and is replaced where its tunnel is not known before the run", async () => {
    const set = stack();
    await set.up(declared({ web: port(443), db: port(5432) }));
    const { inputs } = check({ ...declared({ web: port(443) }), ipsecTunnelId: UNKNOWN });
    const diff = await world.sets.diff("services", set.outputs, inputs, world.within(60));
    expect(diff).toMatchObject({ changes: true });
    world.emulator.seedTunnel({ ...tunnelInputs, locationId: "loc-7" });
    const other = world.emulator.tunnels().find(({ id }) => id !== tunnelId)?.id ?? "";
    const { writes } = await set.up(declared({ web: port(443), db: port(5432) }, { ipsecTunnelId: other }));
    expect(writes.map((line) => line.replace(/.*? \{/, "{"))).toEqual([
      `{"ipsecTunnelId":"${other}"}`,
      `{"ipsecTunnelId":"${other}"}`,
    ]);
  });
});

it("takes as long to send as it says beforehand, at the ceiling that is the default", async () => {
  await open({ provisionMs: 2_000 }, undefined, () => ({ "frontdoor:requestsPerSecond": "20" }));
  const shares = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`s${at}`, port(at + 1)]));
  await world.sets.create(check(declared(shares)).inputs, derived, world.within(900));
  const postedMs = world.emulator.requests.flatMap(({ method, path, at }) =>
    method === "POST" && path === "/ipsec-shares" ? [at] : [],
  );
  const [line = ""] = world.said;
  const saidSeconds = Number(/about (\d+) s/.exec(line)?.[1]);
  const seenSeconds = (Math.max(...postedMs) - Math.min(...postedMs)) / 1000;
  expect(Math.abs(saidSeconds / seenSeconds - 1)).toBeLessThanOrEqual(0.1);
});

it("is given the time in which the ceiling lets all be sent", async () => {
  await open({}, undefined, () => ({ "frontdoor:requestsPerSecond": "20" }));
  const shares = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`s${at}`, port(at + 1)]));
  expect(world.sets.timeoutsOf(check(declared(shares)).inputs)).toEqual({ create: 1000, update: 1000, delete: 1000 });
});
