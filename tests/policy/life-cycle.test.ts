import * as all from "../../policy/index";
import { derivedName } from "../../provider/origin";
import {
  type Props,
  unknown,
  violations,
  type Given,
  secret,
  checks,
  each,
  settingsOf,
  share,
  tokens,
  tunnel,
} from "./checking";

describe("life cycle", () => {
  const inStack = (stack: string) => tunnel({}, { stack });

  const production = [
    ...["prod", "production", "prod-eu", "eu-prod", "production-eu", "PROD", "prod1", "eu-prod-1", "live", "Live-EU"],
    ...["euProd", "eu_prod", "eu.production", "prd", "prod12"],
  ];

  const strictly = settingsOf("protect-production-tunnels");

  checks(all.protectProductionTunnels, [
    ["lets a protected tunnel pass", tunnel({}, { stack: "prod", opts: { protect: true } })],
    ["leaves shares alone", share({}, { stack: "prod" })],
    ["lets other stacks be", ["product-team", "reproduction", "delivery", "alive", "nonprod", "dev"].map(inStack)],
    ...each(production, (stack) => [
      `refuses one in ${stack}`,
      inStack(stack),
      "hq: The tunnel is in a production stack, and",
    ]),
    ["takes other stacks", inStack("live-7"), "not protected", { productionStacks: ["live-#"] }],
    ["lets named stacks be", [inStack("Prod-test"), inStack("prod-eu")], "not pro", { otherStacks: ["prod-test"] }],
    ["refuses others in strict", ["main", "eu", "dev-a"].map(inStack), Array(3).fill("not protected"), strictly],
    ["lets the usual other stacks be in strict", ["dev", "TEST", "staging", "demo"].map(inStack), [], strictly],
  ]);

  const timed = (deleteSeconds: number, stack = "prod") =>
    tunnel({}, { stack, opts: { customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds } } });

  checks(all.timeTunnelDeletes, [
    ["lets other stacks, half an hour and the default pass", [timed(60, "dev"), timed(1800), timed(0)]],
    ["refuses the default if the limits do", timed(0), "over 900 seconds", { maxSeconds: 900 }],
    ["refuses a short one and a long one", [timed(60), timed(10_000)], ["under 600 seconds", "over 7200 seconds"]],
    ["takes other limits", [timed(60), timed(600)], "over 300 seconds", { minSeconds: 30, maxSeconds: 300 }],
  ]);

  const at = (locationId: unknown) => ({ locationId });

  checks(all.matchShareLocations, [
    ["lets shares without a location pass", [tunnel(at("loc-1")), share()]],
    ["lets the same location pass", [tunnel(at("loc-1")), share(at("loc-1"))]],
    ["lets the same location pass in another spelling", [tunnel(at("Loc-1")), share(at("loc-1"))]],
    [
      "refuses another",
      [tunnel(at("loc-1")), share(at("loc-2"))],
      'web: locationId is not the location of its tunnel "hq"',
    ],
    ["passes over a tunnel's unknown location", [tunnel(at(unknown)), share(at("loc-2"))]],
    ["passes over tunnels of other stacks", share(at("loc-2"), { dependsOn: {} })],
  ]);

  const named = [tunnel({ name: "x" }), share({ name: "y" })];

  const conventional = settingsOf("follow-naming-convention");

  const derived = (stack: string, name: string, project = "project") =>
    share(
      { name: derivedName(`acme::urn:pulumi:${stack}::${project}::${tokens.dynamic[1]}::${name}`) },
      { stack, name },
    );

  const both = { tunnelNames: ["{project}-{stack}-*"], shareNames: ["{project}-{stack}-*"] };

  const tooLong = "a-name-that-is-too-long-for-the-service-by-itself-if-another-is-added";

  checks(all.followNamingConvention, [
    ["lets every name pass by default", named],
    ["lets fitting names pass", [tunnel(), share()], [], both],
    ["refuses a tunnel's", named, 'hq: name fits none of "site-###"', { tunnelNames: ["site-###"] }],
    ["takes ? for any character", share({ name: "we-b" }), [], { shareNames: ["we?b"] }],
    [
      "ends on many stars",
      share({ name: "a".repeat(255) }),
      "name fits none",
      { shareNames: [`${"*a".repeat(99)}*b`] },
    ],
    ["refuses a share's", named, 'web: name fits none of "svc-@*", "*-old"', { shareNames: ["svc-@*", "*-old"] }],
    [
      "lets derived names pass",
      [derived(tooLong, "a"), derived("eu", tooLong), derived("a/b_c", "x")],
      [],
      conventional,
    ],
    ["refuses the derived name of another resource", derived("eu", "web", "other"), "name fits none of", conventional],
    ["fills in an illegal stack", share({ name: "a-b-x" }, { stack: "a_b" }), [], { shareNames: ["{stack}-*"] }],
  ]);

  const typed = (type: string, props: Props = {}) => ({ type, props });

  const othersTypes = [
    ...["frontdoor:index:IpsecTunnelConnection", "pulumi-nodejs:dynamic/frontdoor:IpsecTunnelConnection"],
    ...["frontdoor:index:IpsecSite", "pulumi:pulumi:Stack", "pulumi:providers:frontdoor"],
    ...["azure-native:network:FrontDoor", "azure:frontdoor/frontdoor:Frontdoor", "company:frontdoor:Site"],
  ];

  const unknownTypes = [
    ...["pulumi-nodejs:dynamic/frontdoor:IpsecPeerGroup", "frontdoor:index:Ipsectunnel", "frontdoor:vpn:IpsecTunnel"],
    "pulumi-python:dynamic/frontdoor:IpsecTunnel",
  ];

  checks(all.refuseUnknownTypes, [
    ["lets tunnels and shares pass", [tunnel(), share()]],
    ["lets other dynamic resources pass", typed("pulumi-nodejs:dynamic:Resource", { target: "a", ipsecTunnelId: "b" })],
    ["lets resources of other packages pass", typed("company:vpn:Tunnel", tunnel().props)],
    ...each(othersTypes, (type) => [`lets ${type} pass`, typed(type)]),
    ...each(unknownTypes, (type) => [
      `refuses ${type}`,
      typed(type),
      `No policy in this pack checks resources of type ${type}`,
    ]),
    ...each(["pulumi-nodejs:dynamic:Resource", "pulumi-python:dynamic/company:Tunnel"], (type) => [
      `refuses ${type} with the inputs of a tunnel, a share or a set`,
      [tunnel().props, share().props, { ipsecTunnelId: unknown, shares: unknown }].map((props) => typed(type, props)),
      Array<string>(3).fill("it has the inputs of a tunnel or share"),
    ]),
  ]);

  const three = ["a", "b", "c"].map((name) => share({}, { name }));

  const onNew = three.map((each) => ({ ...each, props: { ipsecTunnelId: unknown } }));

  const onOther = share({ ipsecTunnelId: "tnl-2" }, { dependsOn: { ipsecTunnelId: ["other"] } });

  checks(all.limitSharesPerTunnel, [
    ["lets the most pass", [tunnel(), ...three], [], { maxShares: 3 }],
    ["refuses one more", [tunnel(), ...three], "hq: 3 shares are on one tunnel. At most 2", { maxShares: 2 }],
    ["counts on a new tunnel", [tunnel(), ...onNew], "hq: 3 shares", { maxShares: 2 }],
    ["counts on another stack's", three.map((each) => ({ ...each, dependsOn: {} })), "a: 3 shares", { maxShares: 2 }],
    ["counts each", [tunnel(), tunnel({}, { name: "other" }), ...three.slice(1), onOther], [], { maxShares: 2 }],
  ]);

  const ignoring = (...ignoreChanges: string[]) => ({ opts: { ignoreChanges } });

  const adoptable = { approvedAdoptions: ["shr-9"] };

  checks(all.guardLifeCycleOptions, [
    ["lets resources without such options pass", [tunnel(), share()]],
    ["lets ignoreChanges on the rest pass", [tunnel({}, ignoring("tunnelConfig")), share({}, ignoring("tags"))]],
    ...each(["target", '["target"]', "target.x"], (path) => [
      ...([`refuses ignoreChanges on ${path}`, share({}, ignoring(path))] as const),
      "web: ignoreChanges names properties that the policies check: target.",
    ]),
    ["refuses ignoreChanges on everything", tunnel({}, ignoring("*")), "check: peerPublicIp, peerCidr, "],
    [
      "lets the ignorable pass",
      tunnel({}, ignoring("name", "locationId")),
      "check: locationId.",
      { ignorable: ["name"] },
    ],
    ["refuses what is adopted", tunnel({ adopt: "tnl-9" }), "hq: adopt names a resource that approvedAdoptions"],
    ["lets what is approved pass", share({ adopt: "shr-9" }), [], adoptable],
  ]);

  it("the fix for an adopted resource does not speak of ignoreChanges", async () => {
    const [text = ""] = await violations(all.guardLifeCycleOptions, [
      { ...tunnel({ adopt: "tnl-9" }), type: tokens.plugin[0] },
    ]);
    expect(text.split("Fix: ")[1]).toBe("Review an adopted resource, and add its id to approvedAdoptions.");
  });

  const inEurope = { stacks: ["prod"], locations: ["eu-*"], frontdoors: ["fd-1"] };

  const places = { allowed: [inEurope, { stacks: ["dev"], locations: ["*"] }] };

  const limitedBeside = { allowed: [{ locations: ["eu-*"] }, { stacks: ["dev"] }] };

  const prod = { stack: "prod" };

  const inUs = [tunnel(at("us-1"), prod), share(at("us-1"), prod)];

  const none = 'locationId is not one that the setting "allowed" has for stack "prod"';

  checks(all.requireLocations, [
    ["lets every place pass by default", [tunnel(), share(at("anywhere"))]],
    ["lets fitting ones pass", [tunnel(at("eu-1"), { stack: "eu-prod-1" }), tunnel()], [], places],
    ["refuses another location", inUs, [`hq: ${none}`, `web: ${none}`], places],
    [
      "refuses another front door",
      tunnel({ ...at("eu-1"), frontdoorId: "fd-2" }, prod),
      'frontdoorId is not one that the setting "allowed" has for stack "prod"',
      places,
    ],
    [
      "refuses a stack that is in no entry",
      tunnel(at("eu-1"), { stack: "lab" }),
      'The setting "allowed" has no entry for stack "lab"',
      places,
    ],
    ["refuses a tunnel that goes anywhere", tunnel({}, prod), "locationId is not set", places],
    ["lets it go anywhere if one entry of several allows that", tunnel(), [], limitedBeside],
    ["lets it be in any letter case", tunnel(at("EU-1"), prod), [], places],
    ["lets a share go to its tunnel's place", share({}, prod), [], places],
    [
      "wants a location in strict",
      [tunnel(), tunnel(at("x"))],
      "locationId is not set",
      settingsOf("require-locations"),
    ],
    ["passes over an unknown location", tunnel(at(unknown), prod), [], places],
  ]);

  const critical = { critical: ["*critical*"] };
  const app = share({ name: "app-CRITICAL" });
  const [first, second] = [tunnel(at("eu-1")), tunnel(at("eu-2"), { name: "backup" })];
  const up = (on: string): Given => ({
    ...{ type: "frontdoor:index:IpsecTunnelConnection", name: `up-${on}` },
    ...{ props: { tunnelId: unknown }, dependsOn: { tunnelId: [on] } },
  });
  const alone = "hq: The site of this tunnel is critical, and the stack has no second tunnel for it.";

  checks(all.requireTwoTunnels, [
    ["lets every site pass by default", [first, app]],
    ["lets a site without a critical application pass", [first, share()], [], critical],
    ["refuses a site with one tunnel", [first, app], alone, critical],
    ["takes names of the program too", [first, share({}, { name: "critical-web" })], alone, critical],
    ["takes a list of tunnels", [first], alone, { critical: ["lisbon", "hq"] }],
    ["lets two tunnels in two locations pass", [first, second, app], [], critical],
    ["refuses two in one location", [first, tunnel(at("EU-1"), { name: "backup" }), app], "hq: All tunnels", critical],
    ["lets a location that Frontdoor chooses pass", [first, tunnel({}, { name: "backup" }), app], [], critical],
    [
      "does not take the tunnel of another site, or of another front door, for a second one",
      [first, tunnel({ peerCidr: "10.30.0.0/16" }, { name: "a" }), tunnel({ frontdoorId: "fd-2" }, { name: "b" }), app],
      ...([alone, critical] as const),
    ],
    ["says nothing if a tunnel can lead to any site", [first, tunnel({ peerCidr: unknown }), app], [], critical],
    ["wants a connection for both", [first, second, app, up("hq")], "backup: Another tunnel of this", critical],
    ["lets a connection for both pass", [first, second, app, up("hq"), up("backup")], [], critical],
  ]);
});

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
