import { UNKNOWN } from "../../provider/fields/field";
import { openService } from "../../provider/run/service";
import { systemClock } from "../../provider/time";
import { readConfig } from "../../provider/config";
import { knownOutputs, shareLifecycle } from "../../provider/resources/share";
import { tunnelLifecycle } from "../../provider/resources/tunnel";
import { memoryRecords, chosen, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";
import { changesByProperty } from "../../provider/lifecycle/differences";
import { near } from "../../provider/nearest";
import { wireShare } from "../../provider/api/wire";
import * as values from "../../provider/fields/values";
import { hq } from "../harness/things";
import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import { type Kind, type OpenAdapter, type Props, typeTokens } from "../model/program";

const config = readConfig(() => undefined, { FRONTDOOR_TOKEN: "t", FRONTDOOR_ID: "fd-1" });

const transport = { send: () => Promise.reject(new Error("check sends nothing")), close: () => Promise.resolve() };

const opened = () =>
  openService({ config, clock: systemClock, transport, say: () => undefined, records: memoryRecords() });

const tunnels = tunnelLifecycle(opened());

const shares = shareLifecycle(opened());

const check = (lifecycle: typeof tunnels | typeof shares, news: Record<string, unknown>) =>
  lifecycle.check({ news, olds: {}, origin: undefined });

const tunnel = hq;

const share = { name: "web", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

const long = "x".repeat(100_000);

/** One row for each wrong value. */
const each = (wrong: Record<string, unknown[]>) =>
  Object.entries(wrong).flatMap(([property, values]) => values.map((value): [string, unknown] => [property, value]));

const wrongOfTunnels = each({
  peerPublicIp: [
    ...[undefined, "", 3405803783, long, "vpn.example.com", "203.0.113.07", "203.0.113.256", "2001:db8::1"],
    ...["127.0.0.1", "127.8.8.8", "224.0.0.1", "239.1.1.1", "255.255.255.255", "0.0.0.0"],
  ],
  peerCidr: [
    ...["10.20.0.0", "10.20.0.1/16", "10.20.0.0/33", "10.20.0.0/-1", "10.20/16", "010.20.0.0/16"],
    ...["2001:db8::1/32", long],
  ],
  nlbPrivateIp: ["8.8.8.8", "10.0.0"],
  name: ["", " hq", "a\u001b[31m"],
  locationId: ["", "x".repeat(256), "a\nb"],
  frontdoorId: ["..", "%2e%2e"],
  storeSampleConfig: ["yes"],
  peerIp: ["203.0.113.7"],
});

const wrongOfShares = each({
  ipsecTunnelId: [undefined, "..", "a/b", `x${"y".repeat(10_000)}`],
  target: [
    ...[
      undefined,
      "web.internal",
      "web.internal:",
      ":443",
      "web.internal:0",
      "web.internal:65536",
      "web.internal:0443",
    ],
    ...["https://web.internal:443", "web.internal:443/path", "user@web.internal:443", "web internal:443"],
    ...["10.0.0.256:443", "10.0.1:443", "0x08080808:443", "0xA9FEA9FE:80", "10.0.0.0x1:80", "web.0x:80"],
    ...["2001:db8::1:443", "[2001:db8::g]:443", "-web.internal:443", "web..internal:443", `${long}:443`],
  ],
  ingressPort: [undefined, 0, -1, 65536, 1.5, "80", Number.NaN],
  name: ["", "a".repeat(64), "-web", "web-", "my_web", "web.1"],
  envZId: [undefined, ""],
  locationId: [""],
  frontdoorId: ["a b"],
});

it.each([
  ...wrongOfTunnels.map(([property, value]) => ["tunnel", property, value] as const),
  ...wrongOfShares.map(([property, value]) => ["share", property, value] as const),
])("a %s is refused with %s = %j", (kind, property, value) => {
  const [lifecycle, right] = kind === "tunnel" ? ([tunnels, tunnel] as const) : ([shares, share] as const);
  const { failures } = check(lifecycle, { ...right, [property]: value });
  expect(failures.map((failure) => failure.property)).toEqual([property]);
  expect(failures[0]?.reason).toMatch(/^(must be|is required: |is not an argument)/);
});

it.each(
  each({
    peerPublicIp: [
      ...["1.1.1.1", "192.0.2.1", "198.51.100.9", "203.0.113.7", "172.32.0.1"],
      ...["10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.1.1", "240.0.0.1"],
    ],
    peerCidr: ["0.0.0.0/0", "10.20.30.40/32", "192.168.0.0/24"],
  }),
)("a tunnel is accepted with %s = %j", (property, value) => {
  expect(check(tunnels, { ...tunnel, [property]: value }).failures).toEqual([]);
});

it.each(["web:1", "10.0.0.1:65535", "[2001:db8::1]:443", "db_1.corp.example:5432", "db.corp.example.:5432"])(
  "a share is accepted with the target %s",
  (target) => {
    expect(check(shares, { ...share, target }).failures).toEqual([]);
  },
);

describe("the check of a share", () => {
  it("wants exactly one of envZId and envId, and keeps it as envZId", () => {
    const rest = { ...share, envZId: undefined };
    expect(check(shares, { ...share, envId: "env-1" }).failures).toMatchObject([{ property: "envId" }]);
    expect(check(shares, rest).failures).toMatchObject([{ property: "envZId" }]);
    expect(check(shares, { ...rest, envId: "env-1" })).toEqual({
      inputs: { ...share, frontdoorId: "fd-1" },
      failures: [],
      isNameDerived: false,
      aliased: ["envZId"],
    });
    expect(check(shares, { ...rest, envId: UNKNOWN }).inputs).toMatchObject({ envZId: UNKNOWN });
  });
});

describe("the cause of a wrong value is named, with the right spelling", () => {
  it.each([
    ["target", "2001:db8::1:443", "needs brackets. Did you mean [2001:db8::1]:443?"],
    ["target", "2001:db8::a", "needs brackets. Write [2001:db8::1]:443"],
    ["target", "b\u00fccher.example:443", "Did you mean xn--bcher-kva.example:443?"],
    ["target", "web.internal:443\n", "Remove the space or line break around it. Did you mean web.internal:443?"],
    ["envZId", "env-1 ", "Did you mean env-1?"],
    ["name", "w".repeat(64), "It has 64 characters, and the most are 63"],
    ["ipsecTunnelId", "t".repeat(129), "It has 129 characters, and the most are 128"],
  ])("of a share: %s %j", (property, value, says) => {
    expect(check(shares, { ...share, [property]: value }).failures[0]?.reason).toContain(says);
  });
});

it("tells what differs by its path, and of what one side lacks the whole", () => {
  const olds = { target: "a:1", size: 1, shares: { web: { target: "a:1", ingressPort: 1 }, old: { target: "b:1" } } };
  const news = { target: "a:1", name: "x", shares: { web: { target: "a:2", ingressPort: 1 }, new: { target: "c:1" } } };
  expect(changesByProperty(olds, news, ["name", "status"])).toEqual({
    name: "add-replace",
    size: "delete",
    'shares["web"].target': "update",
    'shares["old"]': "delete",
    'shares["new"]': "add",
    status: "update-replace",
  });
});

const wrong = ["..", ".", "fd-1/../fd-2", "a/b", "a%2Fb", "fd-1?x=1", "fd 1", "", "é", "a".repeat(129)];

it.each<[string, (world: World, of: { frontdoorId: string }) => Promise<unknown>]>([
  ["tunnel create", (world, of) => world.tunnels.create({ ...tunnelInputs, ...of }, chosen, world.within(60))],
  ["tunnel read", (world, of) => world.tunnels.read("tnl-1", { ...tunnelInputs, status: "", ...of }, world.within(60))],
  [
    "tunnel delete",
    (world, of) => world.tunnels.delete("tnl-1", { ...tunnelInputs, status: "", ...of }, world.within(60)),
  ],
  ["share create", (world, of) => world.shares.create({ ...shareInputs("tnl-1"), ...of }, chosen, world.within(60))],
  [
    "share update",
    (world, of) => {
      const [inputs, status] = [shareInputs("tnl-1"), "DEPLOYED"];
      return world.shares.update(
        "shr-1",
        { ...inputs, status, ...of },
        { ...inputs, ingressPort: 1, ...of },
        world.within(60),
      );
    },
  ],
])("%s sends nothing if the front door id is none", async (_, call) => {
  const world = await openWorld();
  for (const frontdoorId of wrong)
    await expect(call(world, { frontdoorId })).rejects.toThrow(/^frontdoorId .*\[front-door-id\]$/);
  expect(world.calls()).toEqual([]);
});

describe("near names", () => {
  const names = ["shop-prod-hq", "shop-prod-plant", "hqs", "db", "Plant Nord"];
  it.each([
    ["hq", ["hqs", "shop-prod-hq"]],
    ["plant-prod", ["shop-prod-plant", "shop-prod-hq", "Plant Nord"]],
    ["nobody", []],
  ])("to %j are %j", (...[name, meant]) => {
    expect(near(name, names)).toEqual(meant);
  });
});

describe("a preview of a share", () => {
  const inputs = { ...share, frontdoorId: "fd-1" };
  const ready = { ...inputs, locationId: "loc-1", status: "DEPLOYED", __set: [] };
  it.each([
    ["that is not there", undefined, UNKNOWN],
    ["that is ready", ready, "loc-1"],
    ["that is not ready", { ...ready, status: "NEW" }, UNKNOWN],
    ["that loses its location", { ...ready, __set: ["locationId"] }, UNKNOWN],
  ])("knows what the program gives, and what Frontdoor has chosen for one %s", (_what, state, locationId) => {
    expect(knownOutputs(inputs, state)).toEqual({ ...inputs, status: "DEPLOYED", locationId });
  });
});

describe("one address and its block", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7/32", true],
    ["2001:db8::7", "2001:db8::7/128", true],
    ["2001:db8::", "2001:db8::/32", false],
    ["203.0.113.0", "203.0.113.0/24", false],
  ])("%s and %s are one value: %s", (address, block, isOne) => {
    expect(values.sameSpelling(address, block)).toBe(isOne);
  });
});

