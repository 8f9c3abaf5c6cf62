import { UNKNOWN } from "../../../provider/fields/field";
import type { ShareInputs } from "../../../provider/resources/share-inputs";
import { derived, shareInputs, type World } from "../world";
import { kinds, openWithTunnel, port, programOf, type Shares } from "./set-program";

let world: World;
let tunnelId: string;

beforeEach(async () => {
  [world, tunnelId] = await openWithTunnel();
});
afterEach(() => world.close());

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

/** One update without its diff, in the run that is under way. */
const updated = (set: ReturnType<typeof stack>, shares: Shares) =>
  world.sets.update("services", set.outputs, check(declared(shares), set.outputs).inputs, world.within(900));

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

  it("deletes its share first if another key needs the port", async () => {
    const set = await deployed({ gone: port(443), db: port(5432) });
    const id = set.outputs.ids["gone"] ?? "";
    const { writes, error } = await set.up(declared({ db: port(5432), web: port(443) }));
    expect(error).toBeUndefined();
    expect(writes).toEqual([`DELETE /ipsec-shares/${id}`, expect.stringMatching(/^POST/)]);
  });

  it("keeps the key with its id if the delete fails, names it, and tries again in the next run", async () => {
    const set = await deployed({ gone: port(22), web: port(443), db: port(5432) });
    const { gone = "", db } = set.outputs.ids;
    const edit = declared({ web: port(443), db: port(5433) });
    world.emulator.faults.answerNext({ method: "DELETE", status: 403 });
    const first = await set.up(edit);
    expect(first.error).toContain(`1 of 2 shares are not as declared: shares["gone"]: `);
    expect(kinds(first.writes)).toEqual([`DELETE/${gone}`, `PATCH/${db}`]);
    expect(set.outputs.ids).toMatchObject({ gone });
    expect(await set.up(edit)).toEqual({ error: undefined, writes: [`DELETE /ipsec-shares/${gone}`] });
    expect(Object.keys(set.outputs.ids)).toEqual(["web", "db"]);
  });

  it("deletes nothing after a failed write, so that a key which comes back has its share again", async () => {
    const [web, db, api] = [port(443), port(5432), port(8443)];
    const set = await deployed({ web, db });
    const id = set.outputs.ids["web"];
    world.emulator.faults.failNext({ kind: "share", op: "create" });
    expect((await set.up(declared({ db, api }))).error).toContain("1 of 2 shares are not as declared");
    expect(set.outputs.ids).toMatchObject({ web: id });
    expect((await set.up(declared({ web, db, api }))).writes).toEqual([expect.stringMatching(/^PUT/)]);
    expect(kinds((await set.up(declared({ db, api }))).writes)).toEqual([`DELETE/${id}`]);
  });

  it("takes no share that its state does not hold, whatever its name and port are", async () => {
    const set = await deployed({ web: port(443), db: port(5432) });
    const id = set.outputs.ids["web"] ?? "";
    world.emulator.removeShare(id);
    world.emulator.seedShare({ name: "office-test-services-web", ipsecTunnelId: tunnelId, ...port(443) });
    expect((await set.up(declared({ db: port(5432) }))).error).toBeUndefined();
    expect(live()).toMatchObject({ "office-test-services-web": 443 });
  });

  it("needs no replacement in the preview of a tunnel that moves, but goes with a tunnel that is replaced delete-first", async () => {
    const set = await deployed({ web: port(443), db: port(5432) });
    world.service.frontDoor("fd-1").tunnels.claims.noteReplaced(tunnelId, "new first");
    const until = world.within(60);
    const edit = { ...declared({ web: port(443) }), ipsecTunnelId: UNKNOWN };
    const preview = world.sets.diff("services", set.outputs, check(edit, set.outputs).inputs, until);
    expect(await preview).toMatchObject({ changes: true, replaces: [] });
    world.nextRun();
    const { inputs } = check(declared({ web: port(443) }), set.outputs);
    world.nextRun();
    const asked = world.sets.diff("services", set.outputs, { ...inputs, ipsecTunnelId: UNKNOWN } as never, until);
    expect(await asked).toMatchObject({ replaces: ["ipsecTunnelId"] });
    await world.sets.delete("services", set.outputs, world.within(900));
    expect(live()).toEqual({});
  });
});

