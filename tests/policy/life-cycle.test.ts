import {
  followNamingConvention,
  guardLifeCycleOptions,
  limitSharesPerTunnel,
  matchShareLocations,
  protectProductionTunnels,
  refuseUnknownTypes,
  requireLocations,
  timeTunnelDeletes,
} from "../../policy/index";
import { type Props, unknown } from "./checking";
import { derivedName } from "../../provider/resources/origin";
import { checks, settingsOf, share, tokens, tunnel } from "./tables";

const ours = 'exports.handler=()=>require("pulumi-frontdoor/dynamic").tunnel()';

checks(protectProductionTunnels, [
  { it: "lets other stacks be", given: [tunnel()] },
  { it: "lets a protected tunnel pass", given: [tunnel({}, { stack: "prod", opts: { protect: true } })] },
  { it: "leaves shares alone", given: [share({}, { stack: "prod" })] },
  ...["product-team", "reproduction", "delivery", "alive", "nonprod", "dev"].map((stack) => ({
    it: `lets one in ${stack} be`,
    given: [tunnel({}, { stack })],
  })),
  ...[
    ...["prod", "production", "prod-eu", "eu-prod", "production-eu", "PROD", "prod1", "eu-prod-1", "live", "Live-EU"],
    ...["euProd", "eu_prod", "eu.production", "prd", "prod12"],
  ].map((stack) => ({
    it: `refuses an unprotected one in ${stack}`,
    given: [tunnel({}, { stack })],
    says: ["hq: It is in a production stack and not protected"],
  })),
  {
    it: "takes other stacks",
    given: [tunnel({}, { stack: "live-7" })],
    config: { productionStacks: ["live-#"] },
    says: ["not protected"],
  },
  {
    it: "lets other stacks be that are named",
    given: [tunnel({}, { stack: "Prod-test" }), tunnel({}, { stack: "prod-eu" })],
    config: { otherStacks: ["prod-test"] },
    says: ["not protected"],
  },
  ...["main", "eu", "dev-alice", "prod"].map((stack) => ({
    it: `refuses an unprotected one in ${stack} in the preset strict`,
    given: [tunnel({}, { stack })],
    config: settingsOf("protect-production-tunnels"),
    says: ["not protected"],
  })),
  {
    it: "lets the usual other stacks be in the preset strict",
    given: ["dev", "TEST", "staging", "demo"].map((stack) => tunnel({}, { stack })),
    config: settingsOf("protect-production-tunnels"),
  },
]);

const timed = (deleteSeconds: number, stack = "prod", props: Props = {}) => [
  tunnel(props, { stack, opts: { customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds } } }),
];
checks(timeTunnelDeletes, [
  { it: "lets other stacks be", given: timed(0, "dev") },
  { it: "lets half an hour pass", given: timed(1800) },
  { it: "lets the default pass", given: timed(0) },
  {
    it: "refuses the default where the limits do",
    given: timed(0),
    config: { maxSeconds: 900 },
    says: ["over 900 seconds"],
  },
  {
    it: "refuses a constructor's short one beside a transform's long one",
    given: timed(1800, "prod", { __timeouts: { delete: "1s" } }),
    says: ["under 600 seconds"],
  },
  { it: "refuses none at all", given: timed(0, "prod", { __timeouts: { delete: "0s" } }), says: ["under 600 seconds"] },
  {
    it: "reads what a constructor says",
    given: timed(0, "prod", { __timeouts: { delete: "3h" } }),
    says: ["over 7200 seconds"],
  },
  {
    it: "lets what a constructor says pass",
    given: timed(1800, "prod", { __timeouts: { delete: "30m", create: "1s" } }),
  },
  { it: "refuses a short one", given: timed(60), says: ["under 600 seconds"] },
  { it: "refuses a long one", given: timed(10_000), says: ["over 7200 seconds"] },
  {
    it: "takes other limits",
    given: [...timed(60), ...timed(600)],
    config: { minSeconds: 30, maxSeconds: 300 },
    says: ["over 300 seconds"],
  },
]);

