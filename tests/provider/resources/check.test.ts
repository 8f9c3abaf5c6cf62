import { type Planned, UNKNOWN } from "../../../provider/fields/field";
import { openService } from "../../../provider/service";
import { systemClock } from "../../../provider/time/clock";
import { readConfig } from "../../../provider/config";
import type { Diff } from "../../../provider/resources/lifecycle";
import { ShareLifecycle } from "../../../provider/resources/share";
import type { ShareInputs, ShareOutputs } from "../../../provider/resources/share-inputs";
import { TunnelLifecycle } from "../../../provider/resources/tunnel";
import { memoryRecords } from "../world";

const config = readConfig(() => undefined, { FRONTDOOR_TOKEN: "t", FRONTDOOR_ID: "fd-1" });
const transport = { send: () => Promise.reject(new Error("check sends nothing")), close: () => Promise.resolve() };
const opened = () =>
  openService({ config, clock: systemClock, transport, say: () => undefined, records: memoryRecords() });
const tunnels = new TunnelLifecycle(opened());
const shares = new ShareLifecycle(opened());

const check = (lifecycle: typeof tunnels | typeof shares, news: Record<string, unknown>) =>
  lifecycle.check({ news, olds: {}, origin: undefined });

const tunnel = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const share = { name: "web", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

const long = "x".repeat(100_000);

describe("tunnel check", () => {
  it.each<
    [
      property: keyof typeof tunnel | "locationId" | "nlbPrivateIp" | "frontdoorId" | "storeSampleConfig" | "peerIp",
      value: unknown,
    ]
  >([
    ["peerPublicIp", undefined],
    ["peerPublicIp", ""],
    ["peerPublicIp", "10.0.0.1"],
    ["peerPublicIp", "172.16.0.1"],
    ["peerPublicIp", "192.168.1.1"],
    ["peerPublicIp", "100.64.0.1"],
    ["peerPublicIp", "127.0.0.1"],
    ["peerPublicIp", "169.254.1.1"],
    ["peerPublicIp", "224.0.0.1"],
    ["peerPublicIp", "240.0.0.1"],
    ["peerPublicIp", "255.255.255.255"],
    ["peerPublicIp", "0.0.0.0"],
    ["peerPublicIp", "203.0.113.07"],
    ["peerPublicIp", "203.0.113.256"],
    ["peerPublicIp", "2001:db8::1"],
    ["peerPublicIp", "vpn.example.com"],
    ["peerPublicIp", 3405803783],
    ["peerPublicIp", long],
    ["peerCidr", "10.20.0.0"],
    ["peerCidr", "10.20.0.1/16"],
    ["peerCidr", "10.20.0.0/33"],
    ["peerCidr", "10.20.0.0/-1"],
    ["peerCidr", "10.20/16"],
    ["peerCidr", "010.20.0.0/16"],
    ["peerCidr", "2001:db8::1/32"],
    ["peerCidr", long],
    ["nlbPrivateIp", "8.8.8.8"],
    ["nlbPrivateIp", "10.0.0"],
    ["name", ""],
    ["name", " hq"],
    ["name", "a\u001b[31m"],
    ["locationId", ""],
    ["locationId", "x".repeat(256)],
    ["locationId", "a\nb"],
    ["frontdoorId", ".."],
    ["frontdoorId", "%2e%2e"],
    ["storeSampleConfig", "yes"],
    ["peerIp", "203.0.113.7"],
  ])("refuses %s = %j", (property, value) => {
    const { failures } = check(tunnels, { ...tunnel, [property]: value });
    expect(failures.map((failure) => failure.property)).toEqual([property]);
    expect(failures[0]?.reason).toMatch(/^(must be|is required: |is not an input)/);
    expect(failures[0]?.reason.length).toBeLessThan(250);
  });

  it.each(["1.1.1.1", "192.0.2.1", "198.51.100.9", "203.0.113.7", "172.32.0.1"])(
    "accepts the peer address %s",
    (peerPublicIp) => {
      expect(check(tunnels, { ...tunnel, peerPublicIp }).failures).toEqual([]);
    },
  );

  it.each(["0.0.0.0/0", "10.20.30.40/32", "192.168.0.0/24", "2001:db8::/32"])(
    "accepts the peer network %s",
    (peerCidr) => {
      expect(check(tunnels, { ...tunnel, peerCidr }).failures).toEqual([]);
    },
  );

  it("says which network was meant", () => {
    expect(check(tunnels, { ...tunnel, peerCidr: "10.20.3.1/16" }).failures[0]?.reason).toContain(
      "did you mean 10.20.0.0/16?",
    );
  });

  it("names every problem at once", () => {
    const { failures } = check(tunnels, { name: "", peerPublicIp: "10.0.0.1", peerCidr: "x", nlbPrivateIp: "y" });
    expect(failures.map(({ property }) => property).sort()).toEqual([
      "name",
      "nlbPrivateIp",
      "peerCidr",
      "peerPublicIp",
    ]);
  });

  it("passes unknown values through and fills in the configured front door", () => {
    const { inputs, failures } = check(tunnels, { ...tunnel, peerPublicIp: UNKNOWN, locationId: UNKNOWN });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ ...tunnel, peerPublicIp: UNKNOWN, locationId: UNKNOWN, frontdoorId: "fd-1" });
  });
});

