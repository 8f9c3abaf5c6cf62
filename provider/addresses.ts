import ipaddr from "ipaddr.js";

const documentationRanges = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

// ipaddr.js throws for every name, which would take most of the time of a check.
const parseIpv4 = (text: string) =>
  /^[\d.]{7,15}$/.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;

/** True for a public IPv4 address in dotted form. The documentation ranges (RFC 5737) count as public: examples use them. */
export function isPublicIpv4(text: string): boolean {
  const address = parseIpv4(text);
  if (!address) return false;
  return address.range() === "unicast" || documentationRanges.some((range) => address.match(range));
}

/** True for a private (RFC 1918) or carrier-grade NAT (RFC 6598) IPv4 address in dotted form. */
export function isPrivateIpv4(text: string): boolean {
  return ["private", "carrierGradeNat"].includes(parseIpv4(text)?.range() ?? "");
}

/** Returns the CIDR block in canonical spelling with its host bits cleared; undefined if the text is none. */
export function networkOf(text: string): string | undefined {
  const [, address, prefix] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  if (address === undefined || prefix === undefined) return;
  try {
    if (parseIpv4(address)) return `${ipaddr.IPv4.networkAddressFromCIDR(text).toString()}/${prefix}`;
    if (text.length < 60 && ipaddr.IPv6.isValidCIDR(text) && !text.includes("%")) {
      return `${ipaddr.IPv6.networkAddressFromCIDR(text).toRFC5952String()}/${prefix}`;
    }
  } catch {
    return;
  }
  return;
}

/** True if the text is a CIDR block whose host bits are clear. */
export function isNetwork(text: string): boolean {
  return networkOf(text)?.split("/")[0] === canonicalAddress(text.split("/")[0] ?? "");
}

/** True for an IPv6 address without brackets. */
export const isIpv6 = (text: string): boolean => text.length < 60 && text.includes(":") && ipaddr.IPv6.isValid(text);

/** Returns the one canonical spelling of an IP address or host name. */
function canonicalAddress(host: string): string {
  if (isIpv6(host)) return ipaddr.IPv6.parse(host).toRFC5952String();
  return host.toLowerCase().replace(/\.$/, "");
}

const label = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

function isHost(host: string): boolean {
  const labels = host.replace(/\.$/, "").split(".");
  // If the last label is a decimal or hexadecimal number, resolvers take the host for an address (WHATWG URL, "ends in a number").
  if (/^(?:\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? ""))
    return ipaddr.IPv4.isValidFourPartDecimal(host) && parseIpv4(host) !== undefined;
  return host.length <= 253 && labels.every((part) => label.test(part));
}

/** Returns host and port of `host:port`, an IPv6 host in brackets; undefined if the text has another form. */
export function hostPortOf(text: string): { host: string; port: number } | undefined {
  if (text.length > 320) return;
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:/@\s]+)):([1-9]\d{0,4})$/.exec(text);
  if (!match) return;
  const [, ipv6, name, port] = match;
  const host = ipv6 ?? name ?? "";
  if (Number(port) > 65535 || !(ipv6 === undefined ? isHost(host) : ipaddr.IPv6.isValid(host))) return;
  return { host: canonicalAddress(host), port: Number(port) };
}
