import * as all from "../../policy/index";
import { unknown, checks, each, settingsOf, tunnel } from "./checking";

const strong = {
  ...{ outsideIpAddress: "198.51.100.9", ikeVersions: ["ikev2"] },
  ...{ phase1EncryptionAlgorithms: ["AES256", "AES256-GCM-16"], phase2EncryptionAlgorithms: ["AES256"] },
  ...{ phase1IntegrityAlgorithms: ["SHA2-256", "SHA2-384"], phase2IntegrityAlgorithms: ["SHA2-512"] },
  ...{ phase1DHGroupNumbers: [14, 19, 20], phase2DHGroupNumbers: [14, 21] },
};
const offering = (bend: object) => tunnel({ tunnelConfig: { ...strong, ...bend } });
const encrypting = (...phase2EncryptionAlgorithms: string[]) => offering({ phase2EncryptionAlgorithms });
const beside = (integrity: string[], ...phase2EncryptionAlgorithms: string[]) =>
  offering({ phase2EncryptionAlgorithms, phase2IntegrityAlgorithms: integrity });

const strictly = settingsOf("refuse-weak-crypto");
const cnsaSettings = {
  allowedEncryption: ["AES256"],
  allowedIntegrity: ["NONE", "SHA2-384", "SHA2-512"],
  allowedDhGroups: [15, 16, 20],
};
const cnsa = {
  ikeVersions: ["ikev2"],
  ...{ phase1EncryptionAlgorithms: ["AES-CBC-256", "aes256gcm16"], phase2EncryptionAlgorithms: ["AES256-GCM-16"] },
  ...{ phase1IntegrityAlgorithms: ["SHA-384"], phase2IntegrityAlgorithms: ["NONE"] },
  ...{ phase1DHGroupNumbers: [15, 20], phase2DHGroupNumbers: [20] },
};
const forCnsa = (bend: object) => tunnel({ tunnelConfig: { ...cnsa, ...bend } });
/** Gives each tunnel of a list a name of its own. */
const apart = (tunnels: ReturnType<typeof tunnel>[]) =>
  tunnels.map((each, index) => ({ ...each, name: `hq-${index}` }));
const notAllowed = (bend: object) => `${Object.keys(bend).join()} (allowed: `;
const outsideStrict = [
  ...[{ phase1EncryptionAlgorithms: ["CAMELLIA256"] }, { phase1EncryptionAlgorithms: ["ROT13"] }],
  ...[{ phase2IntegrityAlgorithms: ["SHA3-256"] }, { phase1DHGroupNumbers: [14, 26] }, { phase2DHGroupNumbers: [99] }],
];
const outsideCnsa = [
  ...[{ phase1EncryptionAlgorithms: ["AES-CBC-128"] }, { phase1EncryptionAlgorithms: ["AES-GCM-16-128"] }],
  ...[{ phase1EncryptionAlgorithms: ["AES_192"] }, { phase1EncryptionAlgorithms: ["CHACHA20-POLY1305"] }],
  ...[{ phase2IntegrityAlgorithms: ["SHA-256"] }, { phase2IntegrityAlgorithms: ["HMAC_SHA2_256_128"] }],
  ...[{ phase1DHGroupNumbers: [31] }, { phase1DHGroupNumbers: [14] }],
];
const weakCiphers = [
  ...["3DES", "ENCR_3DES", "des-cbc", "NULL", "NONE", "TripleDES", "ESP_3DES", "esp-3des", "DES3", "3IDEA", "RC2"],
  ...["RC4-128", "CAST-128", "Blowfish", "esp-null", "AES-GMAC", "ENCR_NULL_AUTH_AES_GMAC"],
];
const weakIntegrity = [
  ...["SHA1", "SHA-1", "SHA", "AUTH_HMAC_SHA1_96", "HMAC-MD5", "SHA-96", "HMAC-SHA-96", "esp-sha-hmac", "MD5-96"],
];
const firstIkes = ["ikev1", "v1", "1", "1.0", "IKE v1", "IKEv1 aggressive", "IKE-1"];
const phase2 = (...phase2DHGroupNumbers: number[]) => offering({ phase2DHGroupNumbers });
const dh2 = { phase1DHGroupNumbers: [2], phase2DHGroupNumbers: [2] };
const inBoth = "phase1DHGroupNumbers and phase2DHGroupNumbers";
const groups = "(refused: 0, 1, 2, 5, 22, 23, 24, 25)";
const refusedNone = "IntegrityAlgorithms (refused: NONE";

