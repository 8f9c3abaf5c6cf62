import * as z from "zod";
import { ofKind } from "../names";
import { stackRule } from "../rule";
import { UNKNOWN, items, number, read } from "../sdk";

/** The kinds of algorithms in a tunnel's offer. */
type Kind = "ikeVersions" | "encryption" | "integrity" | "dhGroups";

/** Returns the canonical name of an algorithm: `SHA1` for `SHA-1`, `HMAC_SHA1_96` and `esp-sha-hmac`, `3DES` for `TripleDES`. */
function plainName(kind: Kind, text: string): string {
  if (kind === "ikeVersions" || kind === "dhGroups") return /\d+/.exec(text)?.[0] ?? text.toUpperCase();
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^(?:IKEV[12]|IKE|ENCR|ESP|AUTH|PRF|HMAC)+/, "")
    .replace(/HMAC$/, "");
  return kind === "encryption" ? cipher(name) : hash(name);
}

function cipher(name: string): string {
  if (/^(?:3DES|TRIPLEDES|TDES|TDEA|DES3|DESEDE)/.test(name)) return "3DES";
  // It authenticates, but does not encrypt.
  if (name.includes("GMAC")) return "NULL";
  if (!name.startsWith("AES")) return name;
  const mode = /GCM|CCM|CTR/.exec(name)?.[0] ?? "CBC";
  return `AES${/128|192|256/.exec(name)?.[0] ?? ""}${mode}`;
}

function hash(name: string): string {
  const bits = /^SHA2?(224|256|384|512)/.exec(name)?.[1];
  if (bits !== undefined) return `SHA2${bits}`;
  return /^SHA1?(?:96|160)?$/.test(name) ? "SHA1" : name;
}

/** True if the algorithm fits the entry of a list. An entry also fits longer names: `AES256` fits `AES256GCM`. */
function isOf(kind: Kind, algorithm: string, entry: string | number): boolean {
  const [name, wanted] = [plainName(kind, algorithm), plainName(kind, String(entry))];
  if (kind === "ikeVersions" || kind === "dhGroups") return name === wanted;
  // An entry without a mode fits all modes.
  const prefix = /GCM|CCM|CTR|CBC/i.test(String(entry)) ? wanted : wanted.replace(/CBC$/, "");
  if (name === prefix) return true;
  // `AES-GCM` fits every key length.
  const [, length = "", mode = ""] = /^AES(\d*)(\w*)$/.exec(prefix) ?? [];
  if (prefix.startsWith("AES")) return name.startsWith(`AES${length}`) && name.endsWith(mode);
  return name.startsWith(prefix);
}

/** True if a cipher also authenticates, so that integrity is NONE beside it (RFC 8221). */
const isAead = (algorithm: string): boolean => /GCM|CCM|POLY1305/.test(plainName("encryption", algorithm));

const seconds = (initial: number) => z.int().min(300).max(604_800).default(initial);

