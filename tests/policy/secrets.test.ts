import {
  avoidStoredKeys,
  checkThePack,
  encryptPreSharedKeys,
  keepCredentialsSecret,
  keepSampleConfigSecret,
} from "../../policy/index";
import {
  type Props,
  remedied,
  secret,
  tellConfiguration,
  unknown,
  checks,
  each,
  share,
  tokens,
  tunnel,
} from "./checking";
import { keysIn } from "../../policy/keys";

describe("secrets", () => {
  /** A pre-shared key, and what holds it. */
  const key = "Zx9/Tq+4mLp0Rv7w";

  const sample = `! IPsec sample configuration
! keep it: it holds the pre-shared key.
crypto ikev2 keyring front-door-keys
 peer front-door
  address 198.51.100.9
  pre-shared-key ${key}
 authentication local pre-share
crypto ipsec profile front-door-profile
 set ikev2-profile front-door
tunnel protection ipsec profile front-door
`;

  const deployed = tunnel({ sampleConfig: secret(sample) });

  const stack = (props: Props) => ({ type: "pulumi:pulumi:Stack", name: "project-dev", props });

  const bucket = (props: Props) => ({ type: "aws:s3/bucketObject:BucketObject", name: "note", props });

  const base64 = (text: string) => Buffer.from(text).toString("base64");

  const device = (inputs: Props) => ({ type: "company:site:Device", name: "router", props: {}, inputs });

  const note = (inputs: Props) => ({ ...device(inputs), type: "pulumi-nodejs:dynamic:Resource" });

  const unstored = tunnel({ storeSampleConfig: false });

  const whispered = sample.replace("pre-shared-key", "whisper");

  const whispering = [tunnel({ sampleConfig: secret(whispered) }), bucket({ content: whispered })];

  const psk = "Qn7roSwfish";

  const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: sample };

  const archive = {
    "4dabf18193072939515e22adb298388d": "0def7320c3a5731c473e5ecbe6d01bc7",
    assets: { "a.txt": asset },
  };

  const inUrl = (text: string) => `https://x.example/?off=100%&note=${encodeURIComponent(text)}`;

  /** The key as other texts and values hold it. */
  const forms: Record<string, unknown> = {
    ...{ "as it is": `k=${key};`, "in capitals": key.toUpperCase(), "in a URL": inUrl(key) },
    ...{ "in hex": Buffer.from(key).toString("hex"), "with spaces": key.split("").join(" ") },
    ...{ "with hyphens": key.replace(/(.{4})/g, "$1-") },
    ...Object.fromEntries([0, 1, 2].map((at) => [`in base64 at offset ${at}`, base64(`${"x".repeat(at)}${key}--`)])),
    ...{ "in the sample in base64": base64(sample), "in the sample as JSON": JSON.stringify({ sample }) },
    ...{ "as bytes": [...Buffer.from(key)], "as a buffer": Buffer.from(key).toJSON() },
    "as an object of bytes": Object.fromEntries(Buffer.from(key).entries()),
  };

  const ofSample = "holds the pre-shared key of the sample configuration";

  const ofSecret = "Stack output word holds the pre-shared key of a secret of this stack";

  checks(keepSampleConfigSecret, [
    ["lets secret outputs pass", [deployed, stack({ sample: secret(sample), deep: { list: [secret(sample)] } })]],
    ["lets secret inputs pass", [deployed, bucket({ content: secret(sample) }), device({ n: secret(key) })]],
    ["finds nothing if the sample is unknown", [tunnel({ sampleConfig: secret(unknown) }), stack({ sample: unknown })]],
    ["names one inside others", [deployed, stack({ all: { sites: [{ sample }] } })], "output all.sites.0.sample holds"],
    ["refuses a plain input", [deployed, bucket({ content: sample })], `note: Property content ${ofSample}`],
    ...each(Object.keys(forms), (form) => [`refuses the key ${form}`, [deployed, stack({ a: forms[form] })], ofSample]),
    ["refuses a plain input of a component", [deployed, device({ n: `k ${key}` })], `router: Property n ${ofSample}`],
    ["refuses one of a dynamic resource", [deployed, note({ n: `k ${key}` })], `router: Property n ${ofSample}`],
    ["refuses the text of an asset", [deployed, bucket({ source: asset })], "Property source.text holds"],
    ["and in an archive", [deployed, bucket({ source: archive })], "Property source.assets.a.txt.text holds"],
    [
      "refuses the key in a resource's name",
      [deployed, { ...device({}), name: `router-${key}` }],
      `Its URN ${ofSample}`,
    ],
    ["does not repeat a name that is the key", [deployed, bucket({ tags: { [key]: 1 } })], `Property tags ${ofSample}`],
    ["says that a name is the key", [deployed, stack({ [key]: 1 })], "The name of a stack output holds the pre-shared"],
    ["refuses lines of a sample without a key", whispering, "Property content holds lines of the sample configuration"],
    ["needs no stored sample", [unstored, stack({ sample })], "Stack output sample holds a pre-shared key, and is"],
    ["leaves inputs with a key to the next policy", { ...bucket({ content: sample }), inputs: { content: sample } }],
    ["knows a key from any secret", [bucket({ content: secret(sample) }), stack({ word: `x${key}` })], ofSecret],
    ["knows a key from a secret input", [device({ settings: secret(sample) }), stack({ word: key })], ofSecret],
    ["knows it by its property's name", [device({ aPresharedKey: secret(psk) }), stack({ word: psk })], ofSecret],
    ["takes names of keys for no keys", [bucket({ psks: secret({ "a-branch": key }) }), stack({ at: "a-branch" })]],
    ["refuses a tunnel's own, if it is plain", tunnel({ sampleConfig: sample }), "hq: Property sampleConfig holds"],
  ]);

  it("keep-sample-config-secret says nothing of what it cannot judge, and check-the-pack warns of that once", async () => {
    const untold = (type: string, name: string, props: object) => ({ type, name, urn: `urn::${name}`, props });
    const resources = [
      untold(tokens.plugin[0], "hq", { sampleConfig: sample }),
      untold("pulumi:pulumi:Stack", "project-dev", { sample, other: "x" }),
      untold(tokens.plugin[1], "web", { target: "web.internal:443" }),
    ];
    const args = { resources, getConfig: () => ({}) } as never;
    const found: string[] = [];
    for (const policy of [keepSampleConfigSecret, checkThePack])
      await policy.validateStack(args, (message, urn = "") => found.push(`${policy.name} ${urn} ${message}`));
    expect(found).toEqual([expect.stringMatching(/^check-the-pack urn::project-dev The pack cannot judge/)]);
  });

  const talk = { usePsk: "true", psk: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/psk-AbCdEf" };

  const names = ["presharedKey", "sharedKey", "sharedSecret", "tunnel1_psk", "PreSharedKeys", "tunnel1PresharedKey"];

  const plainContent = "note: Plain inputs contain a pre-shared key: content.";

  checks(encryptPreSharedKeys, [
    ["lets secret inputs pass", bucket({ content: secret(sample), presharedKey: secret(key) })],
    ["lets other texts pass", [tunnel(), share(), bucket(talk)]],
    ["refuses a line that sets one", bucket({ content: sample }), plainContent],
    ["refuses a line in a list", bucket({ lines: ["x", `psk "${key}"`] }), "key: lines.1."],
    ["refuses one in base64", bucket({ content: base64(sample) }), plainContent],
    ["refuses one in a map of keys", bucket({ presharedKeys: { "a-branch": "oak" } }), "key: presharedKeys.a-branch."],
    ["lets a map of secret keys pass", bucket({ presharedKeys: { "a-branch": secret("swordfish") } })],
    ["refuses one that is a number", bucket({ psk: 8675309123 }), "contain a pre-shared key: psk."],
    [
      "does not repeat a name that holds one",
      bucket({ tags: { [`psk ${key}`]: "x" } }),
      "contain a pre-shared key: tags.",
    ],
    ...each(names, (name) => [`refuses a short input ${name}`, bucket({ [name]: "oak" }), `pre-shared key: ${name}.`]),
  ]);

  it("encrypt-pre-shared-keys makes inputs secret, also inside others, and changes nothing else", async () => {
    const given = bucket({ content: sample, meta: { psk: key, n: 1, other: secret("o") } });
    const meta = { psk: secret(key), n: 1, other: secret("o") };
    expect(await remedied(encryptPreSharedKeys, given)).toEqual({ content: secret(sample), meta });
    expect(await remedied(encryptPreSharedKeys, bucket({ content: secret(sample), psk: unknown }))).toBeUndefined();
  });

  const inProd = [tunnel(), tunnel({}, { stack: "prod" })];

  checks(avoidStoredKeys, [
    ["lets a tunnel without pass", unstored],
    ["refuses the default", tunnel(), "hq: The sample configuration, with its pre-shared key, would be stored"],
    ["keeps to its stacks", inProd, "would be stored in the state", { stacks: ["prod*"] }],
  ]);

  describe("plain configuration", () => {
    const provider = (of: string, props: Props, name = "default") => ({ type: `pulumi:providers:${of}`, name, props });
    const north = (token: string) => provider("frontdoor", { token: secret(token) }, "north");
    const config = {
      "frontdoor:token": "plain-token",
      "frontdoor:clientSecret": "hush",
      "engine:other": "other-token",
    };
    const content = '{"clientId":"c","password":"hush-hush"}';
    const pasted = { "frontdoor:credentialsFile": content, "engine:file": "credentials.json" };
    beforeAll(() => {
      tellConfiguration({ ...config, ...pasted, "engine:empty": "" }, ["frontdoor:clientSecret"]);
    });
    afterAll(() => {
      tellConfiguration({}, []);
    });
    const ofDynamic = { "frontdoor:clientSecret": secret("hush"), "frontdoor:baseUrl": "plain-token" };
    const ofPlugin = { token: secret("plain-token"), clientSecret: secret("hush") };
    const isFile = "Plain configuration: frontdoor:credentialsFile.";
    const isToken = "Plain configuration: frontdoor:token.";

    checks(keepCredentialsSecret, [
      ["lets a secret of the dynamic provider pass", provider("pulumi-nodejs", ofDynamic)],
      ["lets a secret of the plugin pass", provider("frontdoor", { clientSecret: secret("hush"), token: "" })],
      ["lets other providers be", provider("github", { token: "plain-token" })],
      ["refuses the dynamic provider's", provider("pulumi-nodejs", { "frontdoor:token": "plain-token" }), isToken],
      ["refuses the plugin's, which marks all as secrets", provider("frontdoor", ofPlugin), isToken],
      ["refuses another name's", north("other-token"), "Plain configuration: engine:other."],
      [
        "lets the path of a credentials file pass, and refuses its content",
        provider("frontdoor", { credentialsFile: "credentials.json" }),
      ],
      ["refuses the content of a credentials file", provider("frontdoor", { credentialsFile: content }), isFile],
      ["lets an explicit provider's other token pass", north("from-a-vault")],
    ]);
  });
});

