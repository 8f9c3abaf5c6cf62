import { z } from "zod";
import { isAead, isOf } from "../algorithms";
import { items, read, UNKNOWN } from "../known";
import { ofKind } from "../resources";
import { stackRule } from "../rule";

const refused = (initial: string[], what: string) =>
  z.array(z.string().min(1)).default(initial).describe(`${what} that must not be offered, in any spelling.`);
const allowed = (what: string) =>
  z
    .array(z.string().min(1))
    .default([])
    .describe(`${what} that alone may be offered, in any spelling; empty: all but those refused.`);
const group = z.int().min(0).max(65_535);

/** What is held against which settings, by the properties of tunnelConfig. */
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
      "What a tunnel offers a peer may choose, and an attacker in the middle tries to make it choose the weakest. Traffic recorded today can be read when the algorithm falls; without a group in phase 2 (forward secrecy) all of it falls with one key.",
    fix: "have the operator of the service take the algorithms off the tunnel's offer; until then set the remote device to strong ones alone, as both sides must agree.",
    unknowns:
      "tunnelConfig is known once the tunnel is deployed: a new tunnel is looked at when its `up` ends. From then on a preview sees what is in the state; what the service has changed since is seen by `pulumi preview --refresh` and `pulumi up --refresh` alone. Integrity NONE is weak only without a cipher that authenticates by itself (GCM, CCM, ChaCha20-Poly1305). Algorithms are compared in one spelling (`SHA-1`, `HMAC_SHA1_96` and `esp-sha-hmac` are SHA1, `TripleDES` is 3DES); one that is refused but stands there under a name of its own is seen by an allow-list only, as the preset `strict` has.",
    severity: "high",
    settings: {
      ikeVersions: refused(["1"], "IKE versions"),
      encryption: refused(
        ["NULL", "NONE", "DES", "3DES", "RC2", "RC4", "RC5", "IDEA", "3IDEA", "CAST", "Blowfish", "Skipjack"],
        "Encryption algorithms",
      ),
      integrity: refused(["NONE", "MD5", "SHA1", "DES-MAC", "KPDK-MD5"], "Integrity algorithms"),
      dhGroups: z
        .array(group)
        .default([0, 1, 2, 5, 22, 23, 24, 25])
        .describe("Diffie-Hellman groups that must not be offered, by their IANA number; 0 is none at all."),
      forwardSecrecy: z.boolean().default(true).describe("Refuse a tunnel that offers no group in phase 2."),
      allowedEncryption: allowed("Encryption algorithms"),
      allowedIntegrity: allowed("Integrity algorithms"),
      allowedDhGroups: z
        .array(group)
        .default([])
        .describe("Diffie-Hellman groups that alone may be offered; empty: all but those refused."),
    },
    baseline: "advisory",
    strict: {
      enforcementLevel: "mandatory",
      allowedEncryption: ["AES", "ChaCha20-Poly1305"],
      allowedIntegrity: ["NONE", "SHA2-256", "SHA2-384", "SHA2-512"],
      allowedDhGroups: [14, 15, 16, 17, 18, 19, 20, 21, 28, 29, 30, 31, 32],
    },
    sources: [
      {
        title: "RFC 8247, IKEv2 algorithms, sections 2.1, 2.3 and 2.4",
        url: "https://www.rfc-editor.org/rfc/rfc8247",
        says: "DES and MD5 MUST NOT; SHA-1 MUST- (on its way out); groups 1 and 22 MUST NOT; groups 2, 5, 23 and 24 SHOULD NOT",
      },
      {
        title: "RFC 8221, ESP and AH algorithms",
        url: "https://www.rfc-editor.org/rfc/rfc8221",
        says: "DES, Blowfish and MD5 MUST NOT; 3DES SHOULD NOT; SHA-1 MUST-. Integrity is NONE beside a cipher that authenticates, and there alone. NULL encryption is allowed there for integrity alone; a tunnel over the internet needs more",
      },
      {
        title: "RFC 9395, deprecation of IKEv1",
        url: "https://www.rfc-editor.org/rfc/rfc9395",
        says: "IKEv1 is deprecated and its documents (RFC 2407, 2408, 2409) are Historic; it deprecates the old algorithms that came with IKEv1 and updates RFC 8221 and RFC 8247 accordingly",
      },
      {
        title: "RFC 5114",
        url: "https://www.rfc-editor.org/rfc/rfc5114",
        says: "groups 22 to 26, of which 25 is a curve of 192 bits: under 112 bits of strength",
      },
      {
        title: "NIST SP 800-77 Rev. 1, Guide to IPsec VPNs",
        url: "https://csrc.nist.gov/pubs/sp/800/77/r1/final",
        says: "IKEv2 instead of IKEv1; AES, SHA-2 and groups of at least 112 bits of strength, which groups 1, 2, 5, 22 and 25 are not",
      },
      {
        title: "RFC 9206, CNSA Suite (1.0) for IPsec",
        url: "https://www.rfc-editor.org/rfc/rfc9206",
        says: 'AES-256, SHA-384 and large groups. As settings: allowedEncryption ["AES256"], allowedIntegrity ["NONE", "SHA2-384", "SHA2-512"], allowedDhGroups [15, 16, 20]; with these lists AES-128 and SHA-256 in any spelling, ChaCha20-Poly1305 and group 31 are refused',
      },
      {
        title: "CNSA 2.0",
        url: "https://media.defense.gov/2022/Sep/07/2003071834/-1/-1/0/CSA_CNSA_2.0_ALGORITHMS_.PDF",
        says: "AES-256 and SHA-384 or SHA-512 alone, key establishment by ML-KEM-1024, which no number of a classical group stands for: the settings above are the way towards it",
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
        // The whole list is named, not what of it was found: that would tell the value of the property.
        return [
          ...(bad.length === 0 ? [] : [`${bad.join(" and ")} (refused: ${no.join(", ")})`]),
          ...(other.length === 0 ? [] : [`${other.join(" and ")} (allowed: ${only.join(", ")})`]),
        ];
      });
      const groups = read(config, "phase2DHGroupNumbers");
      if (settings.forwardSecrecy && Array.isArray(groups) && groups.length === 0)
        weak.push("phase2DHGroupNumbers (none: no forward secrecy)");
      if (weak.length > 0) report(`tunnelConfig offers weak ones in ${weak.join("; ")}.`, tunnel);
    }
  },
);

/** Whether it is integrity NONE with ciphers of the same phase that need none. */
function isPaired(config: object, name: string, algorithm: string): boolean {
  if (!name.endsWith("IntegrityAlgorithms") || !isOf("integrity", algorithm, "NONE")) return false;
  const encryption = name.replace("Integrity", "Encryption");
  if (read(config, encryption) === UNKNOWN) return true;
  const ciphers = items(config, encryption);
  return ciphers.some(isAead) && (items(config, name).length > 1 || ciphers.every(isAead));
}