export const limitKeyLifetimes = stackRule(
  {
    name: "limit-key-lifetimes",
    topic: "Cryptography",
    description: "The keys of a tunnel must be renewed often and with forward secrecy.",
    reason:
      "Someone who gets a key can read everything that was encrypted with it. A short lifetime limits the amount. A group in phase 2 (forward secrecy) makes each key independent of the previous one.",
    fix: "ask NetFoundry to shorten the lifetimes and to offer a group in phase 2. Until then, set shorter lifetimes on the remote device: the shorter lifetime wins.",
    unknowns:
      "The policy checks a new tunnel at the end of its `up`. It sees later changes by Frontdoor only with `--refresh`. The policy skips a lifetime that Frontdoor does not report.",
    severity: "medium",
    settings: {
      maxPhase1Seconds: seconds(86_400).describe("Longest lifetime of the keys of phase 1 (IKE), in seconds."),
      maxPhase2Seconds: seconds(28_800).describe("Longest lifetime of the keys of phase 2 (ESP), in seconds."),
      forwardSecrecy: z
        .boolean()
        .default(true)
        .describe("If true, the policy refuses a tunnel that allows phase 2 without a group."),
    },
    problem: ({ maxPhase1Seconds, maxPhase2Seconds }) =>
      maxPhase2Seconds > maxPhase1Seconds ? "maxPhase2Seconds: must not be above maxPhase1Seconds" : undefined,
    baseline: "advisory",
    // No argument of a tunnel changes what Frontdoor offers.
    strict: { enforcementLevel: "advisory" },
    sources: [
      {
        title: "NIST SP 800-77 Rev. 1, Guide to IPsec VPNs",
        url: "https://csrc.nist.gov/pubs/sp/800/77/r1/final",
        says: "keys of limited life in both phases, and forward secrecy",
      },
      {
        title: "DISA, VPN Security Requirements Guide",
        url: "https://public.cyber.mil/stigs/",
        says: "24 hours for phase 1, 8 hours for phase 2",
      },
    ],
  },
  (resources, { maxPhase1Seconds, maxPhase2Seconds, forwardSecrecy }, report) => {
    for (const tunnel of ofKind(resources, "tunnel")) {
      const config = read(tunnel.props, "tunnelConfig");
      if (typeof config !== "object" || config === null) continue;
      const groups = read(config, "phase2DHGroupNumbers");
      const isBare =
        Array.isArray(groups) && (groups.length === 0 || items(config, "phase2DHGroupNumbers").includes("0"));
      const problems = [
        ...((number(config, "phase1LifetimeSeconds") ?? 0) > maxPhase1Seconds
          ? [`phase1LifetimeSeconds is over ${maxPhase1Seconds}`]
          : []),
        ...((number(config, "phase2LifetimeSeconds") ?? 0) > maxPhase2Seconds
          ? [`phase2LifetimeSeconds is over ${maxPhase2Seconds}`]
          : []),
        ...(forwardSecrecy && isBare ? ["phase2DHGroupNumbers does not ask for forward secrecy"] : []),
      ];
      if (problems.length > 0) report(`In tunnelConfig ${problems.join("; ")}.`, tunnel);
    }
  },
);

const refused = (initial: string[], what: string) =>
  z.array(z.string().min(1)).default(initial).describe(`${what} that a tunnel must not offer, in any spelling.`);
const allowed = (what: string) =>
  z
    .array(z.string().min(1))
    .default([])
    .describe(
      `The only ${what} that a tunnel may offer, in any spelling. If empty, all except the refused ones are allowed.`,
    );
const group = z.int().min(0).max(65_535);

/** The properties of tunnelConfig, with the settings for them. */
const properties = [
  { kind: "ikeVersions", allowed: undefined, names: ["ikeVersions"] },
  {
    kind: "encryption",
    allowed: "allowedEncryption",
    names: ["phase1EncryptionAlgorithms", "phase2EncryptionAlgorithms"],
  },
  {
    kind: "integrity",
    allowed: "allowedIntegrity",
    names: ["phase1IntegrityAlgorithms", "phase2IntegrityAlgorithms"],
  },
  { kind: "dhGroups", allowed: "allowedDhGroups", names: ["phase1DHGroupNumbers", "phase2DHGroupNumbers"] },
] as const;

