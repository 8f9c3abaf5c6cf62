import fc from "fast-check";
import * as all from "../../policy/index";
import { type Props, unknown, checks, each, share, tunnel } from "./checking";
import { blockOf, type Claim, clashes } from "../../policy/networks";
import { matches } from "../../policy/names";

describe("peers", () => {
  const refusedPeers = [
    ...["10.0.0.1", "100.64.1.1", "127.0.0.1", "169.254.1.1", "224.0.0.1", "240.0.0.1", "0.0.0.0", "a.example"],
  ];

  const peer = (peerPublicIp: string) => tunnel({ peerPublicIp }, { name: "other" });

  checks(all.usePublicPeers, [
    ["lets public and documentation addresses pass", [peer("8.8.4.4"), tunnel()]],
    ["leaves shares alone", share({ peerPublicIp: "10.0.0.1" })],
    ...each(refusedPeers, (ip) => [`refuses ${ip}`, peer(ip), "other: peerPublicIp is not a publicly routable"]),
    ["refuses examples if told", tunnel(), "documentation (RFC 5737)", { allowDocumentationRanges: false }],
    ["refuses refused networks", peer("8.8.4.4"), "peerPublicIp is in one", { refusedNetworks: ["8.8.0.0/16"] }],
  ]);

  const block = (peerCidr: string) => tunnel({ peerCidr });

  const noSites = [
    ...["169.254.0.0/16", "127.0.0.0/12", "127.0.0.0/8", "224.0.0.0/16", "240.0.0.0/12", "0.0.0.0/12"],
    ...["fe80::/64", "ff02::/64"],
  ];

  const everything = { allowedPublicNetworks: ["0.0.0.0/0", "::/0"] };

  checks(all.limitPeerNetworks, [
    [
      "lets private and unique local blocks pass",
      [block("10.20.0.0/16"), block("172.16.0.0/12"), block("fd00:1::/48")],
    ],
    ["leaves what is no block to the provider", block("office")],
    ["refuses everything", [block("0.0.0.0/0"), block("::/0")], ["the whole address space", "the whole address space"]],
    ["refuses wide blocks", [block("10.0.0.0/8"), block("fc00::/7")], ["wider than /12", "wider than /32"]],
    ["refuses public space, also in part", ["8.8.0.0/16", "192.160.0.0/12"].map(block), Array(2).fill("public space")],
    ...each(noSites, (cidr) => [
      `refuses ${cidr}, whatever is allowed`,
      block(cidr),
      "No site can have this space",
      everything,
    ]),
    ["lets allowed public space pass", block("8.8.4.0/24"), [], { allowedPublicNetworks: ["8.8.0.0/16"] }],
    ["takes another limit", tunnel(), "wider than /24", { widestPrefix: 24 }],
    ["takes another IPv6 limit", block("fd00:1::/48"), "wider than /56", { widestIpv6Prefix: 56 }],
  ]);

  const octet = (name: string) => 1 + (name.charCodeAt(0) % 200);

  /** Each site has a device of its own. */
  const site = (name: string, peerCidr: string, bend: Props = {}) =>
    tunnel({ peerCidr, peerPublicIp: `198.51.100.${octet(name)}`, ...bend }, { name });

  const onePeer = { peerPublicIp: "203.0.113.9" };

  const [a, b] = [site("a", "10.1.0.0/16"), site("b", "10.2.0.0/16")];

  const within = [site("inner", "10.1.2.0/24"), site("outer", "10.1.0.0/16")];

  const wide = [site("wide", "10.0.0.0/8"), a, b, site("c", "11.0.0.0/8")];

  const same = (first: Props, second: Props) => [site("a", "10.1.0.0/16", first), site("b", "10.1.0.0/16", second)];

  const twoFronts = same({}, { frontdoorId: "fd-2" });

  const reserving = (...reservedNetworks: string[]) => ({ reservedNetworks });

  const two = reserving("10.2.0.0/16", "10.3.0.0/16");

  const reserved = "peerCidr overlaps the reserved network";

  const overlapsA = 'b: peerCidr overlaps the network of tunnel "a"';

  checks(all.separatePeerNetworks, [
    ["lets separate networks pass", [a, b]],
    ["keeps IPv4 and IPv6 apart", [a, site("b", "fd00::/16")]],
    ["sees one in another, whatever their order", within, 'inner: peerCidr overlaps the network of tunnel "outer"'],
    [
      "sees all in a wide one",
      wide,
      ["a", "b"].map((name) => `${name}: peerCidr overlaps the network of tunnel "wide"`),
    ],
    ["sees a reserved network around a site's", [a, b], `b: ${reserved} 10.2.0.0/15`, reserving("10.2.0.0/15")],
    ["sees two within a site's once", site("a", "10.0.0.0/8"), `a: ${reserved} 10.2`, two],
    ["lets reserved networks overlap", a, [], reserving("11.0.0.0/8", "11.1.0.0/16")],
    [
      "sees a third site there",
      [...same(onePeer, onePeer), site("c", "10.1.2.0/24")],
      "c: peerCidr overlaps the network of tu",
    ],
    ["sees two of one peer", [site("a", "10.1.0.0/16", onePeer), site("b", "10.1.2.0/24", onePeer)], overlapsA],
    ["keeps front doors apart", twoFronts],
    ["leaves a tunnel on an unknown front door out", same({}, { frontdoorId: unknown })],
    ["sees reserved ones on both", twoFronts, [`a: ${reserved}`, `b: ${reserved}`], reserving("10.1.0.0/24")],
    ["leaves an unknown one out", [a, site("b", unknown)]],
  ]);
});

