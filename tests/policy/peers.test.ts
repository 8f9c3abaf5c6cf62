import { limitPeerNetworks, separatePeerNetworks, usePublicPeers } from "../../policy/index";
import { type Props, unknown } from "./checking";
import { checks, share, tunnel } from "./tables";

checks(usePublicPeers, [
  { it: "lets a public address pass", given: [tunnel({ peerPublicIp: "8.8.4.4" })] },
  { it: "lets a documentation address pass", given: [tunnel()] },
  { it: "leaves shares alone", given: [share({ peerPublicIp: "10.0.0.1" })] },
  ...["10.0.0.1", "100.64.1.1", "127.0.0.1", "169.254.1.1", "224.0.0.1", "240.0.0.1", "0.0.0.0", "peer.example"].map(
    (peerPublicIp) => ({
      it: `refuses ${peerPublicIp}`,
      given: [tunnel({ peerPublicIp })],
      says: ["hq: peerPublicIp is not a publicly routable"],
    }),
  ),
  {
    it: "refuses documentation addresses where they are not allowed",
    given: [tunnel()],
    config: { allowDocumentationRanges: false },
    says: ["documentation (RFC 5737)"],
  },
  {
    it: "refuses networks that are refused",
    given: [tunnel(), tunnel({ peerPublicIp: "8.8.4.4" }, { name: "other" })],
    config: { refusedNetworks: ["8.8.0.0/16"] },
    says: ["other: peerPublicIp is in one of refusedNetworks"],
  },
]);

checks(limitPeerNetworks, [
  { it: "lets a private block pass", given: [tunnel()] },
  { it: "lets the widest block pass", given: [tunnel({ peerCidr: "172.16.0.0/12" })] },
  { it: "lets a unique local block pass", given: [tunnel({ peerCidr: "fd00:1::/48" })] },
  { it: "leaves what is no block to the provider", given: [tunnel({ peerCidr: "office" })] },
  { it: "refuses everything", given: [tunnel({ peerCidr: "0.0.0.0/0" })], says: ["the whole address space"] },
  { it: "refuses everything in IPv6", given: [tunnel({ peerCidr: "::/0" })], says: ["the whole address space"] },
  { it: "refuses a wide block", given: [tunnel({ peerCidr: "10.0.0.0/8" })], says: ["wider than /12"] },
  { it: "refuses a wide IPv6 block", given: [tunnel({ peerCidr: "fc00::/7" })], says: ["wider than /32"] },
  { it: "refuses public space", given: [tunnel({ peerCidr: "8.8.0.0/16" })], says: ["public space"] },
  ...[
    "169.254.0.0/16",
    "127.0.0.0/12",
    "127.0.0.0/8",
    "224.0.0.0/16",
    "240.0.0.0/12",
    "0.0.0.0/12",
    "fe80::/64",
    "ff02::/64",
  ].map((peerCidr) => ({
    it: `refuses ${peerCidr}, whatever is allowed`,
    given: [tunnel({ peerCidr })],
    config: { allowedPublicNetworks: ["0.0.0.0/0", "::/0"] },
    says: ["loopback, link-local, multicast or reserved space, which is no site's and cannot be allowed"],
  })),
  {
    it: "refuses space that is private in part",
    given: [tunnel({ peerCidr: "192.160.0.0/12" })],
    says: ["public space"],
  },
  {
    it: "lets public space pass that is allowed",
    given: [tunnel({ peerCidr: "8.8.4.0/24" })],
    config: { allowedPublicNetworks: ["8.8.0.0/16"] },
  },
  { it: "takes another limit", given: [tunnel()], config: { widestPrefix: 24 }, says: ["wider than /24"] },
  {
    it: "takes another IPv6 limit",
    given: [tunnel({ peerCidr: "fd00:1::/48" })],
    config: { widestIpv6Prefix: 56 },
    says: ["wider than /56"],
  },
]);

const octet = (name: string) => 1 + (name.charCodeAt(0) % 200);
/** Each site has a device of its own. */
const site = (name: string, peerCidr: string, bend: Props = {}) =>
  tunnel({ peerCidr, peerPublicIp: `198.51.100.${octet(name)}`, ...bend }, { name });
