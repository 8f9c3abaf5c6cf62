import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import * as z from "zod";
import { idPattern } from "../config";

/**
 * A text. `causeOf` names the cause of a wrong one, if it is a common one. The message repeats the value only after "Did you mean": check
 * removes that part for secrets.
 */
const text = (
  expected: string,
  isRight: (value: string) => boolean,
  causeOf: (value: string) => string | undefined = () => undefined,
) =>
  z
    .string({
      error: ({ input }) => {
        const quotes = typeof input === "number" ? ". It is a number: write it in quotes" : "";
        return input === undefined ? `is required: ${expected}` : `must be ${expected}${quotes}`;
      },
    })
    .refine(isRight, {
      error: ({ input }) => {
        const [value, trimmed] = [String(input), String(input).trim()];
        const isSpaced = value !== trimmed && isRight(trimmed);
        const cause = isSpaced ? `Remove the space or line break around it. ${meant(trimmed)}` : causeOf(value);
        return `must be ${expected}${cause === undefined ? "" : `. ${cause}`}`;
      },
    });

const meant = (value: string) => `Did you mean ${value}?`;

/** Names the length of a text that is too long. */
const tooLong = (most: number) => (value: string) =>
  value.length > most ? `It has ${value.length} characters, and the most are ${most}` : undefined;

export const peerIpv4 = text(
  "an IPv4 address such as 203.0.113.7, and no loopback, multicast or broadcast address",
  isPeerIpv4,
  (value) => (isIpv6(value) ? "Frontdoor takes no IPv6 address. Give the site's public IPv4 address" : undefined),
);

export const privateIpv4 = text("a private IPv4 address such as 10.0.4.10", isPrivateIpv4);

export const network = text(
  "an IPv4 network with its host bits clear, such as 10.20.0.0/16",
  (value) => isNetwork(value) && !value.includes(":"),
  (value) => {
    const network = networkOf(value.trim());
    if (network === undefined) return undefined;
    return network.includes(":")
      ? "Nothing says that Frontdoor takes IPv6. Give the site's IPv4 network"
      : meant(network);
  },
);

export const hostPort = text(
  "host:port such as db.internal:5432, without scheme or path, port 1 to 65535",
  (value) => hostPortOf(value) !== undefined,
  (value) => {
    const [, host = "", port = ""] = /^(.+):(\d+)$/s.exec(value.trim()) ?? [];
    if (isIpv6(value.trim()) || isIpv6(host))
      return `An IPv6 address needs brackets. ${isIpv6(host) ? meant(`[${host}]:${port}`) : "Write [2001:db8::1]:443"}`;
    const ascii = `${domainToASCII(host)}:${port}`;
    return /[^ -~]/.test(host) && hostPortOf(ascii) !== undefined
      ? `An international name needs its ASCII form. ${meant(ascii)}`
      : undefined;
  },
);

const port = "a whole number from 1 to 65535";
export const portNumber = z
  .number({
    error: ({ input }) => (input === undefined ? `is required: ${port}` : `must be ${port} (a number, not text)`),
  })
  .refine((value) => Number.isInteger(value) && value >= 1 && value <= 65535, { error: `must be ${port}` });

export const id = (what: string) =>
  text(`${what}: 1 to 128 letters, digits and . _ : ~ -`, (value) => idPattern.test(value), tooLong(128));

const isLabel = (value: string) =>
  value.length >= 1 && value.length <= 255 && value === value.trim() && !/\p{C}/u.test(value);
const labelText = "1 to 255 characters without control characters or white space at either end";

/** Checks a short text that never becomes part of a path, such as an id of another service. */
export const label = (what: string) => text(`${what}: ${labelText}`, isLabel, tooLong(255));

/** Checks a value that marks a rotation, such as a date or a number. */
export const rotation = z.union(
  [z.number(), label("a text or a number")],
  "must be a text of 1 to 255 characters, or a number",
);

export const shareName = text(
  "1 to 63 letters, digits and hyphens, without a hyphen at either end",
  (value) => /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/.test(value),
  tooLong(63),
);

export const tunnelName = text(labelText, isLabel, tooLong(255));

export const mostShares = 5_000;
const byKey = `shares by key, at most ${mostShares}, such as { web: { target: "web.internal:443", ingressPort: 443 } }`;
export const sharesByKey = z
  .record(z.string(), z.unknown(), {
    error: ({ input }) => (input === undefined ? `is required: ${byKey}` : `must be ${byKey}`),
  })
  .refine((shares) => Object.keys(shares).length <= mostShares, `must be ${byKey}`);

/** True for a name that every JavaScript object has, such as `toString`. */
export const isInherited = (name: string): boolean => name in Object.prototype;

/** Checks the key of a share in a set. The share is known by the set's name, `::` and the key. */
export const shareKey = text(
  `a key: ${labelText}, without "::", and not a name that every JavaScript object has, such as toString`,
  (key) => isLabel(key) && !key.includes("::") && !isInherited(key),
  tooLong(255),
);

/** The docs of the field `status`. */
export const statusDoc =
  "The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one.";

/** Returns one text for all known spellings of a value: letter case, spaces around it, a port as text, forms of an address, host bits, `/32`. */
function spellingOf(value: unknown): string {
  const text = String(value).trim().toLowerCase();
  const hostPort = hostPortOf(text);
  // A service can show one address without its /32 or /128.
  const network = networkOf(text)?.replace(/^([^:]+)\/32$|^(.*:.*)\/128$/, "$1$2");
  return network ?? (hostPort ? JSON.stringify(hostPort) : canonicalAddress(text));
}

/** Returns a location id in the letter case that stands for all. */
export const locationOf = (text: string): string => text.toLowerCase();

/** True if two values are equal, or known spellings of one value. Any other value is a different one. */
export const sameSpelling = (a: unknown, b: unknown): boolean =>
  a != null && b != null && (a === b || spellingOf(a) === spellingOf(b));

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

/** True for an IPv4 address in dotted form that one other device can have. */
export function isPeerIpv4(text: string): boolean {
  const address = parseIpv4(text);
  return address !== undefined && !["unspecified", "loopback", "multicast", "broadcast"].includes(address.range());
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

const hostLabel = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/;

function isHost(host: string): boolean {
  const labels = host.replace(/\.$/, "").split(".");
  // If the last label is a decimal or hexadecimal number, resolvers take the host for an address (WHATWG URL, "ends in a number").
  if (/^(?:\d+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? ""))
    return ipaddr.IPv4.isValidFourPartDecimal(host) && parseIpv4(host) !== undefined;
  return host.length <= 253 && labels.every((part) => hostLabel.test(part));
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
