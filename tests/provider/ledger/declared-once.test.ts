import { checkedIn, declaredOn, port } from "../resources/set-program";
import { chosen, derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const originOf = (type: string, name: string) =>
  `organization::urn:pulumi:test::office::pulumi-nodejs:dynamic/frontdoor:${type}::${name}`;

describe("an id that two resources of a program have", () => {
  let world: World;
  const tunnelId = "tnl-1";
  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0, teardownMs: 0 });
    world.emulator.seedTunnel({ ...tunnelInputs, locationId: "loc-1" });
  });
  afterEach(() => world.close());

  const minute = () => world.within(60);
  const twice = (id: string, first: string, second: string) =>
    `${id} is declared twice, as "${first}" and as "${second}". [id-twice]`;

  /** What this run says of each, in this order: the reasons of checks, and the errors of diffs. */
  const said = async (...looks: (() => Promise<string[]>)[]) => {
    world.nextRun();
    world.calls();
    const all: string[] = [];
    for (const look of looks) all.push(...(await look()));
    expect(world.writes()).toEqual([]);
    return all.map((text) => text.replace(/^IPsec (share|tunnel) /, "").replace(/Nothing .* (?=\[)/, ""));
  };
  const reasons = ({ failures }: { failures: { reason: string }[] }) => failures.map(({ reason }) => reason);
  const trouble = (diff: Promise<unknown>) =>
    diff.then(
      () => [],
      (error: unknown) => [(error as Error).message],
    );

  /** A single share of the state, and what adopts one. */
  const single = (name: string, made: Awaited<ReturnType<typeof share>>) => async () => {
    const news = { ...made.inputs };
    const olds = { ...made.inputs };
    const checked = world.shares.check({ news, olds, origin: originOf("IpsecShare", name) });
    if (checked.failures.length > 0) return reasons(checked);
    return trouble(world.shares.diff(made.id, made.outputs, made.inputs, minute(), made.inputs.name));
  };
  const adopting =
    (name: string, adopt: string, frontdoorId = "fd-1") =>
    () => {
      const news = { ...shareInputs(tunnelId), name, frontdoorId, adopt };
      return Promise.resolve(reasons(world.shares.check({ news, olds: {}, origin: originOf("IpsecShare", name) })));
    };
  const share = async (name = "web") => {
    const inputs = { ...shareInputs(tunnelId), name };
    return { ...(await world.shares.create(inputs, chosen, minute())), inputs };
  };
  const set = async () => {
    const declared = declaredOn(tunnelId, { db: port(5432) });
    return { ...(await world.sets.create(checkedIn(world, declared).inputs, derived, minute())), declared };
  };
  const ofSet = (made: Awaited<ReturnType<typeof set>>, shares: Record<string, object>) => async () => {
    const { inputs, failures } = checkedIn(world, declaredOn(tunnelId, shares), checkedIn(world, made.declared).inputs);
    return failures.length > 0
      ? reasons({ failures })
      : trouble(world.sets.diff(made.id, made.outputs, inputs, minute()));
  };

  it("is refused whichever is looked at first: by adopt, and where the state holds it of both", async () => {
    const web = await share();
    const other = { ...web, inputs: { ...web.inputs, name: "other" } };
    const [kept, adopts] = [single("web", web), adopting("other", web.id)];
    const orders = [
      [kept, adopts],
      [adopts, kept],
      [adopting("web", web.id), adopts],
      [kept, single("other", other)],
    ];
    for (const looks of orders) expect(await said(...looks)).toEqual([twice(web.id, "other", "web")]);
    expect(await said(adopts)).toEqual([]);
    expect(await said(kept, adopting("far", web.id, "fd-2"))).toEqual([]);
  });

  it("is refused between a single share and a key of a set, and in two keys", async () => {
    const [web, services] = [await share(), await set()];
    const db = services.outputs.ids["db"] ?? "";
    const [keeps, adoptsDb] = [ofSet(services, { db: port(5432) }), adopting("other", db)];
    const takes = ofSet(services, { db: port(5432), web: port(443, { adopt: web.id }) });
    for (const looks of [
      [single("web", web), takes],
      [takes, single("web", web)],
    ])
      expect(await said(...looks)).toEqual([twice(web.id, 'services["web"]', "web")]);
    for (const looks of [
      [adoptsDb, keeps],
      [keeps, adoptsDb],
    ])
      expect(await said(...looks)).toEqual([twice(db, "other", 'services["db"]')]);
    const both = { a: port(443, { adopt: web.id }), b: port(444, { adopt: web.id }) };
    expect(await said(ofSet(services, both))).toEqual([twice(web.id, 'services["a"]', 'services["b"]')]);
    const twoKeys = ofSet(services, { db: port(5432), api: port(443, { adopt: db }) });
    expect(await said(twoKeys)).toEqual([twice(db, 'services["api"]', 'services["db"]')]);
    expect(await said(ofSet(services, { api: port(443, { adopt: db }) }))).toEqual([]);
  });
});
