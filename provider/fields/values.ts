import { domainToASCII } from "node:url";
import * as z from "zod";
import { hostPortOf, isIpv6, isNetwork, isPrivateIpv4, isPublicIpv4, networkOf } from "../addresses";
import { idPattern } from "../config";

/** A text. `causeOf` names the cause of a wrong one, if it is a common one. Only after "Did you mean" it can have the value. */
const text = (
  expected: string,
  isRight: (value: string) => boolean,
  causeOf: (value: string) => string | undefined = () => undefined,
) =>
  z
    .string({ error: ({ input }) => (input === undefined ? `is required: ${expected}` : `must be ${expected}`) })
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

export const publicIpv4 = text(
  "a public IPv4 address such as 203.0.113.7 (private, CGNAT, loopback, link-local, multicast and reserved ranges are refused)",
  isPublicIpv4,
  (value) => (isIpv6(value) ? "The service takes no IPv6 address. Give the site's public IPv4 address" : undefined),
);

export const privateIpv4 = text("a private IPv4 address such as 10.0.4.10", isPrivateIpv4);

const cidr = "a CIDR block with its host bits clear, such as 10.20.0.0/16";
export const network = text(cidr, () => true).refine(isNetwork, {
  error: ({ input }) => {
    const network = networkOf(String(input).trim());
    return `must be ${cidr}${network === undefined ? "" : `. ${meant(network)}`}`;
  },
});

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
  "The last status that the service reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one.";

/** Returns one text for all spellings in which services are known to keep a value: other case, spaces, port as text, host bits. */
export function spellingOf(value: unknown): string {
  const text = String(value).normalize("NFKC").replace(/\s/g, "").toLowerCase();
  const hostPort = hostPortOf(text);
  return networkOf(text)?.replace(/\/32$/, "") ?? (hostPort ? JSON.stringify(hostPort) : text);
}

/** True if two values differ in spelling only. A service can keep a value in another spelling that this does not know. */
export const sameSpelling = (a: unknown, b: unknown): boolean =>
  a != null && b != null && (a === b || spellingOf(a) === spellingOf(b));
