import { limitKeyLifetimes, refuseWeakCrypto } from "../../policy/index";
import { unknown } from "./checking";
import { checks, settingsOf, tunnel } from "./tables";

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

const strictly = settingsOf("refuse-weak-crypto");
const cnsaSettings = {
  allowedEncryption: ["AES256"],
  allowedIntegrity: ["NONE", "SHA2-384", "SHA2-512"],
  allowedDhGroups: [15, 16, 20],
};
const cnsa = {
  ikeVersions: ["ikev2"],
  phase1EncryptionAlgorithms: ["AES-CBC-256", "aes256gcm16"],
  phase1IntegrityAlgorithms: ["SHA-384"],
  phase1DHGroupNumbers: [15, 20],
  phase2EncryptionAlgorithms: ["AES256-GCM-16"],
  phase2IntegrityAlgorithms: ["NONE"],
  phase2DHGroupNumbers: [20],
};

checks(refuseWeakCrypto, [
  { it: "lets strong ones pass", given: offering({}) },
  { it: "waits until the tunnel is deployed", given: [tunnel()] },
  { it: "passes over an unknown list", given: offering({ phase1DHGroupNumbers: unknown }) },
  { it: "passes over an unknown entry", given: offering({ phase1DHGroupNumbers: [14, unknown] }) },
  ...["ikev1", "v1", "1", "1.0", "IKE v1", "IKEv1 aggressive", "IKE-1"].map((version) => ({
    it: `refuses IKE ${version}`,
    given: offering({ ikeVersions: [version, "ikev2"] }),
    says: ["hq: tunnelConfig offers weak ones in ikeVersions"],
  })),
  ...["ikev2", "v2", "2", "2.0"].map((version) => ({
    it: `lets IKE ${version} pass`,
    given: offering({ ikeVersions: [version] }),
  })),
  ...[["AES256-GCM-16"], ["AES-GCM-128"], ["ENCR_AES_GCM_16_256", "CHACHA20-POLY1305"], ["AES-CCM-256"]].map(
    (ciphers) => ({
      it: `lets integrity NONE pass beside ${ciphers.join()}`,
      given: offering({ phase2EncryptionAlgorithms: ciphers, phase2IntegrityAlgorithms: ["NONE"] }),
    }),
  ),
  {
    it: "lets NONE pass where one cipher needs none and there is another for the rest",
    given: offering({
      phase2EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
      phase2IntegrityAlgorithms: ["SHA2-256", "NONE"],
    }),
  },
  {
    it: "refuses NONE beside a cipher that does not authenticate",
    given: offering({ phase2EncryptionAlgorithms: ["AES256"], phase2IntegrityAlgorithms: ["SHA2-256", "NONE"] }),
    says: ["phase2IntegrityAlgorithms (refused: NONE"],
  },
  {
    it: "refuses NONE alone where one of the ciphers does not authenticate",
    given: offering({ phase1EncryptionAlgorithms: ["AES256-CBC", "AES256-GCM"], phase1IntegrityAlgorithms: ["NONE"] }),
    says: ["phase1IntegrityAlgorithms (refused: NONE"],
  },
  {
    it: "refuses a tunnel without forward secrecy",
    given: offering({ phase2DHGroupNumbers: [] }),
    says: ["no forward secrecy"],
  },
  {
    it: "lets one pass where it is not asked for",
    given: offering({ phase2DHGroupNumbers: [] }),
    config: { forwardSecrecy: false },
  },
  { it: "lets what the emulator offers pass in the preset strict", given: offering({}), config: strictly },
  ...[
    { phase1EncryptionAlgorithms: ["CAMELLIA256"] },
    { phase1EncryptionAlgorithms: ["ROT13"] },
    { phase2IntegrityAlgorithms: ["SHA3-256"] },
    { phase1DHGroupNumbers: [14, 26] },
    { phase2DHGroupNumbers: [99] },
  ].map((bend) => ({
    it: `refuses ${JSON.stringify(bend)} in the preset strict`,
    given: offering(bend),
    config: strictly,
    says: [`${Object.keys(bend).join()} (allowed: `],
  })),
  ...[
    { phase1EncryptionAlgorithms: ["AES-CBC-128"] },
    { phase1EncryptionAlgorithms: ["AES-GCM-16-128"] },
    { phase1EncryptionAlgorithms: ["AES_192"] },
    { phase1EncryptionAlgorithms: ["CHACHA20-POLY1305"] },
    { phase2IntegrityAlgorithms: ["SHA-256"] },
    { phase2IntegrityAlgorithms: ["HMAC_SHA2_256_128"] },
    { phase1DHGroupNumbers: [31] },
    { phase1DHGroupNumbers: [14] },
  ].map((bend) => ({
    it: `refuses ${JSON.stringify(bend)} by the list of CNSA`,
    given: [tunnel({ tunnelConfig: { ...cnsa, ...bend } })],
    config: cnsaSettings,
    says: [`${Object.keys(bend).join()} (allowed: `],
  })),
  { it: "lets what CNSA asks for pass", given: [tunnel({ tunnelConfig: cnsa })], config: cnsaSettings },
  ...[
    ...[
      "3DES",
      "ENCR_3DES",
      "des-cbc",
      "NULL",
      "NONE",
      "TripleDES",
      "ESP_3DES",
      "esp-3des",
      "DES3",
      "3IDEA",
      "RC2",
      "RC4-128",
    ],
    ...["CAST-128", "Blowfish", "esp-null", "AES-GMAC", "ENCR_NULL_AUTH_AES_GMAC"],
  ].map((name) => ({
    it: `refuses the encryption ${name}`,
    given: offering({ phase2EncryptionAlgorithms: ["AES256", name] }),
    says: ["phase2EncryptionAlgorithms (refused: NULL, NONE, DES, 3DES"],
  })),
  ...["SHA1", "SHA-1", "SHA", "AUTH_HMAC_SHA1_96", "HMAC-MD5", "SHA-96", "HMAC-SHA-96", "esp-sha-hmac", "MD5-96"].map(
    (name) => ({
      it: `refuses the integrity ${name}`,
      given: offering({ phase1IntegrityAlgorithms: [name] }),
      says: ["phase1IntegrityAlgorithms (refused: NONE, MD5, SHA1"],
    }),
  ),
  ...[0, 1, 2, 5, 22, 23, 24, 25].map((group) => ({
    it: `refuses group ${group}`,
    given: offering({ phase1DHGroupNumbers: [14, group] }),
    says: ["phase1DHGroupNumbers (refused: 0, 1, 2, 5, 22, 23, 24, 25)"],
  })),
  {
    it: "says all of a tunnel at once",
    given: offering({ ikeVersions: ["ikev1"], phase1DHGroupNumbers: [2], phase2DHGroupNumbers: [2] }),
    says: [
      "ikeVersions (refused: 1); phase1DHGroupNumbers and phase2DHGroupNumbers (refused: 0, 1, 2, 5, 22, 23, 24, 25)",
    ],
  },
  {
    it: "takes other groups",
    given: offering({ phase1DHGroupNumbers: [2, 14] }),
    config: { dhGroups: [14] },
    says: ["phase1DHGroupNumbers and phase2DHGroupNumbers (refused: 14)"],
  },
]);