describe("a key with retain", () => {
  const web = port(443);
  const retained = port(443, { retain: true });
  const db = port(5432);

  it("is set and unset without a write, and only the state changes", async () => {
    const set = await deployed({ web, db });
    for (const each of [retained, web, retained, port(443, { retain: false })]) {
      const { inputs } = check(declared({ web: each, db }), set.outputs);
      const diff = world.sets.diff("services", set.outputs, inputs, world.within(60));
      expect(await diff).toMatchObject({ changes: true, isOfInputs: true, replaces: [] });
      expect(await set.up(declared({ web: each, db }))).toEqual({ writes: [], error: undefined });
    }
    const { inputs } = check(declared({ web, db }), set.outputs);
    const diff = world.sets.diff("services", set.outputs, inputs, world.within(60));
    expect(await diff).toMatchObject({ changes: false });
  });

  it("leaves its share at the service when it is removed, and one line says so with the id", async () => {
    const set = await deployed({ web: retained, db });
    const id = set.outputs.ids["web"] ?? "";
    expect(await set.up(declared({ db }))).toEqual({ writes: [], error: undefined });
    expect(Object.keys(set.outputs.ids)).toEqual(["db"]);
    expect(live()).toMatchObject({ "office-test-services-web": 443 });
    expect(world.said).toEqual([
      `IPsec share set "office-test-services": shares["web"] (${id}) stays at the service: its key was set to retain it`,
    ]);
    const single = await world.shares.create(adopter(id), derived, world.within(900));
    expect([single.id, world.writes()]).toEqual([id, []]);
  });

  it("keeps that over a refresh, and counts only as the state has it", async () => {
    const set = await deployed({ web: retained, db });
    await set.refresh();
    expect(world.sets.inputsOf(set.outputs)).toMatchObject({ shares: { web: { retain: true } } });
    expect((await set.up(declared({ web: retained, db }))).writes).toEqual([]);
    await set.up(declared({ web, db }));
    expect(kinds((await set.up(declared({ db }))).writes)).toHaveLength(1);
    expect(Object.values(live())).toEqual([5432]);
  });

  it("is deleted with the whole set", async () => {
    const set = await deployed({ web: retained, db });
    expect(await set.destroy()).toHaveLength(2);
    expect(live()).toEqual({});
  });

  it("is true or false, and never sent to the service", async () => {
    const { failures } = check(declared({ web: port(443, { retain: "yes" }) }));
    expect(failures).toEqual([{ property: 'shares["web"].retain', reason: "must be true or false" }]);
    await deployed({ web: retained });
    expect(world.emulator.shares()).toEqual([expect.not.objectContaining({ retain: true })]);
  });
});

describe("the share of a removed key that another resource of the program has", () => {
  const db = port(5432);
  const stays = (id: string) =>
    `IPsec share set "office-test-services": shares["web"] (${id}) stays at the service: another resource of the program has it`;
  const notDeleted = (id: string) =>
    `IPsec share "office-test-services-web" (${id}): not deleted: it belongs to another resource of the program now`;

  it("stays if check has seen that the other one adopts it", async () => {
    const set = await deployed({ web: port(443), db });
    const id = set.outputs.ids["web"] ?? "";
    const single = adopter(id);
    const made = await updated(set, { db });
    expect([Object.keys(made.outputs.ids), made.unfinished]).toEqual([["db"], undefined]);
    expect([world.said, world.writes()]).toEqual([[stays(id)], []]);
    expect((await world.shares.create(single, derived, world.within(900))).id).toBe(id);
  });

  it("stays after a reverted edit, if check has seen that the state still holds it under its own name", async () => {
    const set = await deployed({ db });
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::single";
    const news = { ...shareInputs(tunnelId), name: undefined };
    const { inputs } = world.shares.check({ news, origin, olds: {} });
    const { id } = await world.shares.create(inputs as ShareInputs, derived, world.within(900));
    world.nextRun();
    await set.up(declared({ db, web: port(443, { adopt: id }) }));
    world.nextRun();
    world.calls();
    world.said.length = 0;
    world.shares.check({ news, origin, olds: inputs });
    expect((await updated(set, { db })).unfinished).toBeUndefined();
    expect([world.said, world.writes()]).toEqual([[stays(id)], []]);
  });

  it("stays if the other one has adopted it, also if a write of the set fails", async () => {
    const set = await deployed({ web: port(443), db });
    const id = set.outputs.ids["web"] ?? "";
    await world.shares.create(adopter(id), derived, world.within(900));
    world.emulator.faults.answerNext({ method: "PATCH", status: 403 });
    const made = await updated(set, { db: port(5433) });
    expect(made.unfinished?.message).toContain(`shares["db"]: `);
    expect(Object.keys(made.outputs.ids)).toEqual(["db"]);
    expect([world.said, kinds(world.writes())]).toEqual([[notDeleted(id)], [`PATCH/${set.outputs.ids["db"]}`]]);
  });

  it("stays if another provider process of this run owns it", async () => {
    const set = await deployed({ web: port(443), db });
    const id = set.outputs.ids["web"] ?? "";
    const { claims } = world.service.frontDoor("fd-1").shares;
    jest.spyOn(claims, "isHeldInRun").mockImplementation((each) => each === id);
    expect((await updated(set, { db })).unfinished).toBeUndefined();
    expect([world.said, world.writes()]).toEqual([[notDeleted(id)], []]);
  });

  it("stays if a new key of the same set adopts it", async () => {
    const set = await deployed({ web: port(443), db });
    const id = set.outputs.ids["web"] ?? "";
    const made = await set.up(declared({ db, api: port(443, { adopt: id }) }));
    expect(made).toEqual({ writes: [], error: undefined });
    expect(set.outputs.ids).toMatchObject({ api: id });
    expect(world.said).toEqual([notDeleted(id)]);
  });
});