const claim = (cidr: string, name?: string): Claim => {
  const block = blockOf(cidr);
  if (!block) throw new Error(cidr);
  return { block, cidr, ...(name !== undefined && { tunnel: { name, urn: `urn:${name}` } }) };
};

const overlap = (a: Claim, b: Claim) =>
  a.block.family === b.block.family && a.block.first <= b.block.last && b.block.first <= a.block.last;

const cidrs = fc.oneof(
  fc.tuple(fc.nat(255), fc.integer({ min: 6, max: 16 })).map(([second, prefix]) => `10.${second}.0.0/${prefix}`),
  fc.nat(40).map((prefix) => `fd00::/${prefix + 8}`),
);

const claims = fc
  .array(fc.tuple(cidrs, fc.boolean()), { maxLength: 12 })
  .map((list) => list.map(([cidr, reserved], index) => claim(cidr, reserved ? undefined : `t${index}`)));

describe("clashes", () => {
  it("are found as by comparing each with each", () => {
    fc.assert(
      fc.property(claims, (all) => {
        const found = clashes(all);
        const named = new Set(found.flatMap(({ tunnel, other }) => [tunnel.name, other.tunnel?.name]));
        for (const { tunnel, other } of found) {
          const own = all.find((each) => each.tunnel === tunnel);
          expect(own && overlap(own, other)).toBe(true);
        }
        for (const one of all) {
          const clashing = all.some((other) => other !== one && (one.tunnel ?? other.tunnel) && overlap(one, other));
          if (one.tunnel && clashing) expect(named).toContain(one.tunnel.name);
        }
      }),
    );
  });

  it("of many networks that all overlap are as many as the networks, not as their pairs", () => {
    const all = Array.from({ length: 2000 }, (_, index) => claim("10.0.0.0/8", `t${index}`));
    expect(clashes(all)).toHaveLength(1999);
  });
});

describe("a pattern", () => {
  it("fits as the regular expression of the same meaning does", () => {
    const parts = { "*": "[^]*", "?": ".", "#": "\\d", "@": "[a-z]", ".": "\\.", "[": "\\[" };
    const pattern = fc.array(fc.constantFrom("a", "b", "-", ...Object.keys(parts)), { maxLength: 8 });
    const text = fc.array(fc.constantFrom("a", "b", "B", "7", "-", ".", "["), { maxLength: 10 });
    const asRegExp = (each: string) => (each in parts ? parts[each as keyof typeof parts] : each);
    fc.assert(
      fc.property(pattern, text, (glob, name) => {
        const expected = new RegExp(`^${glob.map(asRegExp).join("")}$`).test(name.join(""));
        expect(matches(glob.join(""), name.join(""))).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it("ends on a text for which a regular expression would not", () => {
    expect(matches(`${"*a".repeat(99)}*b`, "a".repeat(255))).toBe(false);
  });
});
