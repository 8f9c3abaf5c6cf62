import type { TunnelInputs } from "../../../provider/resources/tunnel-inputs";
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
    `${id} is the id of "${first}" and of "${second}" of this program: a resource can be declared once; leave one of the two out, or its adopt: what the other one has is not deleted`;

  /** What this run says of each, in this order: the reasons of checks, and the errors of diffs. */
  const said = async (...looks: (() => Promise<string[]>)[]) => {
    world.nextRun();
    world.calls();
    const all: string[] = [];
    for (const look of looks) all.push(...(await look()));
    expect(world.writes()).toEqual([]);
    return all.map((text) => text.replace(/^IPsec (share|tunnel) /, ""));
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
  const adopting = (name: string, adopt: string) => () => {
    const news = { ...shareInputs(tunnelId), name, adopt };
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

  it("is refused, by adopt of what another single one has, whichever is looked at first", async () => {
    const web = await share();
    const all = [twice(web.id, "other", "web")];
    expect(await said(single("web", web), adopting("other", web.id))).toEqual(all);
    expect(await said(adopting("other", web.id), single("web", web))).toEqual(all);
    expect(await said(adopting("other", web.id), adopting("web", web.id))).toEqual(all);
  });

  it("is refused between a single share and a key of a set, both ways round", async () => {
    const [web, services] = [await share(), await set()];
    const db = services.outputs.ids["db"] ?? "";
    const takes = { db: port(5432), web: port(443, { adopt: web.id }) };
    const both = [twice(web.id, 'services["web"]', "web")];
    expect(await said(single("web", web), ofSet(services, takes))).toEqual(both);
    expect(await said(ofSet(services, takes), single("web", web))).toEqual(both);
    const other = [twice(db, "other", 'services["db"]')];
    expect(await said(adopting("other", db), ofSet(services, { db: port(5432) }))).toEqual(other);
    expect(await said(ofSet(services, { db: port(5432) }), adopting("other", db))).toEqual(other);
  });

  it("is refused in two keys of a set: by adopt, and where one has it in the state", async () => {
    const [web, services] = [await share(), await set()];
    const db = services.outputs.ids["db"] ?? "";
    const adopt = (id: string) => port(443, { adopt: id });
    const shares = { db: port(5432), a: adopt(web.id), b: { ...adopt(web.id), ingressPort: 444 } };
    expect(await said(ofSet(services, shares))).toEqual([twice(web.id, 'services["a"]', 'services["b"]')]);
    const keeps = { db: port(5432), api: adopt(db) };
    expect(await said(ofSet(services, keeps))).toEqual([twice(db, 'services["api"]', 'services["db"]')]);
    expect(await said(ofSet(services, { api: adopt(db) }))).toEqual([]);
  });

  it("is refused where the state holds it of both", async () => {
    const web = await share();
    const other = { ...web, inputs: { ...web.inputs, name: "other" } };
    const all = [twice(web.id, "other", "web")];
    expect(await said(single("web", web), single("other", other))).toEqual(all);
    expect(await said(single("other", other), single("web", web))).toEqual(all);
  });

  it("is refused of tunnels as well", async () => {
    const hq: TunnelInputs = { ...tunnelInputs, locationId: "loc-1" };
    const { outputs } = await world.tunnels.create({ ...hq, adopt: tunnelId }, chosen, minute());
    const check = (name: string, adopt?: string) =>
      reasons(
        world.tunnels.check({
          news: { ...hq, name, ...(adopt !== undefined && { adopt }) },
          olds: adopt === undefined ? { ...hq, name } : {},
          origin: originOf("IpsecTunnel", name),
        }),
      );
    const kept = async () => {
      const problems = check("hq");
      return problems.length > 0 ? problems : trouble(world.tunnelDiff(outputs, hq));
    };
    const adopts = () => Promise.resolve(check("lab", tunnelId));
    expect(await said(kept, adopts)).toEqual([twice(tunnelId, "hq", "lab")]);
    expect(await said(adopts, kept)).toEqual([twice(tunnelId, "hq", "lab")]);
  });

  it("is no matter where the other one is no longer declared, or is on another front door", async () => {
    const web = await share();
    expect(await said(adopting("other", web.id))).toEqual([]);
    const elsewhere = () =>
      Promise.resolve(
        reasons(
          world.shares.check({
            news: { ...shareInputs(tunnelId), name: "far", frontdoorId: "fd-2", adopt: web.id },
            olds: {},
            origin: originOf("IpsecShare", "far"),
          }),
        ),
      );
    expect(await said(single("web", web), elsewhere)).toEqual([]);
  });
});
