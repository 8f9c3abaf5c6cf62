import * as all from "../../policy/index";
import { type Given, type Props, secret, unknown, violations } from "./checking";
import { settingsOf } from "./tables";

const types = ["pulumi-nodejs:dynamic/frontdoor:IpsecShareSet", "frontdoor:index:IpsecShareSet"];
const web = { target: "web.corp.internal:443", ingressPort: 443, name: "project-dev-services-web" };
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, { ...web, ingressPort: 1000 + at }]));
const key = "Zx9/Tq+4mLp0Rv7w";
const onTunnel = { ipsecTunnelId: "tnl-1", envZId: "env-1" };

describe.each(types)("the shares of a set of type %s", (type) => {
  const set = (shares: unknown, props: object = {}, more: Partial<Given> = {}): Given => ({
    ...{ type, name: "services", ...more },
    props: { ...onTunnel, ...props, shares },
  });
  const single = { type: "frontdoor:index:IpsecShare", name: "single", props: { ...web, ...onTunnel } };
  const device = (type: string, name: string, props: Props) => ({ type, name, props });
  const ignoring = (path: string) => set({ web, db: web }, {}, { opts: { ignoreChanges: [path] } });
  const at = (locationId: string, ofShare = {}) => set({ web: { ...web, ...ofShare } }, { locationId });
  const places = { allowed: [{ locations: ["loc-1"] }] };
  const names = { shareNames: ["corp-*"] };
  const leak = [
    set({ web: { ...web, note: secret(key) } }, { ipsecTunnelId: unknown }),
    device("company:site:Device", "router", { psk: secret(key) }),
    device("pulumi:pulumi:Stack", "project-dev", { word: key }),
  ];
  const twins = set({ web, web2: { ...web, ingressPort: 1 } });
  const alike =
    /^services: shares\["web2"\]: target and environment are the same as those of share "services\["web"\]"/;
  const out = { ...web, target: "8.8.8.8:53" };
  const other = { ...web, name: "other" };
  const strictly = settingsOf("limit-shares-per-tunnel");
  const ssh = { ...web, ingressPort: 22 };
  const onWeb = /shares\["web"\]: ignoreChanges names/;

  it.each<[what: string, policy: all.FrontdoorPolicy, given: Given[], says: RegExp[], config?: object]>([
    ["are known", all.refuseUnknownTypes, [set({ web })], []],
    [
      "are judged one by one",
      all.guardDangerousPorts,
      [set({ web, ssh })],
      [/^services: .*shares\["ssh"\]: These are guarded/],
    ],
    ["may be secret", all.guardDangerousPorts, [set(secret({ web, ssh: secret(ssh) }))], [/^services: /]],
    ["have targets", all.keepTargetsPrivate, [set({ out })], [/^services: .*shares\["out"\]: /]],
    ["have what the set has for all", all.requireLocations, [at("loc-1")], [], places],
    ["have it, if it is wrong", all.requireLocations, [at("loc-2")], [/^services: /], places],
    ["have their own first", all.requireLocations, [at("loc-2", { locationId: "loc-1" })], [], places],
    ["are compared with single ones", all.keepIngressPortsUnique, [single, set({ web })], [/ingressPort is the same/]],
    ["are compared with one another", all.avoidDuplicateTargets, [twins], [alike]],
    ["fill a tunnel", all.limitSharesPerTunnel, [set(many(5_000))], []],
    ["count beside single ones", all.limitSharesPerTunnel, [set(many(5_000)), single], [/5001 .*\. At most 5000/]],
    ["are fewer in strict", all.limitSharesPerTunnel, [set(many(51))], [/51 shares/], strictly],
    ["hide no key beside them", all.keepSampleConfigSecret, leak, [/^project-dev: .*Stack output word holds/]],
    ["may have derived names", all.followNamingConvention, [set({ web })], [], names],
    ["may not have others", all.followNamingConvention, [set({ other })], [/^services: /], names],
    ["may not be ignored", all.guardLifeCycleOptions, [ignoring('shares["web"].target')], [onWeb]],
    ["may not be ignored all", all.guardLifeCycleOptions, [ignoring("shares")], [/ignoreChanges/, /ignoreChanges/]],
    ["may have the rest ignored", all.guardLifeCycleOptions, [ignoring("nlbDnsName")], []],
  ])("%s", async (...[, policy, given, says, config]) => {
    const told = await violations(policy, given, config);
    expect(told).toEqual(says.map((each) => expect.stringMatching(each) as string));
  });

  // Objects of Pulumi's SDK cannot hold a key `__proto__`, which the classes refuse.
  const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__");
  it.each(inherited)("are judged under a name of every object: %s", async (name) => {
    const named = Object.fromEntries([[name, ssh]]);
    expect(await violations(all.guardDangerousPorts, [set(named)])).toEqual([
      expect.stringContaining(`shares["${name}"]: These are guarded`),
    ]);
  });

  it("are passed over while they are unknown", async () => {
    for (const policy of [all.guardDangerousPorts, all.keepTargetsPrivate, all.keepIngressPortsUnique])
      for (const shares of [unknown, { web: unknown, db: { target: unknown, ingressPort: unknown } }])
        expect(await violations(policy, [set(shares)])).toEqual([]);
  });

  it("may have retain, of which no policy says anything", async () => {
    for (const policy of all.policies) {
      const told = async (more: Props) => violations(policy, [set({ web: { ...web, ...more } })]);
      expect([policy.name, await told({ retain: true })]).toEqual([policy.name, await told({})]);
    }
    expect(await violations(all.keepTargetsPrivate, [set({ web: { ...web, retain: unknown } })])).toEqual([]);
  });
});