const at = (locationId: unknown) => ({ locationId });
checks(matchShareLocations, [
  { it: "lets shares without a location pass", given: [tunnel(at("loc-1")), share()] },
  { it: "lets the same location pass", given: [tunnel(at("loc-1")), share(at("loc-1"))] },
  {
    it: "refuses another",
    given: [tunnel(at("loc-1")), share(at("loc-2"))],
    says: ['web: locationId is not that of its tunnel "hq"'],
  },
  { it: "passes over a tunnel's unknown location", given: [tunnel(at(unknown)), share(at("loc-2"))] },
  { it: "passes over a tunnel whose location the service picks", given: [tunnel(), share(at("loc-2"))] },
  { it: "passes over tunnels of other stacks", given: [share(at("loc-2"), { dependsOn: {} })] },
]);

checks(followNamingConvention, [
  { it: "lets every name pass by default", given: [tunnel({ name: "x" }), share({ name: "y" })] },
  {
    it: "lets fitting names pass",
    given: [tunnel(), share()],
    config: { tunnelNames: ["{project}-{stack}-*"], shareNames: ["{project}-{stack}-*"] },
  },
  {
    it: "refuses a tunnel's",
    given: [tunnel({ name: "x" }), share({ name: "y" })],
    config: { tunnelNames: ["site-###"] },
    says: ['hq: name fits none of "site-###"'],
  },
  {
    it: "refuses a share's",
    given: [tunnel({ name: "x" }), share({ name: "y" })],
    config: { shareNames: ["svc-@*", "*-old"] },
    says: ['web: name fits none of "svc-@*", "*-old"'],
  },
  ...[
    { stack: "a-stack-with-a-name-that-is-too-long-for-the-service-by-itself", name: "web" },
    { stack: "eu", name: "a-share-with-a-name-that-is-too-long-for-the-service-by-itself" },
    { stack: "feature/a_b", name: "web" },
  ].map(({ stack, name }) => ({
    it: `lets the derived name of ${name} in ${stack} pass`,
    given: [
      share(
        { name: derivedName(`acme::urn:pulumi:${stack}::project::${tokens.dynamic[1]}::${name}`) },
        { stack, name },
      ),
    ],
    config: settingsOf("follow-naming-convention"),
  })),
  {
    it: "refuses the derived name of another resource",
    given: [share({ name: derivedName(`acme::urn:pulumi:eu::other::${tokens.dynamic[1]}::web`) }, { stack: "eu" })],
    config: settingsOf("follow-naming-convention"),
    says: ["name fits none of"],
  },
  {
    it: "fills in a stack whose name is no name for the service",
    given: [share({ name: "a-b-x" }, { stack: "a_b" })],
    config: { shareNames: ["{stack}-*"] },
  },
]);

const typed = (type: string, props: Props = {}) => [{ type, props }];
checks(refuseUnknownTypes, [
  { it: "lets tunnels and shares pass", given: [tunnel({ __provider: ours }), share({ __provider: ours })] },
  ...[
    "frontdoor:index:IpsecSite",
    "pulumi:pulumi:Stack",
    "pulumi:providers:frontdoor",
    "azure-native:network:FrontDoor",
    "azure:frontdoor/frontdoor:Frontdoor",
    "company:frontdoor:Site",
  ].map((type) => ({ it: `lets ${type} pass`, given: typed(type) })),
  {
    it: "lets other dynamic resources pass",
    given: typed("pulumi-nodejs:dynamic:Resource", { __provider: "exports.x" }),
  },
  ...[
    "frontdoor:index:IpsecPeerGroup",
    "pulumi-nodejs:dynamic/frontdoor:IpsecPeerGroup",
    "frontdoor:index:Ipsectunnel",
    "frontdoor:vpn:IpsecTunnel",
    "pulumi-python:dynamic/frontdoor:IpsecTunnel",
  ].map((type) => ({
    it: `refuses ${type}`,
    given: typed(type),
    says: ["a type of the front door that no policy here knows"],
  })),
  ...["pulumi-nodejs:dynamic:Resource", "pulumi-nodejs:dynamic/company:Tunnel"].map((type) => ({
    it: `refuses ${type} served by this package's provider`,
    given: typed(type, { __provider: ours }),
    says: ["Its provider is the front door's"],
  })),
]);

