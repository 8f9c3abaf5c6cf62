import * as all from "../../policy/index";
import { type Props, unknown, checks, each, settingsOf, share, tunnel } from "./checking";

const to = (target: string) => share({ target });
const ownTargets = [
  ...["localhost:80", "LOCALHOST.:80", "app.localhost:80", "loopback:80", "127.0.0.1:80", "0.0.0.0:80", "[::1]:80"],
  ...["metadata.google.internal:80", "metadata:80", "api.metadata.cloud.ibm.com:80", "[::]:80", "[fe80::1]:80"],
  ...["100.100.100.200:80", "169.254.169.254:80", "169.254.170.2:80", "168.63.129.16:80", "[fd00:ec2::254]:80"],
  ...["[fd20:ce::254]:80", "[::ffff:169.254.169.254]:80", "[::ffff:7f00:1]:80", "[64:ff9b::a9fe:a9fe]:80"],
  ...["[64:ff9b:1::a9fe:a9fe]:80", "[::ffff:0:a9fe:a9fe]:80", "[2002:a9fe:a9fe::1]:80", "[::127.0.0.1]:80"],
  ...["openshift.default.svc:443", "kubernetes:443", "kubernetes.default.svc:443", "vm.docker.internal:2375"],
];
const otherTargets = ["10.8.0.1:80", "100.100.100.100:80", "metadata.corp.example:443", "kubernetes.corp.example:443"];
checks(all.refuseMetadataTargets, [
  ...each(otherTargets, (target) => [`lets ${target} pass`, to(target)]),
  ["leaves what is no target to the provider", to("http://169.254.169.254/")],
  ["leaves tunnels alone", tunnel({ target: "localhost:53" })],
  ...each(ownTargets, (target) => [`refuses ${target}`, to(target), "web: target is the agent's own machine, a meta"]),
]);

const privates = ["10.8.0.1:80", "192.168.1.1:80", "100.64.0.1:80", "[fd00::1]:80", "[::ffff:10.8.0.1]:80"];
const outside = ["www.pulumi.com:443", "notinternal.com:1", "internal.attacker.com:1"];
const everywhere = {
  allowedSuffixes: ["internal", "google.internal", "localdomain", "svc.cluster.local"],
  allowedNetworks: ["0.0.0.0/0", "::/0"],
};
const refusedHere = [to("db.mgmt.corp.example:1"), to("10.9.0.1:1"), to("[::ffff:10.9.0.1]:1"), to("10.8.0.1:1")];
checks(all.keepTargetsPrivate, [
  ...each([...privates, "db:5432", "Web.INTERNAL:443", "a.corp.example:1"], (one) => [`lets ${one} pass`, to(one)]),
  ["refuses an address outside", ["8.8.8.8:53", "[2001:db8::1]:80"].map(to), Array(2).fill("target is an address out")],
  ["refuses a name outside", outside.map(to), outside.map(() => "web: target is a name outside")],
  ["leaves what is no target to the provider", to("http://x")],
  ["refuses a public one as IPv6", to("[::ffff:8.8.8.8]:53"), "address outside", { allowedNetworks: ["::/0"] }],
  ["refuses a top-level domain", to("ai.:443"), "target is a top-level domain"],
  ["refuses the agent's own, too", ownTargets.map(to), ownTargets.map(() => "the agent's own"), everywhere],
  [
    ...(["refuses what is refused, whatever is allowed", refusedHere] as const),
    ["in one of refusedSuffixes", "in one of refusedNetworks", "in one of refusedNetworks"],
    { refusedSuffixes: ["mgmt.corp.example"], refusedNetworks: ["10.9.0.0/16"] },
  ],
  ["leaves tunnels alone", tunnel({ target: "8.8.8.8:53" })],
  ["takes other suffixes", to("db.ours.com:1"), [], { allowedSuffixes: ["OURS.com"] }],
  ["takes other networks", to("10.8.0.1:80"), "an address outside", { allowedNetworks: ["10.9.0.0/16"] }],
]);

const on = (ingressPort: unknown) => share({ ingressPort });
const ranges = { allowedRanges: ["443", "8000-8999"] };
checks(all.limitIngressPorts, [
  ["lets every port pass by default", on(1)],
  ["lets ports in the ranges pass", [on(443), on(8500)], [], ranges],
  ["refuses one outside", on(9000), "outside allowedRanges (443, 8000-8999)", ranges],
]);