describe("share check", () => {
  it.each<[property: string, value: unknown]>([
    ["ipsecTunnelId", undefined],
    ["ipsecTunnelId", ".."],
    ["ipsecTunnelId", "a/b"],
    ["ipsecTunnelId", `x${"y".repeat(10_000)}`],
    ["target", undefined],
    ["target", "web.internal"],
    ["target", "web.internal:"],
    ["target", ":443"],
    ["target", "web.internal:0"],
    ["target", "web.internal:65536"],
    ["target", "web.internal:0443"],
    ["target", "https://web.internal:443"],
    ["target", "web.internal:443/path"],
    ["target", "user@web.internal:443"],
    ["target", "web internal:443"],
    ["target", "10.0.0.256:443"],
    ["target", "10.0.1:443"],
    ["target", "0x08080808:443"],
    ["target", "0xA9FEA9FE:80"],
    ["target", "10.0.0.0x1:80"],
    ["target", "web.0x:80"],
    ["target", "2001:db8::1:443"],
    ["target", "[2001:db8::g]:443"],
    ["target", "-web.internal:443"],
    ["target", "web..internal:443"],
    ["target", `${long}:443`],
    ["ingressPort", undefined],
    ["ingressPort", 0],
    ["ingressPort", -1],
    ["ingressPort", 65536],
    ["ingressPort", 1.5],
    ["ingressPort", "80"],
    ["ingressPort", Number.NaN],
    ["name", ""],
    ["name", "a".repeat(64)],
    ["name", "-web"],
    ["name", "web-"],
    ["name", "my_web"],
    ["name", "web.1"],
    ["envZId", undefined],
    ["envZId", ""],
    ["locationId", ""],
    ["frontdoorId", "a b"],
  ])("refuses %s = %j", (property, value) => {
    const { failures } = check(shares, { ...share, [property]: value });
    expect(failures.map((failure) => failure.property)).toEqual([property]);
    expect(failures[0]?.reason).toMatch(/^(must be|is required: )/);
  });

  it.each(["web:1", "10.0.0.1:65535", "[2001:db8::1]:443", "db_1.corp.example:5432", "db.corp.example.:5432"])(
    "accepts the target %s",
    (target) => {
      expect(check(shares, { ...share, target }).failures).toEqual([]);
    },
  );

  it("wants exactly one of envZId and envId, and keeps it as envZId", () => {
    const rest = { ...share, envZId: undefined };
    expect(check(shares, { ...share, envId: "env-1" }).failures).toMatchObject([{ property: "envId" }]);
    expect(check(shares, rest).failures).toMatchObject([{ property: "envZId" }]);
    expect(check(shares, { ...rest, envId: "env-1" })).toEqual({
      inputs: { ...share, frontdoorId: "fd-1" },
      failures: [],
      isNameDerived: false,
      moved: ["envZId"],
    });
    expect(check(shares, { ...rest, envId: UNKNOWN }).inputs).toMatchObject({ envZId: UNKNOWN });
  });

  it("passes a share of which everything is unknown", () => {
    const { inputs, failures } = check(shares, Object.fromEntries(Object.keys(share).map((key) => [key, UNKNOWN])));
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ target: UNKNOWN });
  });
});

describe("share diff", () => {
  const olds = { ...share, frontdoorId: "fd-1", status: "DEPLOYED", locationId: "loc-1" };
  const news = { ...share, frontdoorId: "fd-1" };
  it.each([
    ["nothing", olds, news, { changes: false, replaces: [], deleteBeforeReplace: true }],
    [
      "letter case of a host",
      olds,
      { ...news, target: "WEB.internal:443" },
      { changes: false, replaces: [], deleteBeforeReplace: true },
    ],
    [
      "spelling of an address",
      { ...olds, target: "[2001:db8::1]:1" },
      { ...news, target: "[2001:DB8:0::1]:1" },
      { changes: false, replaces: [], deleteBeforeReplace: true },
    ],
    ["the target", olds, { ...news, target: "b:1" }, { changes: true, replaces: [], deleteBeforeReplace: true }],
    [
      "another known tunnel",
      olds,
      { ...news, ipsecTunnelId: "tnl-2" },
      { changes: true, replaces: [], deleteBeforeReplace: true },
    ],
    [
      "an unknown target",
      olds,
      { ...news, target: UNKNOWN },
      { changes: true, replaces: [], deleteBeforeReplace: true },
    ],
    [
      "the front door",
      olds,
      { ...news, frontdoorId: "fd-2" },
      { changes: true, replaces: ["frontdoorId"], deleteBeforeReplace: false },
    ],
    ["a location the service chose", olds, news, { changes: false, replaces: [], deleteBeforeReplace: true }],
    [
      "a location the user has removed",
      { ...olds, __set: ["locationId" as const] },
      news,
      { changes: true, replaces: [], deleteBeforeReplace: true },
    ],
    ["a stored ERROR", { ...olds, status: "ERROR" }, news, { changes: true, replaces: [], deleteBeforeReplace: true }],
  ] satisfies [string, ShareOutputs, Planned<ShareInputs>, Omit<Diff, "isOfInputs">][])(
    "%s",
    async (_name, before, after, diff) => {
      expect(await new ShareLifecycle(opened()).diff("shr-1", before, after, { deadlineMs: Infinity })).toMatchObject(
        diff,
      );
    },
  );
});
