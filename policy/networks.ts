import ipaddr from "ipaddr.js";
import { networkOf } from "../provider/addresses";

/** A CIDR block as a range of numbers, IPv4 and IPv6 apart. */
export interface Block {
  family: 4 | 6;
  prefix: number;
  first: bigint;
  last: bigint;
}

/** The block of a CIDR text (host bits are cleared) or of a single address, undefined where the text is neither. */
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

/** The blocks of CIDR texts, those that are none left out. A list must not change once it was given. */
export function blocksOf(texts: readonly string[]): readonly Block[] {
  const known = blocks.get(texts) ?? texts.flatMap((text) => blockOf(text) ?? []);
  blocks.set(texts, known);
  return known;
}

/** True when one of the blocks holds the whole of the inner one. */
export function isWithin(inner: Block, blocks: readonly Block[]): boolean {
  return blocks.some(
    (outer) => outer.family === inner.family && outer.first <= inner.first && inner.last <= outer.last,
  );
}

/** True when the block and one of the others have an address in common. */
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

/** A block that belongs to a tunnel, or is reserved by configuration. */
export interface Claim {
  block: Block;
  cidr: string;
  tunnel?: { name: string; urn: string };
}

/** A tunnel's claim on addresses that another one claims too. */
export interface Clash {
  tunnel: { name: string; urn: string };
  other: Claim;
}

/**
 * At least one clash of every tunnel that lies in another's or a reserved block. One sort and one pass: blocks either nest or are
 * apart, so whatever reaches into the next block is the block with the farthest end so far.
 */
export function clashes(claims: readonly Claim[]): Clash[] {
  const found: Clash[] = [];
  const ordered = [...claims].sort((a, b) => a.block.family - b.block.family || compare(a.block, b.block));
  let tunnel: Claim | undefined;
  let reserved: Claim | undefined;
  for (const claim of ordered) {
    if (!claim.tunnel) {
      if (tunnel?.tunnel && reaches(tunnel, claim)) found.push({ tunnel: tunnel.tunnel, other: claim });
      reserved = farther(reserved, claim);
    } else {
      const other = [reserved, tunnel].find((earlier) => earlier && reaches(earlier, claim));
      if (other) found.push({ tunnel: claim.tunnel, other });
      tunnel = farther(tunnel, claim);
    }
  }
  return found;
}

const compare = (a: Block, b: Block) => Number(a.first > b.first) - Number(a.first < b.first) || a.prefix - b.prefix;

const reaches = (earlier: Claim, later: Claim) =>
  earlier.block.family === later.block.family && earlier.block.last >= later.block.first;

const farther = (so: Claim | undefined, next: Claim) =>
  so && reaches(so, next) && so.block.last >= next.block.last ? so : next;