const three = ["a", "b", "c"].map((name) => share({}, { name }));
checks(limitSharesPerTunnel, [
  { it: "lets some pass", given: [tunnel(), ...three] },
  { it: "lets the most pass", given: [tunnel(), ...three], config: { maxShares: 3 } },
  {
    it: "refuses one more",
    given: [tunnel(), ...three],
    config: { maxShares: 2 },
    says: ["hq: 3 shares are on one tunnel; at most 2"],
  },
  {
    it: "counts on a new tunnel",
    given: [tunnel(), ...three.map((each) => ({ ...each, props: { ipsecTunnelId: unknown } }))],
    config: { maxShares: 2 },
    says: ["hq: 3 shares"],
  },
  {
    it: "counts on a tunnel of another stack",
    given: three.map((each) => ({ ...each, dependsOn: {} })),
    config: { maxShares: 2 },
    says: ["a: 3 shares"],
  },
  {
    it: "counts each tunnel",
    given: [
      tunnel(),
      tunnel({}, { name: "other" }),
      ...three.slice(1),
      share({ ipsecTunnelId: "tnl-2" }, { dependsOn: { ipsecTunnelId: ["other"] } }),
    ],
    config: { maxShares: 2 },
  },
]);

const ignoring = (...ignoreChanges: string[]) => ({ opts: { ignoreChanges } });
checks(guardLifeCycleOptions, [
  { it: "lets resources without such options pass", given: [tunnel(), share()] },
  {
    it: "lets ignoreChanges pass on what nobody judges",
    given: [tunnel({}, ignoring("tunnelConfig")), share({}, ignoring("tags"))],
  },
  ...["target", '["target"]', "target.x"].map((path) => ({
    it: `refuses ignoreChanges on ${path}`,
    given: [share({}, ignoring(path))],
    says: ["web: ignoreChanges holds what policies judge: target."],
  })),
  {
    it: "refuses ignoreChanges on everything",
    given: [tunnel({}, ignoring("*"))],
    says: ["judge: peerPublicIp, peerCidr, "],
  },
  {
    it: "lets what may be ignored pass",
    given: [tunnel({}, ignoring("name", "locationId"))],
    config: { ignorable: ["name"] },
    says: ["judge: locationId."],
  },
  {
    it: "refuses what is adopted",
    given: [tunnel({ adopt: "tnl-9" })],
    says: ["hq: adopt names a resource that approvedAdoptions"],
  },
  { it: "lets what is approved pass", given: [share({ adopt: "shr-9" })], config: { approvedAdoptions: ["shr-9"] } },
]);

const places = {
  allowed: [
    { stacks: ["prod"], locations: ["eu-*"], frontdoors: ["fd-1"] },
    { stacks: ["dev"], locations: ["*"] },
  ],
};
checks(requireLocations, [
  { it: "lets every place pass by default", given: [tunnel(), share(at("anywhere"))] },
  { it: "lets fitting ones pass", given: [tunnel(at("eu-1"), { stack: "eu-prod-1" }), tunnel()], config: places },
  {
    it: "refuses another location",
    given: [tunnel(at("us-1"), { stack: "prod" }), share(at("us-1"), { stack: "prod" })],
    config: places,
    says: ["hq: locationId is none that allowed has", "web: locationId is none that allowed has"],
  },
  {
    it: "refuses another front door",
    given: [tunnel({ ...at("eu-1"), frontdoorId: "fd-2" }, { stack: "prod" })],
    config: places,
    says: ["hq: frontdoorId is none that allowed has"],
  },
  {
    it: "refuses a stack that is in no entry",
    given: [tunnel(at("eu-1"), { stack: "lab" })],
    config: places,
    says: ["Its stack is in none"],
  },
  {
    it: "refuses a tunnel that goes anywhere",
    given: [tunnel({}, { stack: "prod" })],
    config: places,
    says: ["locationId is not set"],
  },
  { it: "lets a share go where its tunnel is", given: [share({}, { stack: "prod" })], config: places },
  {
    it: "wants a location in the preset strict",
    given: [tunnel(), tunnel(at("x"))],
    config: settingsOf("require-locations"),
    says: ["hq: locationId is not set"],
  },
  { it: "passes over an unknown location", given: [tunnel(at(unknown), { stack: "prod" })], config: places },
]);