const guarded = [
  ...[22, 25, 88, 111, 137, 389, 636, 512, 513, 514, 623, 873, 1434, 2049, 2380, 5601, 8200, 8500, 9042, 9092, 10255],
  ...[15672, 27018],
];
checks(all.guardDangerousPorts, [
  ["lets others pass", on(443)],
  ...each(guarded, (port) => [`guards ${port}`, on(port), `guarded ports, which need an exception: ingressPort.`]),
  [
    "guards RDP behind another",
    share({ target: "a.internal:3389", ingressPort: 8443 }),
    "exception: the port of target.",
  ],
  ["says both at once", share({ target: "10.0.0.5:5432", ingressPort: 5432 }), "ingressPort and the port of target."],
  ["sees it beside an unknown", share({ target: "a.internal:22", ingressPort: unknown }), "the port of target."],
  ["takes more ports, and keeps its own", [on(22), on(8080)], ["port", "port"], { extraPorts: { "8080": "Jenkins" } }],
]);

const hq = tunnel();
const branch = tunnel({}, { name: "branch" });
const first = share();
const second = (bend: Props, rest: object = {}) => share(bend, { name: "web2", ...rest });
const onBranch = { dependsOn: { ipsecTunnelId: ["branch"] } };
const onBoth = { dependsOn: { ipsecTunnelId: ["hq", "branch"] } };
const onAnother = { dependsOn: {} };
const later = { ipsecTunnelId: unknown };

const samePort = "web2: ingressPort is the same";
checks(all.keepIngressPortsUnique, [
  ["lets different ports pass", [hq, first, second({ ingressPort: 444 })]],
  ["sees the same port", [hq, first, second({})], `${samePort} as that of share "web"`],
  ["lets other tunnels have it", [hq, branch, first, second({ ipsecTunnelId: "tnl-2" }, onBranch)]],
  ["tells new tunnels apart by what the id depends on", [hq, branch, share(later), second(later, onBranch)]],
  ["sees the same port on a new tunnel", [hq, share(later), second(later)], samePort],
  ["knows a tunnel by its id too", [hq, first, second({}, onAnother)], samePort],
  ["knows a tunnel of another stack by its id", [share({}, onAnother), second({}, onAnother)], samePort],
  ["goes by the id once it is known, whatever it depends on", [hq, branch, first, second({}, onBranch)], samePort],
  ["passes over an id that depends on two tunnels", [hq, branch, first, second(later, onBoth)]],
  ["passes over an unknown port", [hq, first, second({ ingressPort: unknown })]],
]);

const elsewhere = { ingressPort: 444 };
const twice = [hq, branch, first, second({ ipsecTunnelId: "tnl-2" }, onBranch)];
const written = [share({ target: "10.8.0.9:443" }), second({ ...elsewhere, target: "[::ffff:a08:9]:443" })];
checks(all.avoidDuplicateTargets, [
  ["lets different targets pass", [hq, first, second({ ...elsewhere, target: "mail.internal:443" })]],
  ["lets different environments pass", [hq, first, second({ ...elsewhere, envZId: "env-2" })]],
  ["sees the same target", [hq, first, second(elsewhere)], 'same as those of share "web"'],
  ["sees it in capitals", [hq, first, second({ ...elsewhere, target: "WEB.internal:443" })], "web2: "],
  ["sees it in another spelling of the address", [hq, ...written], "web2: "],
  ["sees it by envId", [hq, first, second({ ...elsewhere, envZId: undefined, envId: "env-1" })], "web2: "],
  ["lets other tunnels have it: two sites use one wiki", twice],
  ["sees it on another tunnel if it is to be published once", twice, "web2: ", { perTunnel: false }],
]);

const balanced = tunnel({ nlbPrivateIp: "10.8.0.4", nlbDnsName: "Nlb-1.example." });
const atPeer = { target: "10.20.7.7:443" };
const balancer = 'the load balancer of tunnel "hq"';
checks(all.refuseLoopTargets, [
  ["lets other targets pass", [balanced, first, second({ ...elsewhere, target: "10.8.0.5:443" })]],
  ["refuses the load balancer by its address", [balanced, to("10.8.0.4:443")], `web: target is ${balancer}`],
  ["refuses it in another spelling", [balanced, to("[::ffff:10.8.0.4]:443")], balancer],
  ["refuses the load balancer by its name, whatever the port", [balanced, to("nlb-1.EXAMPLE:8443")], balancer],
  ["refuses the one of another tunnel", [balanced, branch, share({ target: "10.8.0.4:443" }, onBranch)], balancer],
  ["refuses a target behind the tunnel's own peer", [hq, share(atPeer)], 'behind the peer of its own tunnel "hq"'],
  ["lets one behind another peer pass", [tunnel({ peerCidr: "10.30.0.0/16" }), branch, share(atPeer)]],
  ["passes over a share whose tunnel is not known", [hq, share(atPeer, onAnother)]],
  ["passes over an unknown network", [tunnel({ peerCidr: unknown }), share(atPeer)]],
]);

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

