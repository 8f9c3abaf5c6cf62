import { chosen, derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const hq = { ...tunnelInputs, locationId: "loc-1" };
const moved = { ...hq, locationId: "loc-2" };
const origin = (name: string) => `organization::urn:pulumi:dev::net::frontdoor:index:Any::${name}`;

describe("a creation record that the program no longer needs", () => {
  let world: World;
  const check = (news: object, olds: object = {}) =>
    world.tunnels.check({ news: { ...news }, olds: { ...olds }, origin: origin("hq") });
  const create = (inputs: typeof hq & { frontdoorId: string; adopt?: string }) =>
    world.tunnels.create(inputs, chosen, world.within(1800));
  const left = () => world.emulator.tunnels().findLast(({ locationId }) => locationId === "loc-2")?.id ?? "";

  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0 });
  });
  afterEach(() => world.close());

  it("is reported once if the edit is reverted, and the tunnel is not resumed by a later run", async () => {
    check(hq);
    const { id, outputs } = await create(hq);
    world.nextRun();
    check(moved, hq);
    await world.interrupted(() => create(moved));

    check(hq, hq);
    expect(await world.tunnelDiff(outputs, hq, id)).toMatchObject({ changes: false });
    expect(world.said).toEqual([expect.stringMatching(/"hq" \(tnl-1\): .*\[stale-creation-record\]$/)]);
    world.nextRun();
    check(hq, hq);
    await world.tunnelDiff(outputs, hq, id);
    expect(world.said).toHaveLength(1);

    world.nextRun();
    check(moved, hq);
    await expect(world.tunnelDiff(outputs, moved, id)).rejects.toThrow(new RegExp(`${left()}.*\\[place-taken\\]$`));
    expect(world.writes()).toEqual([]);
  });

  it("stays in a preview, which reports nothing, and is reported by the next up", async () => {
    check(hq);
    const { id, outputs } = await create(hq);
    world.nextRun();
    check(moved, hq);
    await world.interrupted(() => create(moved));
    const kept = world.records.read();
    expect(kept).toHaveLength(1);

    world.nextRun("killed", "preview");
    check(hq, hq);
    expect(await world.tunnelDiff(outputs, hq, id)).toMatchObject({ changes: false });
    world.nextRun("in order", "preview");
    check(hq, hq);
    await world.tunnels.read(id, outputs, world.within(60));
    world.nextRun();
    expect(world.said).toEqual([]);
    expect(world.records.read()).toEqual(kept);

    check(hq, hq);
    await world.tunnelDiff(outputs, hq, id);
    expect(world.said).toEqual([expect.stringMatching(/\[stale-creation-record\]$/)]);
    expect(world.records.read()).toEqual([]);
  });

  it("with the id in the state goes with a refresh, which has no program, but not with a preview", async () => {
    check(hq);
    const { id, outputs } = await create(hq);
    world.nextRun("killed", "preview");
    check(hq, hq);
    await world.tunnels.read(id, outputs, world.within(60));
    await world.tunnelDiff(outputs, hq, id);
    world.nextRun("in order", "preview");
    expect(world.records.read()).toHaveLength(1);
    await world.tunnels.read(id, outputs, world.within(60));
    world.nextRun();
    expect(world.records.read()).toEqual([]);
  });

  it("is reported with its id, if it has one, when another tunnel is adopted or a share gets another name", async () => {
    check(moved);
    await create(moved);
    world.nextRun("killed");
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-other", name: "other", locationId: "loc-9" });
    const adopting = { ...tunnelInputs, locationId: "loc-9", adopt: "tnl-other" };
    check(adopting);
    await world.tunnels.create(adopting, derived, world.within(1800));
    expect(world.said).toEqual([expect.stringMatching(`"hq": .*${left()}.*\\[stale-creation-record\\]$`)]);

    world.nextRun();
    world.said.length = 0;
    const share = { ...shareInputs("tnl-other"), name: "web" };
    world.shares.check({ news: { ...share }, olds: {}, origin: origin("web") });
    await world.interrupted(() => world.shares.create(share, derived, world.within(900)));
    const renamed = { ...share, name: "intranet", ingressPort: 444 };
    world.shares.check({ news: { ...renamed }, olds: {}, origin: origin("web") });
    await world.shares.create(renamed, chosen, world.within(900));
    expect(world.said).toEqual([expect.stringMatching(/"intranet": .*\[stale-creation-record\]$/)]);
  });
});
