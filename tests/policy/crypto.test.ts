import { refuseWeakCrypto } from "../../policy/index";
import { unknown } from "./checking";
import { checks, tunnel } from "./tables";

const strong = {
  outsideIpAddress: "198.51.100.9",
  ikeVersions: ["ikev2"],
  phase1EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
  phase1IntegrityAlgorithms: ["SHA2-256", "SHA2-384"],
  phase1DHGroupNumbers: [14, 19, 20],
  phase2EncryptionAlgorithms: ["AES256"],
  phase2IntegrityAlgorithms: ["SHA2-512"],
  phase2DHGroupNumbers: [14, 21],
};
const offering = (bend: object) => [tunnel({ tunnelConfig: { ...strong, ...bend } })];

checks(refuseWeakCrypto, [
  { it: "lets strong ones pass", given: offering({}) },
  { it: "waits until the tunnel is deployed", given: [tunnel()] },
  { it: "passes over an unknown list", given: offering({ phase1DHGroupNumbers: unknown }) },
  { it: "passes over an unknown entry", given: offering({ phase1DHGroupNumbers: [14, unknown] }) },
  {
    it: "refuses IKEv1",
    given: offering({ ikeVersions: ["ikev1", "ikev2"] }),
    says: ["hq: tunnelConfig offers weak ones in ikeVersions"],
  },
  ...["3DES", "ENCR_3DES", "des-cbc", "NULL"].map((name) => ({
    it: `refuses the encryption ${name}`,
    given: offering({ phase2EncryptionAlgorithms: ["AES256", name] }),
    says: ["phase2EncryptionAlgorithms (refused: NULL, DES, 3DES"],
  })),
  ...["SHA1", "SHA-1", "SHA", "AUTH_HMAC_SHA1_96", "HMAC-MD5"].map((name) => ({
    it: `refuses the integrity ${name}`,
    given: offering({ phase1IntegrityAlgorithms: [name] }),
    says: ["phase1IntegrityAlgorithms (refused: NONE, MD5, SHA1"],
  })),
  ...[1, 2, 5, 22, 23, 24].map((group) => ({
    it: `refuses group ${group}`,
    given: offering({ phase1DHGroupNumbers: [14, group] }),
    says: ["phase1DHGroupNumbers (refused: 1, 2, 5, 22, 23, 24)"],
  })),
  {
    it: "says all of a tunnel at once",
    given: offering({ ikeVersions: ["ikev1"], phase1DHGroupNumbers: [2], phase2DHGroupNumbers: [2] }),
    says: ["ikeVersions (refused: 1); phase1DHGroupNumbers and phase2DHGroupNumbers (refused: 1, 2, 5, 22, 23, 24)"],
  },
  {
    it: "takes other groups",
    given: offering({ phase1DHGroupNumbers: [2, 14] }),
    config: { dhGroups: [14] },
    says: ["phase1DHGroupNumbers and phase2DHGroupNumbers (refused: 14)"],
  },
  {
    it: "takes CNSA 2.0",
    given: offering({ phase1EncryptionAlgorithms: ["AES128-GCM-16"] }),
    config: { encryption: ["AES128", "AES192"] },
    says: ["phase1EncryptionAlgorithms (refused: AES128, AES192)"],
  },
]);
