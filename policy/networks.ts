import ipaddr from "ipaddr.js";
import { hostPortOf, networkOf } from "../provider/fields/values";
import { text } from "./sdk";

/** A CIDR block as a range of numbers, for IPv4 or IPv6. */
interface Block {
  family: 4 | 6;
  prefix: number;
  first: bigint;
  last: bigint;
}

/** Returns the block of a CIDR text or of a single address; undefined for any other text. It clears host bits. */
export function blockOf(text: string): Block | undefined {
  const cidr = networkOf(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`);
  if (cidr === undefined) return;
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  const bytes = address.toByteArray();
  const first = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const size = 1n << BigInt(bytes.length * 8 - prefix);
  return { family: bytes.length === 4 ? 4 : 6, prefix, first, last: first + size - 1n };
}

// Settings are the same lists for every resource.
const blocks = new WeakMap<readonly string[], Block[]>();

/** Returns the blocks of CIDR texts, without invalid ones. Do not change a list after the call. */
export function blocksOf(texts: readonly string[]): readonly Block[] {
  const known = blocks.get(texts) ?? texts.flatMap((text) => blockOf(text) ?? []);
  blocks.set(texts, known);
  return known;
}

/** True if one of the blocks holds the whole inner block. */
export function isWithin(inner: Block, blocks: readonly Block[]): boolean {
  return blocks.some(
    (outer) => outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last,
  );
}

/** True if the block and one of the others share an address. */
export function overlaps(block: Block, blocks: readonly Block[]): boolean {
  return blocks.some(
    (other) => other.family === block.family && other.first <= block.last && block.first <= other.last,
  );
}

/** Space that no site can have behind its device: this host, loopback, link-local, multicast and reserved (RFC 6890). */
export const unroutableNetworks = [
  ...["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4"],
  ...["::/127", "fe80::/10", "ff00::/8"],
];

/** RFC 1918, RFC 6598 (carrier-grade NAT) and RFC 4193 (unique local) space. */
export const privateNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"];

/** RFC 5737: addresses that only documentation uses. */
export const documentationNetworks = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"];

/** A block that the configuration reserves. */
interface ReservedBlock {
  block: Block;
  cidr: string;
  tunnel?: undefined;
}
/** A block behind a tunnel. */
interface TunnelBlock extends Omit<ReservedBlock, "tunnel"> {
  tunnel: { name: string; urn: string };
}
export type Claim = ReservedBlock | TunnelBlock;

/** A tunnel whose addresses another tunnel, or the configuration, also claims. */
interface Clash {
  tunnel: TunnelBlock["tunnel"];
  other: Claim;
}

/**
 * Returns at least one clash for every tunnel in a block of another tunnel or in a reserved block. It needs one sort and one pass: blocks
 * nest or are separate, so it compares each block only with the block that ends last.
 */
export function clashes(claims: readonly Claim[]): Clash[] {
  const found: Clash[] = [];
  const ordered = [...claims].sort((a, b) => a.block.family - b.block.family || compare(a.block, b.block));
  let lastTunnel: TunnelBlock | undefined;
  let lastReserved: ReservedBlock | undefined;
  for (const claim of ordered)
    if (claim.tunnel) {
      const other = [lastReserved, lastTunnel].find((earlier) => earlier && reaches(earlier, claim));
      if (other) found.push({ tunnel: claim.tunnel, other });
      lastTunnel = farthest(lastTunnel, claim);
    } else {
      if (lastTunnel && reaches(lastTunnel, claim)) found.push({ tunnel: lastTunnel.tunnel, other: claim });
      lastReserved = farthest(lastReserved, claim);
    }
  return found;
}

const compare = (a: Block, b: Block) => Number(a.first > b.first) - Number(a.first < b.first) || a.prefix - b.prefix;

const reaches = (earlier: Claim, later: Claim) =>
  earlier.block.family === later.block.family && earlier.block.last >= later.block.first;

/** Returns the claim that ends last. */
const farthest = <Of extends Claim>(last: Of | undefined, next: Of): Of =>
  last && reaches(last, next) && last.block.last >= next.block.last ? last : next;

/**
 * Returns host and port of a share's target; undefined if the target is invalid or unknown. It returns an IPv4 address in IPv6 form
 * (`::ffff:10.0.0.1`) as the IPv4 address.
 */
export function targetOf(props: object): { host: string; port: number } | undefined {
  const target = hostPortOf(text(props, "target") ?? "");
  if (!target?.host.startsWith("::ffff:")) return target;
  const block = blockOf(target.host);
  return block && isWithin(block, mapped) ? { ...target, host: ipv4In(block.first) } : target;
}

const mapped = blocksOf(["::ffff:0:0/96"]);

/** Returns the IPv4 address in the last 32 bits. */
const ipv4In = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join(".");

/**
 * Networks of the agent's own machine, link and cloud, whose services act with the machine's credentials. They are the loopback,
 * link-local and unspecified addresses, and the metadata services outside these ranges.
 */
const ownNetworks = blocksOf([
  ...["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/127", "fe80::/10"],
  // Alibaba, Azure, Oracle, Amazon, Google, Oracle
  ...["100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::/32", "fd20:ce::/64", "fd00:c1::/32"],
]);

/** The same by name, with all names in these domains. */
const ownNames = [
  ...["localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback", "loopback"],
  ...["metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "metadata.tencentyun.com"],
  ...["instance-data", "instance-data.ec2.internal"],
  ...["metadata.platformequinix.com", "api.metadata.cloud.ibm.com"],
  ...["docker.internal", "docker.for.mac.host.internal", "docker.for.win.host.internal", "host.containers.internal"],
  ...["host.minikube.internal", "host.k3d.internal", "host.lima.internal", "host.rancher-desktop.internal"],
  ...["host.orb.internal"],
];

/** Matches the API of a cluster, in any domain. */
const clusterApi = /^(?:kubernetes|(?:kubernetes|openshift)\.default(?:\.svc(?:\.[a-z0-9.-]+)?)?)$/;

/** IPv6 ranges with an IPv4 address inside, and the number of bits after it: mapped, compatible, translated, 6to4. */
const carriers = [
  { ranges: blocksOf(["::ffff:0:0/96", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"]), behind: 0n },
  { ranges: blocksOf(["2002::/16"]), behind: 80n },
];

/** True if a host from `targetOf` is the agent's machine, its link, its cloud's metadata service or its cluster's API. */
export function isOwn(host: string): boolean {
  const block = blockOf(host);
  if (!block) return clusterApi.test(host) || ownNames.some((name) => isUnder(host, name));
  if (isWithin(block, ownNetworks)) return true;
  return carriers.some(({ ranges, behind }) => isWithin(block, ranges) && isOwn(ipv4In(block.first >> behind)));
}

/** True if the host is the domain or in the domain. */
export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
