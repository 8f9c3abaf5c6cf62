import { UNKNOWN } from "../../../provider/fields/field";
import { openWorld, type World } from "../world";
import { checkedIn, type Declared, declaredOn, port, type Shares } from "./set-program";

const tunnelId = "tnl-1";

describe("the check of a set", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

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
