import {
  avoidDuplicateTargets,
  followNamingConvention,
  guardDangerousPorts,
  guardLifeCycleOptions,
  keepIngressPortsUnique,
  keepSampleConfigSecret,
  keepTargetsPrivate,
  limitSharesPerTunnel,
  policies,
  refuseUnknownTypes,
  requireLocations,
} from "../../policy/index";
import { type Given, secret, unknown, violations } from "./checking";
import { settingsOf } from "./tables";

const types = ["pulumi-nodejs:dynamic/frontdoor:IpsecShareSet", "frontdoor:index:IpsecShareSet"];
const web = { target: "web.corp.internal:443", ingressPort: 443, name: "project-dev-services-web" };

describe.each(types)("the shares of a set of type %s", (type) => {
  const set = (shares: unknown, more: Partial<Given> = {}, props: object = {}): Given => ({
    ...{ type, name: "services", ...more },
    props: { ipsecTunnelId: "tnl-1", envZId: "env-1", ...props, shares },
  });
  const told = async (policy: Parameters<typeof violations>[0], given: Given[], config: object = {}) =>
    (await violations(policy, given, config)).map((text) => text.split("\n")[0]);

  it("are known, and judged one by one, each named by its key", async () => {
    expect(await told(refuseUnknownTypes, [set({ web })])).toEqual([]);
    for (const retain of [true, unknown])
      expect(await told(keepTargetsPrivate, [set({ web: { ...web, retain } })])).toEqual([]);
    const ssh = { ...web, ingressPort: 22 };
    expect(await told(guardDangerousPorts, [set({ web, ssh })])).toEqual([
      expect.stringMatching(/^services: .*shares\["ssh"\]: Needs an exception/),
    ]);
    expect(await told(guardDangerousPorts, [set(secret({ web, ssh: secret(ssh) }))])).toHaveLength(1);
    expect(await told(keepTargetsPrivate, [set({ out: { ...web, target: "8.8.8.8:53" } })])).toEqual([
      expect.stringMatching(/^services: .*shares\["out"\]: /),
    ]);
  });

  it("have what the set has for all", async () => {
    const config = { allowed: [{ locations: ["loc-1"] }] };
    expect(await told(requireLocations, [set({ web }, {}, { locationId: "loc-1" })], config)).toEqual([]);
    expect(await told(requireLocations, [set({ web }, {}, { locationId: "loc-2" })], config)).toHaveLength(1);
    expect(
      await told(
        requireLocations,
        [set({ web: { ...web, locationId: "loc-1" } }, {}, { locationId: "loc-2" })],
        config,
      ),
    ).toEqual([]);
  });

  it("are held web2st one another and web2st single ones", async () => {
    const single = {
      type: "frontdoor:index:IpsecShare",
      name: "single",
      props: { ...web, ipsecTunnelId: "tnl-1", envZId: "env-1" },
    };
    expect(await told(keepIngressPortsUnique, [single, set({ web })])).toHaveLength(1);
    expect(await told(avoidDuplicateTargets, [set({ web, web2: { ...web, ingressPort: 444 } })])).toEqual([
      expect.stringMatching(
        /^services: shares\["web2"\]: target and environment are the same as those of share "services\["web"\]"/,
      ),
    ]);
  });

  it("are passed over while they are unknown", async () => {
    for (const policy of [guardDangerousPorts, keepTargetsPrivate, keepIngressPortsUnique]) {
      expect(await told(policy, [set(unknown)])).toEqual([]);
      expect(await told(policy, [set({ web: unknown, db: { target: unknown, ingressPort: unknown } })])).toEqual([]);
    }
  });

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, { ...web, ingressPort: 1000 + at }]));

  it("fill a tunnel by default if the set is as large as a set may be, and count beside single ones", async () => {
    const single = { type: "frontdoor:index:IpsecShare", name: "single", props: { ...web, ipsecTunnelId: "tnl-1" } };
    expect(await told(limitSharesPerTunnel, [set(many(5_000))])).toEqual([]);
    expect(await told(limitSharesPerTunnel, [set(many(5_000)), single])).toEqual([
      expect.stringContaining("5001 shares are on one tunnel; at most 5000 may be."),
    ]);
    expect(await told(limitSharesPerTunnel, [set(many(51))], settingsOf("limit-shares-per-tunnel"))).toHaveLength(1);
  });

  it("may have retain, of which no policy says anything", async () => {
    const given = (retain?: boolean) => [set({ web: { ...web, ...(retain !== undefined && { retain }) } })];
    for (const policy of policies)
      expect([policy.name, await told(policy, given(true))]).toEqual([policy.name, await told(policy, given())]);
  });

  it("do not hide a key that leaves beside them while their tunnel is unknown, and may hold secrets", async () => {
    const key = "Zx9/Tq+4mLp0Rv7w";
    const leak = { type: "pulumi:pulumi:Stack", name: "project-dev", props: { word: key } };
    const router = { type: "company:site:Device", name: "router", props: { psk: secret(key) } };
    const services = set({ web: { ...web, note: secret(key) } }, {}, { ipsecTunnelId: unknown });
    expect(await told(keepSampleConfigSecret, [services, router, leak])).toEqual([
      expect.stringMatching(/^project-dev: .*Stack output word holds/),
    ]);
  });

  it("may have the names that are derived for them, and no property of one may be ignored that is judged", async () => {
    const names = { shareNames: ["corp-*"] };
    expect(await told(followNamingConvention, [set({ web })], names)).toEqual([]);
    expect(await told(followNamingConvention, [set({ web: { ...web, name: "other" } })], names)).toHaveLength(1);
    const ignoring = (path: string) =>
      told(guardLifeCycleOptions, [set({ web, db: web }, { opts: { ignoreChanges: [path] } })]);
    expect(await ignoring('shares["web"].target')).toEqual([
      expect.stringContaining('shares["web"]: ignoreChanges holds'),
    ]);
    expect(await ignoring("shares")).toHaveLength(2);
    expect(await ignoring("nlbDnsName")).toEqual([]);
  });
});