describe("peers", () => {
  const refusedPeers = [
    ...["10.0.0.1", "100.64.1.1", "127.0.0.1", "169.254.1.1", "224.0.0.1", "240.0.0.1", "0.0.0.0", "a.example"],
  ];

  const peer = (peerPublicIp: string) => tunnel({ peerPublicIp }, { name: "other" });

  checks(all.usePublicPeers, [
    ["lets public and documentation addresses pass", [peer("8.8.4.4"), tunnel()]],
    ["leaves shares alone", share({ peerPublicIp: "10.0.0.1" })],
    ...each(refusedPeers, (ip) => [`refuses ${ip}`, peer(ip), "other: peerPublicIp is not a publicly routable"]),
    ["refuses examples if told", tunnel(), "documentation (RFC 5737)", { allowDocumentationRanges: false }],
    ["refuses refused networks", peer("8.8.4.4"), "peerPublicIp is in one", { refusedNetworks: ["8.8.0.0/16"] }],
  ]);

  const block = (peerCidr: string) => tunnel({ peerCidr });

  const noSites = [...["169.254.0.0/16", "127.0.0.0/12", "127.0.0.0/8", "224.0.0.0/16", "240.0.0.0/12", "0.0.0.0/12"]];

  const everything = { allowedPublicNetworks: ["0.0.0.0/0"] };

  checks(all.limitPeerNetworks, [
    ["lets private blocks pass", [block("10.20.0.0/16"), block("172.16.0.0/12")]],
    ["leaves what is no IPv4 block to the provider", [block("office"), block("::/0")]],
    ["refuses everything", block("0.0.0.0/0"), "the whole address space"],
    ["refuses wide blocks", block("10.0.0.0/8"), "wider than /12"],
    ["refuses public space, also in part", ["8.8.0.0/16", "192.160.0.0/12"].map(block), Array(2).fill("public space")],
    ...each(noSites, (cidr) => [
      `refuses ${cidr}, whatever is allowed`,
      block(cidr),
      "No site can have this space",
      everything,
    ]),
    ["lets allowed public space pass", block("8.8.4.0/24"), [], { allowedPublicNetworks: ["8.8.0.0/16"] }],
    ["takes another limit", tunnel(), "wider than /24", { widestPrefix: 24 }],
  ]);

  const octet = (name: string) => 1 + (name.charCodeAt(0) % 200);

  /** Each site has a device of its own. */
  const site = (name: string, peerCidr: string, bend: Props = {}) =>
    tunnel({ peerCidr, peerPublicIp: `198.51.100.${octet(name)}`, ...bend }, { name });

  const onePeer = { peerPublicIp: "203.0.113.9" };

  const [a, b] = [site("a", "10.1.0.0/16"), site("b", "10.2.0.0/16")];

  const within = [site("inner", "10.1.2.0/24"), site("outer", "10.1.0.0/16")];

  const wide = [site("wide", "10.0.0.0/8"), a, b, site("c", "11.0.0.0/8")];

  const same = (first: Props, second: Props) => [site("a", "10.1.0.0/16", first), site("b", "10.1.0.0/16", second)];

  const twoFronts = same({}, { frontdoorId: "fd-2" });

  const reserving = (...reservedNetworks: string[]) => ({ reservedNetworks });

  const two = reserving("10.2.0.0/16", "10.3.0.0/16");

  const reserved = "peerCidr overlaps the reserved network";

  const overlapsA = 'b: peerCidr overlaps the network of tunnel "a"';

  checks(all.separatePeerNetworks, [
    ["lets separate networks pass", [a, b]],
    ["keeps IPv4 and IPv6 apart", [a, site("b", "fd00::/16")]],
    ["sees one in another, whatever their order", within, 'inner: peerCidr overlaps the network of tunnel "outer"'],
    [
      "sees all in a wide one",
      wide,
      ["a", "b"].map((name) => `${name}: peerCidr overlaps the network of tunnel "wide"`),
    ],
    ["sees a reserved network around a site's", [a, b], `b: ${reserved} 10.2.0.0/15`, reserving("10.2.0.0/15")],
    ["sees two within a site's once", site("a", "10.0.0.0/8"), `a: ${reserved} 10.2`, two],
    ["lets reserved networks overlap", a, [], reserving("11.0.0.0/8", "11.1.0.0/16")],
    [
      "sees a third site there",
      [...same(onePeer, onePeer), site("c", "10.1.2.0/24")],
      "c: peerCidr overlaps the network of tu",
    ],
    ["sees two of one peer", [site("a", "10.1.0.0/16", onePeer), site("b", "10.1.2.0/24", onePeer)], overlapsA],
    ["keeps front doors apart", twoFronts],
    ["leaves a tunnel on an unknown front door out", same({}, { frontdoorId: unknown })],
    ["sees reserved ones on both", twoFronts, [`a: ${reserved}`, `b: ${reserved}`], reserving("10.1.0.0/24")],
    ["leaves an unknown one out", [a, site("b", unknown)]],
  ]);
});
