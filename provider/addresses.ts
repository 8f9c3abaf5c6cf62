import ipaddr from "ipaddr.js";

const documentationRanges = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

// ipaddr.js makes an exception of every name, which takes longer than all else that is done with one.
const parseIpv4 = (text: string) =>
  /^[\d.]{7,15}$/.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;

/** A public IPv4 address in dotted form; documentation ranges (RFC 5737) count as public, examples use them. */
export function isPublicIpv4(text: string): boolean {
  const address = parseIpv4(text);
  if (!address) return false;
  return address.range() === "unicast" || documentationRanges.some((range) => address.match(range));
}

/** A private (RFC 1918) or carrier-grade NAT (RFC 6598) IPv4 address in dotted form. */
export function isPrivateIpv4(text: string): boolean {
  return ["private", "carrierGradeNat"].includes(parseIpv4(text)?.range() ?? "");
}

/** The CIDR block in canonical spelling with its host bits cleared, undefined where the text is none. */
export function networkOf(text: string): string | undefined {
  const [address, prefix, ...rest] = text.split("/", 3);
  if (address === undefined || prefix === undefined || rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(prefix)) return;
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

/** True when the text is a CIDR block whose host bits are clear. */
export function isNetwork(text: string): boolean {
  const network = networkOf(text);
  if (network === undefined) return false;
  return canonicalAddress(text.split("/")[0] ?? "") === network.split("/")[0];
}

/** One spelling for every spelling of an IP address or host name. */
function canonicalAddress(host: string): string {
  if (host.length < 60 && ipaddr.IPv6.isValid(host)) return ipaddr.IPv6.parse(host).toRFC5952String();
  return host.toLowerCase().replace(/\.$/, "");
}

const label = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

function isHost(host: string): boolean {
  const labels = host.replace(/\.$/, "").split(".");
  // A last label of digits, or one in hexadecimal, makes it an address for resolvers (WHATWG URL, "ends in a number"): then it must
  // be a whole one.
  if (/^(?:\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? ""))
    return ipaddr.IPv4.isValidFourPartDecimal(host) && parseIpv4(host) !== undefined;
  return host.length <= 253 && labels.every((part) => label.test(part));
}

/** Host and port of `host:port`; an IPv6 host stands in brackets. Undefined where the text is not of that form. */
export function hostPortOf(text: string): { host: string; port: number } | undefined {
  if (text.length > 320) return;
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^[\]:/@\s]+)):([1-9]\d{0,4})$/.exec(text);
  if (!match) return;
  const [, ipv6, name, port] = match;
  const host = ipv6 ?? name ?? "";
  if (Number(port) > 65535 || !(ipv6 === undefined ? isHost(host) : ipaddr.IPv6.isValid(host))) return;
  return { host: canonicalAddress(host), port: Number(port) };
}