const lived = (phase1LifetimeSeconds: unknown, phase2LifetimeSeconds: unknown) =>
  offering({ phase1LifetimeSeconds, phase2LifetimeSeconds });
checks(limitKeyLifetimes, [
  { it: "lets a day and eight hours pass", given: lived(86_400, 28_800) },
  { it: "waits until the tunnel is deployed", given: [tunnel()] },
  { it: "passes over what is not given", given: offering({}) },
  { it: "passes over an unknown one", given: lived(unknown, 3600) },
  {
    it: "refuses a longer phase 1",
    given: lived(86_401, 3600),
    says: ["hq: In tunnelConfig phase1LifetimeSeconds is over 86400."],
  },
  { it: "refuses a longer phase 2", given: lived(28_800, 28_801), says: ["phase2LifetimeSeconds is over 28800."] },
  {
    it: "says both at once",
    given: lived(100_000, 50_000),
    says: ["phase1LifetimeSeconds is over 86400; phase2LifetimeSeconds is"],
  },
  {
    it: "takes other limits",
    given: lived(28_800, 3600),
    config: { maxPhase1Seconds: 14_400, maxPhase2Seconds: 3600 },
    says: ["over 14400"],
  },
  ...[[], [0], [14, 0]].map((groups) => ({
    it: `refuses the groups [${groups.join()}] in phase 2`,
    given: offering({ phase2DHGroupNumbers: groups }),
    says: ["phase2DHGroupNumbers does not ask for forward secrecy"],
  })),
  {
    it: "lets them pass where forward secrecy is not asked for",
    given: offering({ phase2DHGroupNumbers: [] }),
    config: { forwardSecrecy: false },
  },
]);
