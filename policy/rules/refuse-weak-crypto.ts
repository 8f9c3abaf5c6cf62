import { z } from "zod";
import { items, read } from "../known";
import { ofKind } from "../resources";
import { stackRule } from "../rule";

const list = (initial: string[], what: string) =>
  z.array(z.string().min(1)).default(initial).describe(`${what} that must not be offered.`);

/** Settings by the properties of tunnelConfig they are held against. */
const properties = {
  ikeVersions: ["ikeVersions"],
  encryption: ["phase1EncryptionAlgorithms", "phase2EncryptionAlgorithms"],
  integrity: ["phase1IntegrityAlgorithms", "phase2IntegrityAlgorithms"],
  dhGroups: ["phase1DHGroupNumbers", "phase2DHGroupNumbers"],
} as const;

export const refuseWeakCrypto = stackRule(
  {
    name: "refuse-weak-crypto",
    topic: "Cryptography",
    description: "A tunnel must not offer weak cryptography.",
    reason:
      "What a tunnel offers a peer may choose, and an attacker in the middle tries to make it choose the weakest. Traffic recorded today can be read when the algorithm falls.",
    fix: "have the operator of the service take the algorithms off the tunnel's offer; until then set the remote device to strong ones alone, as both sides must agree.",
    unknowns:
      "tunnelConfig is known once the tunnel is deployed: a new tunnel is looked at when its `up` ends, and in every preview from then on.",
    severity: "high",
    settings: {
      ikeVersions: list(["1"], "IKE versions"),
      encryption: list(["NULL", "DES", "3DES", "RC4", "RC5", "IDEA", "CAST", "Blowfish"], "Encryption algorithms"),
      integrity: list(["NONE", "MD5", "SHA1", "DES-MAC", "KPDK-MD5"], "Integrity algorithms"),
      dhGroups: z
        .array(z.int().min(1))
        .default([1, 2, 5, 22, 23, 24])
        .describe("Diffie-Hellman groups that must not be offered, by their IANA number."),
    },
    baseline: "advisory",
    strict: { enforcementLevel: "mandatory" },
    sources: [
      {
        title: "RFC 8247, IKEv2 algorithms",
        url: "https://www.rfc-editor.org/rfc/rfc8247",
        says: "DES and MD5 MUST NOT; SHA-1 MUST- (on its way out); groups 1 and 22 MUST NOT; groups 2, 5, 23 and 24 SHOULD NOT",
      },
      {
        title: "RFC 8221, ESP and AH algorithms",
        url: "https://www.rfc-editor.org/rfc/rfc8221",
        says: "DES, Blowfish and MD5 MUST NOT; 3DES SHOULD NOT; SHA-1 MUST-. NULL encryption is allowed there for integrity alone; a tunnel over the internet needs more",
      },
      {
        title: "RFC 9395, deprecation of IKEv1",
        url: "https://www.rfc-editor.org/rfc/rfc9395",
        says: "IKEv1 is historic, and so are the algorithms that came with it (RC5, IDEA, CAST, Blowfish)",
      },
      {
        title: "NIST SP 800-77 Rev. 1, Guide to IPsec VPNs",
        url: "https://csrc.nist.gov/pubs/sp/800/77/r1/final",
        says: "IKEv2 instead of IKEv1; AES, SHA-2 and groups of at least 112 bits of strength, which groups 1, 2, 5 and 22 are not",
      },
      {
        title: "CNSA 2.0",
        url: "https://media.defense.gov/2022/Sep/07/2003071834/-1/-1/0/CSA_CNSA_2.0_ALGORITHMS_.PDF",
        says: 'AES-256 and SHA-384 or SHA-512 alone, key establishment by ML-KEM-1024. Towards it: encryption [..., "AES128", "AES192"], integrity [..., "SHA2-256"], dhGroups [..., 14, 19] (RFC 9206, its forerunner for IPsec, has groups 15, 16 and 20)',
      },
    ],
  },
  (resources, settings, report) => {
    for (const tunnel of ofKind(resources, "tunnel")) {
      const config = read(tunnel.props, "tunnelConfig");
      if (typeof config !== "object" || config === null) continue;
      const weak = Object.entries(properties).flatMap(([setting, names]) => {
        const refused = settings[setting as keyof typeof properties];
        const offering = names.filter((name) =>
          items(config, name).some((algorithm) => refused.some((entry) => isOf(plainName(algorithm), entry))),
        );
        // The whole list is named, not what of it was found: that would tell the value of the property.
        return offering.length === 0 ? [] : [`${offering.join(" and ")} (refused: ${refused.join(", ")})`];
      });
      if (weak.length > 0) report(`tunnelConfig offers weak ones in ${weak.join("; ")}.`, tunnel);
    }
  },
);

/** One spelling for `SHA-1`, `HMAC_SHA1_96`, `ENCR_3DES`, `ikev1`. */
const plainName = (name: string) =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
    .replace(/^(?:IKEV?|ENCR|AUTH|PRF|HMAC)+/, "")
    .replace(/^SHA$/, "SHA1");

/** A number must be the same; a name may go on (`3DES-CBC` is of `3DES`). */
const isOf = (algorithm: string, entry: string | number) =>
  /^\d+$/.test(String(entry)) ? algorithm === String(entry) : algorithm.startsWith(plainName(String(entry)));