export const refuseWeakCrypto = stackRule(
  {
    name: "refuse-weak-crypto",
    topic: "Cryptography",
    description: "A tunnel must not offer weak cryptography.",
    reason:
      "A peer may choose any algorithm that a tunnel offers, and an attacker in the middle tries to make it choose the weakest. Traffic that is recorded today can be read once the algorithm is broken. Without a group in phase 2 (forward secrecy), one key decrypts all of it.",
    fix: "ask NetFoundry to remove these algorithms from the tunnel's proposals. Until then, allow only strong ones on the remote device: both sides must agree.",
    unknowns:
      "The policy checks a new tunnel at the end of its `up`. It sees later changes by Frontdoor only with `--refresh`. Different spellings count as one: `SHA-1` and `HMAC_SHA1_96` are SHA1. Only an allow-list, as in `strict`, finds a weak algorithm whose name is unknown.",
    severity: "high",
    settings: {
      ikeVersions: refused(["1"], "IKE versions"),
      encryption: refused(
        ["NULL", "NONE", "DES", "3DES", "RC2", "RC4", "RC5", "IDEA", "3IDEA", "CAST", "Blowfish", "Skipjack"],
        "Encryption algorithms",
      ),
      integrity: refused(["NONE", "MD5", "SHA1", "DES-MAC", "KPDK-MD5"], "Integrity algorithms").describe(
        "Integrity algorithms that a tunnel must not offer, in any spelling. NONE passes with a cipher that authenticates by itself (GCM, CCM, ChaCha20-Poly1305).",
      ),
      dhGroups: z
        .array(group)
        .default([0, 1, 2, 5, 22, 23, 24, 25])
        .describe("Diffie-Hellman groups that a tunnel must not offer, by their IANA number. 0 means no group."),
      forwardSecrecy: z
        .boolean()
        .default(true)
        .describe("If true, the policy refuses a tunnel that offers no group in phase 2."),
      allowedEncryption: allowed("encryption algorithms"),
      allowedIntegrity: allowed("integrity algorithms"),
      allowedDhGroups: z
        .array(group)
        .default([])
        .describe(
          "The only Diffie-Hellman groups that a tunnel may offer. If empty, all except the refused ones are allowed.",
        ),
    },
    baseline: "advisory",
    strict: {
      // No argument of a tunnel changes what Frontdoor offers.
      enforcementLevel: "advisory",
      allowedEncryption: ["AES", "ChaCha20-Poly1305"],
      allowedIntegrity: ["NONE", "SHA2-256", "SHA2-384", "SHA2-512"],
      allowedDhGroups: [14, 15, 16, 17, 18, 19, 20, 21, 28, 29, 30, 31, 32],
    },
    sources: [
      {
        title: "RFC 8247",
        url: "https://www.rfc-editor.org/rfc/rfc8247",
        says: "IKEv2: no DES, no MD5, SHA-1 phased out, no groups 1 and 22",
      },
      {
        title: "RFC 8221",
        url: "https://www.rfc-editor.org/rfc/rfc8221",
        says: "ESP: no DES, Blowfish or MD5, integrity NONE only with a cipher that authenticates",
      },
      { title: "RFC 9395", url: "https://www.rfc-editor.org/rfc/rfc9395", says: "IKEv1 is deprecated" },
      { title: "RFC 5114", url: "https://www.rfc-editor.org/rfc/rfc5114", says: "groups 22 to 26" },
      {
        title: "NIST SP 800-77 Rev. 1",
        url: "https://csrc.nist.gov/pubs/sp/800/77/r1/final",
        says: "IKEv2, AES, SHA-2, and groups with at least 112 bits of strength",
      },
      {
        title: "RFC 9206",
        url: "https://www.rfc-editor.org/rfc/rfc9206",
        says: 'CNSA 1.0. As settings: `allowedEncryption ["AES256"]`, `allowedIntegrity ["NONE", "SHA2-384", "SHA2-512"]`, `allowedDhGroups [15, 16, 20]`. CNSA 2.0 wants ML-KEM, which no group number expresses',
      },
    ],
  },
  (resources, settings, report) => {
    for (const tunnel of ofKind(resources, "tunnel")) {
      const config = read(tunnel.props, "tunnelConfig");
      if (typeof config !== "object" || config === null) continue;
      const weak = properties.flatMap(({ kind, allowed, names }) => {
        const no = settings[kind];
        const only = allowed === undefined ? [] : settings[allowed];
        const offering = (isWeak: (algorithm: string) => boolean) =>
          names.filter((name) =>
            items(config, name).some((algorithm) => isWeak(algorithm) && !isPaired(config, name, algorithm)),
          );
        const isOneOf = (entries: readonly (string | number)[], algorithm: string) =>
          entries.some((entry) => isOf(kind, algorithm, entry));
        const bad = offering((algorithm) => isOneOf(no, algorithm));
        const other = only.length === 0 ? [] : offering((algorithm) => !isOneOf([...only, ...no], algorithm));
        // The message names the whole list. The matching entry would reveal the value of the property.
        return [
          ...(bad.length === 0 ? [] : [`${bad.join(" and ")} (refused: ${no.join(", ")})`]),
          ...(other.length === 0 ? [] : [`${other.join(" and ")} (allowed: ${only.join(", ")})`]),
        ];
      });
      const groups = read(config, "phase2DHGroupNumbers");
      if (settings.forwardSecrecy && Array.isArray(groups) && groups.length === 0)
        weak.push("phase2DHGroupNumbers (none: no forward secrecy)");
      if (weak.length > 0) report(`tunnelConfig offers weak algorithms in ${weak.join("; ")}.`, tunnel);
    }
  },
);

/** True for integrity NONE if the ciphers of the same phase need no integrity algorithm. */
function isPaired(config: object, name: string, algorithm: string): boolean {
  if (!name.endsWith("IntegrityAlgorithms") || !isOf("integrity", algorithm, "NONE")) return false;
  const encryption = name.replace("Integrity", "Encryption");
  if (read(config, encryption) === UNKNOWN) return true;
  const ciphers = items(config, encryption);
  return ciphers.some(isAead) && (items(config, name).length > 1 || ciphers.every(isAead));
}