const onePeer = { peerPublicIp: "203.0.113.9" };
checks(separatePeerNetworks, [
  { it: "lets separate networks pass", given: [site("a", "10.1.0.0/16"), site("b", "10.2.0.0/16")] },
  { it: "keeps IPv4 and IPv6 apart", given: [site("a", "10.1.0.0/16"), site("b", "fd00::/16")] },
  {
    it: "names both of two that are the same",
    given: [site("a", "10.1.0.0/16"), site("b", "10.1.0.0/16")],
    says: ['b: peerCidr overlaps that of tunnel "a"'],
  },
  {
    it: "sees one in another, whatever their order",
    given: [site("inner", "10.1.2.0/24"), site("outer", "10.1.0.0/16")],
    says: ['inner: peerCidr overlaps that of tunnel "outer"'],
  },
  {
    it: "sees all that lie in a wide one",
    given: [site("wide", "10.0.0.0/8"), site("a", "10.1.0.0/16"), site("b", "10.2.0.0/16"), site("c", "11.0.0.0/8")],
    says: ['a: peerCidr overlaps that of tunnel "wide"', 'b: peerCidr overlaps that of tunnel "wide"'],
  },
  {
    it: "sees a reserved network around a site's",
    given: [site("a", "10.1.0.0/16"), site("b", "10.2.0.0/16")],
    config: { reservedNetworks: ["10.2.0.0/15"] },
    says: ["b: peerCidr overlaps the reserved network 10.2.0.0/15"],
  },
  {
    it: "sees reserved networks within a site's, and says so once",
    given: [site("a", "10.0.0.0/8")],
    config: { reservedNetworks: ["10.2.0.0/16", "10.3.0.0/16"] },
    says: ["a: peerCidr overlaps the reserved network 10.2.0.0/16"],
  },
  {
    it: "lets reserved networks overlap",
    given: [site("a", "10.1.0.0/16")],
    config: { reservedNetworks: ["11.0.0.0/8", "11.1.0.0/16"] },
  },
  {
    it: "lets two tunnels to one peer in two locations pass",
    given: [
      site("a", "10.1.0.0/16", { ...onePeer, locationId: "loc-1" }),
      site("b", "10.1.0.0/16", { ...onePeer, locationId: "loc-2" }),
    ],
  },
  {
    it: "sees a third site in their network",
    given: [site("a", "10.1.0.0/16", onePeer), site("b", "10.1.0.0/16", onePeer), site("c", "10.1.2.0/24")],
    says: ['c: peerCidr overlaps that of tunnel "a"'],
  },
  {
    it: "sees two networks of one peer that overlap and are not the same",
    given: [site("a", "10.1.0.0/16", onePeer), site("b", "10.1.2.0/24", onePeer)],
    says: ['b: peerCidr overlaps that of tunnel "a"'],
  },
  {
    it: "sees the same network behind peers that are not known yet",
    given: [site("a", "10.1.0.0/16", { peerPublicIp: unknown }), site("b", "10.1.0.0/16", { peerPublicIp: unknown })],
    says: ['b: peerCidr overlaps that of tunnel "a"'],
  },
  {
    it: "keeps front doors apart",
    given: [site("a", "10.1.0.0/16"), site("b", "10.1.0.0/16", { frontdoorId: "fd-2" })],
  },
  {
    it: "leaves a tunnel on an unknown front door out",
    given: [site("a", "10.1.0.0/16"), site("b", "10.1.0.0/16", { frontdoorId: unknown })],
  },
  {
    it: "sees a reserved network on every front door",
    given: [site("a", "10.1.0.0/16"), site("b", "10.1.0.0/16", { frontdoorId: "fd-2" })],
    config: { reservedNetworks: ["10.1.0.0/24"] },
    says: ["a: peerCidr overlaps the reserved network", "b: peerCidr overlaps the reserved network"],
  },
  { it: "leaves an unknown one out", given: [site("a", "10.1.0.0/16"), site("b", unknown)] },
]);