describe("an entry of the service", () => {
  const entry = { id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", target: "a:1", ingressPort: 1, status: "NEW" };

  it("may have numbers as ids, which are read as text", () => {
    expect(wireShare.parse({ ...entry, id: 7, ipsecTunnelId: 1, envId: 2 })).toMatchObject({
      ...{ id: "7", ipsecTunnelId: "1", envZId: "2" },
    });
  });

  it("is bare where it is going and shows no more than that, and wrong where it is not", () => {
    const { id, name } = entry;
    const bare = { id, name, status: "DELETING", ipsecTunnelId: "", envZId: "", target: "", ingressPort: 0 };
    expect(wireShare.parse({ id, name, status: "DELETING" })).toEqual(bare);
    const { error } = wireShare.safeParse({ id, name, status: "NEW" });
    expect(error?.issues.map(({ path }) => path.join())).toEqual(["ipsecTunnelId", "envZId", "target", "ingressPort"]);
  });
});

const kinds: [kind: Kind, args: Props][] = [
  ["tunnels", hq],
  ["shares", share],
  [
    "sets",
    { ipsecTunnelId: "tnl-1", envZId: "env-1", shares: { web: { target: "web.internal:443", ingressPort: 443 } } },
  ],
  ["connections", { tunnelId: "tnl-1" }],
];
const ways: [name: string, open: OpenAdapter][] = [
  ["dynamic", dynamicAdapter],
  ["plugin", pluginAdapter],
];

describe.each(ways)("the front door of FRONTDOOR_ID, on the %s adapter", (_, open) => {
  const checked = (kind: Kind, stackConfig: object, olds: Props, news: Props) => {
    const given = Object.entries(stackConfig);
    const setting = (key: string) => given.find(([name]) => name === key)?.[1] as string | undefined;
    const service = openService({
      ...{ config: readConfig(setting, { FRONTDOOR_TOKEN: "t", FRONTDOOR_ID: "fd-2" }), clock: systemClock },
      ...{ transport, say: () => undefined, records: memoryRecords() },
    });
    const of = { kind, urn: `urn:pulumi:test::engine::${typeTokens[kind]}::${kind}` };
    return open(service, setting).check(of, olds, news);
  };
  const stack = { "frontdoor:frontdoorId": "fd-2" };

  it.each(kinds)("never moves %s that the state has, and applies to new ones", async (kind, args) => {
    const { inputs } = await checked(kind, {}, {}, args);
    expect(inputs).toMatchObject({ frontdoorId: "fd-2" });
    const olds = { ...inputs, frontdoorId: "fd-1" };
    expect((await checked(kind, {}, olds, args)).failures).toEqual([
      {
        property: "frontdoorId",
        reason: expect.stringMatching(/FRONTDOOR_ID \(fd-2\).*front door fd-1.*\[front-door-differs\]$/) as string,
      },
    ]);
    for (const [config, news] of [
      [stack, args],
      [{}, { ...args, frontdoorId: "fd-2" }],
    ] as const)
      expect(await checked(kind, config, olds, news)).toMatchObject({ failures: [], inputs: { frontdoorId: "fd-2" } });
    expect((await checked(kind, {}, inputs, args)).failures).toEqual([]);
  });
});