describe("texts with pre-shared keys", () => {
  // Lines as they stand in configurations, scripts, templates and notes; all of it written for this table.

  const key = "Kd7+vWq2Tn/5rXbE";

  /** Each sets a pre-shared key. */
  const settingKeys: readonly string[] = [
    // In the formats of sample configurations
    ...[
      "set psksecret swordfish",
      ` pre-shared-key ${key}`,
      " ikev2 remote-authentication pre-shared-key 0 qwertyuiop",
    ],
    ...[`crypto isakmp key ${key} address 198.51.100.9`, `: PSK "${key}"`, "%any : PSK 0x6b8f2d41"],
    ...["pre-shared-key ascii-text swordfish;", `<pre_shared_key>${key}</pre_shared_key>`],
    `secrets {\n  ike-east {\n    id = east.example\n    secret = "${key}"\n  }\n}`,
    `Pre-Shared Key           : ${key}`,
    // In settings, templates, scripts and notes
    ...[`{"psk":"${key}"}`, `{\\"sharedKey\\":\\"${key}\\"}`, `tunnel1_preshared_key = "${key}"`, `The psk ${key}`],
    ...["PresharedKey = VGhlIHF1aWNrIGJyb3duIGZveA==", `first\\npre-shared-key ${key}\\nlast`],
    ...[
      `az network vpn-connection create --shared-key ${key} --name east`,
      `Add-VpnConnection -L2tpPsk "${key}" -Force`,
    ],
    `set vpn ipsec site-to-site peer east authentication pre-shared-secret '${key}'`,
  ];

  /** None sets a key, though each speaks of them. */
  const talkingOfKeys: readonly string[] = [
    // Names of things
    ...[
      "psk-rotation-lambda-v2",
      "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/psk-AbCdEf",
      "vpn-psk-store",
    ],
    ...["pskRotationSchedule", "/vpn/east/psk"],
    // Sentences
    "PSK rotated on 2027-03-01",
    "Rotate the pre-shared key every 90 days, see https://wiki.example/pre-shared-key/Runbook2",
    ...["Keep this file secret: it holds the pre-shared key.", "Pre-shared key exchange"],
    ...["A shared secret must have 32 characters", "We changed the psk in 2026", "psk v2"],
    ...["See ticket OPS-77 for the psk OPS-78", "Tunnel with IKEv2, psk and AES256", "PSK: see the vault"],
    ...["psk: rotated", "Shared key: none", "psk of site east, 3rd edition", "Length of the pre-shared key: 32"],
    "shared secret: on file",
    // Switches and references
    ...['usePsk: "true"', "psk: true", "psk: optional", "psk_enabled = yes", 'rotate_psk: "weekly"'],
    ...['psk: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/east"', "psk: ${vault.east}"],
    ...["psk: {{ .Values.psk }}", "PSK=$VPN_PSK", "psk: args.psk,", "const psk = config.requireSecret('psk');"],
    ...["psk = await readKey(site)", "presharedKey?: pulumi.Input<string>", "psk: /run/secrets/east/psk"],
    ...["psk: east.txt", "preSharedKey: vault:kv/vpn/east", "preSharedKey: hq-vpn-psk"],
    "sharedKey: op://network/east/psk",
    // Taken out
    ...[" pre-shared-key ***", " pre-shared-key <your key here>", "psk: ********", 'psk: ""'],
    // Configuration around a key
    ...[" authentication local pre-share", "authentication-method pre-shared-keys;", "auth = psk"],
    ...["crypto ikev2 keyring front-door-keys", "client_secret = keycloak-client-9f", 'secret = "not of a tunnel"'],
    ...['{"psk":{"type":"string","minLength":20}}', "wpa_key_mgmt=WPA-PSK"],
    // The next line is none
    ...["psk:\n  minLength: 20", "PSK:\nask the network team", "psk: {\n  rotation: weekly\n}"],
    ...["psk =\nsecrets.east.psk", "auth methods: psk\nrosebud"],
  ];

  it.each(settingKeys)("finds the key in %j", (text) => {
    expect(keysIn(text)).toHaveLength(1);
  });
  it.each(talkingOfKeys)("finds none in %j", (text) => {
    expect(keysIn(text)).toEqual([]);
  });
  it("ends on long texts of parts of a key's name", () => {
    const parts = ["psk ".repeat(20_000), `${"pre-shared".repeat(9_000)}-key`, "-".repeat(90_000)];
    for (const text of parts) expect(keysIn(text)).toEqual([]);
  });
});