checks(all.refuseWeakCrypto, [
  ["lets strong ones pass, in strict too", [offering({})], [], strictly],
  ["waits until the tunnel is deployed", tunnel()],
  ["passes over an unknown entry", offering({ phase1DHGroupNumbers: [14, unknown] })],
  ...each(firstIkes, (ike) => [
    `refuses IKE ${ike}`,
    offering({ ikeVersions: [ike, "ikev2"] }),
    "algorithms in ikeVersions",
  ]),
  ["lets IKE 2 pass", ["ikev2", "v2", "2", "2.0"].map((version) => offering({ ikeVersions: [version] }))],
  ...each(["AES256-GCM-16", "AES-GCM-128", "CHACHA20-POLY1305", "AES-CCM-256"], (cipher) => [
    ...([`lets integrity NONE pass beside ${cipher}`, beside(["NONE"], "ENCR_AES_GCM_16_256", cipher)] as const),
  ]),
  ["lets it pass beside one for the other cipher", beside(["SHA2-256", "NONE"], "AES256", "AES256-GCM-16")],
  ["refuses NONE beside a cipher that does not authenticate", beside(["SHA2-256", "NONE"], "AES256"), refusedNone],
  ["refuses NONE only, if one cipher does not authenticate", beside(["NONE"], "AES256-CBC", "AES256-GCM"), refusedNone],
  ["refuses a tunnel without forward secrecy", offering({ phase2DHGroupNumbers: [] }), "no forward secrecy"],
  ["lets one pass if told", offering({ phase2DHGroupNumbers: [] }), [], { forwardSecrecy: false }],
  ["strict refuses others", apart(outsideStrict.map(offering)), outsideStrict.map(notAllowed), strictly],
  ["lets what CNSA asks for pass", tunnel({ tunnelConfig: cnsa }), [], cnsaSettings],
  ["CNSA's list refuses others", apart(outsideCnsa.map(forCnsa)), outsideCnsa.map(notAllowed), cnsaSettings],
  ...each(weakCiphers, (name) => [
    ...([`refuses the encryption ${name}`, encrypting("AES256", name)] as const),
    "phase2EncryptionAlgorithms (refused: NULL, NONE, DES, 3DES",
  ]),
  ...each(weakIntegrity, (name) => [
    ...([`refuses the integrity ${name}`, offering({ phase1IntegrityAlgorithms: [name] })] as const),
    "phase1IntegrityAlgorithms (refused: NONE, MD5, SHA1",
  ]),
  ...each([0, 1, 2, 5, 22, 23, 24, 25], (group) => [`refuses group ${group}`, phase2(14, group), `rs ${groups}`]),
  ["says all at once", offering({ ikeVersions: ["1"], ...dh2 }), `ikeVersions (refused: 1); ${inBoth} ${groups}`],
  ["takes others", offering({ phase1DHGroupNumbers: [2] }), "phase2DHGroupNumbers (refused: 14)", { dhGroups: [14] }],
]);

const lived = (phase1LifetimeSeconds: unknown, phase2LifetimeSeconds: unknown) =>
  offering({ phase1LifetimeSeconds, phase2LifetimeSeconds });
const shorter = { maxPhase1Seconds: 14_400, maxPhase2Seconds: 3600 };
checks(all.limitKeyLifetimes, [
  ["lets a day and eight hours pass", lived(86_400, 28_800)],
  ["waits until the tunnel is deployed", tunnel()],
  ["passes over what is not given or unknown", [offering({}), lived(unknown, 3600)]],
  ["refuses a longer phase 1", lived(86_401, 3600), "hq: In tunnelConfig phase1LifetimeSeconds is over 86400."],
  ["refuses a longer phase 2", lived(28_800, 28_801), "phase2LifetimeSeconds is over 28800."],
  ["says both at once", lived(100_000, 50_000), "phase1LifetimeSeconds is over 86400; phase2LifetimeSeconds is"],
  ["takes other limits", lived(28_800, 3600), "over 14400", shorter],
  [
    "refuses none in phase 2",
    apart([phase2(), phase2(0), phase2(14, 0)]),
    Array(3).fill("does not ask for forward secrecy"),
  ],
  ["lets them pass if told", phase2(), [], { forwardSecrecy: false }],
]);
