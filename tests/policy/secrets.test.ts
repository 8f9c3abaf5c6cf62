import {
  avoidStoredKeys,
  encryptPreSharedKeys,
  keepCredentialsSecret,
  keepSampleConfigSecret,
} from "../../policy/index";
import { type Props, remedied, secret, tellConfiguration, unknown } from "./checking";
import { checks, each, share, tokens, tunnel } from "./tables";

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
const archive = { "4dabf18193072939515e22adb298388d": "0def7320c3a5731c473e5ecbe6d01bc7", assets: { "a.txt": asset } };
const inUrl = (text: string) => `https://x.example/?off=100%&note=${encodeURIComponent(text)}`;

/** The key as other texts and values hold it. */
const forms: Record<string, unknown> = {
  ...{ "as it is": `k=${key};`, "in capitals": key.toUpperCase(), "in a URL": inUrl(key) },
  ...{ "in hex": Buffer.from(key).toString("hex"), "with spaces": key.split("").join(" ") },
  ...{ "with hyphens": key.replace(/(.{4})/g, "$1-"), "in base64 in base64": base64(base64(`key ${key}`)) },
  ...Object.fromEntries([0, 1, 2].map((at) => [`in base64 at offset ${at}`, base64(`${"x".repeat(at)}${key}--`)])),
  ...{ "in the sample in base64": base64(sample), "in the sample as JSON": JSON.stringify({ sample }) },
  ...{ "as bytes": [...Buffer.from(key)], "as a buffer": Buffer.from(key).toJSON() },
  "as an object of bytes": Object.fromEntries(Buffer.from(key).entries()),
  "in UTF-16 in base64": Buffer.from(`k ${key}`, "utf16le").toString("base64"),
  "in the escapes of a page": `<b>${key.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;")}</b>`,
  "in the escapes of a program": key.replace("Z", "\\u005a").replace("x", "\\x78"),
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
  ["refuses the key in a resource's name", [deployed, { ...device({}), name: `router-${key}` }], `Its URN ${ofSample}`],
  ["does not repeat a name that is the key", [deployed, bucket({ tags: { [key]: 1 } })], `Property tags ${ofSample}`],
  ["says that a name is the key", [deployed, stack({ [key]: 1 })], "The name of a stack output holds the pre-shared"],
  ["refuses lines of a sample without a key", whispering, "Property content holds lines of the sample configuration"],
  ["needs no stored sample", [unstored, stack({ sample })], "Stack output sample holds a pre-shared key, and is"],
  ["finds one in base64 among letters", stack({ link: `site-${base64(sample)}-v1` }), "output link holds a pre-shared"],
  ["leaves inputs with a key to the next policy", { ...bucket({ content: sample }), inputs: { content: sample } }],
  ["knows a key from any secret", [bucket({ content: secret(sample) }), stack({ word: `x${key}` })], ofSecret],
  ["knows a key from a secret input", [device({ settings: secret(sample) }), stack({ word: key })], ofSecret],
  ["knows it by its property's name", [device({ aPresharedKey: secret(psk) }), stack({ word: psk })], ofSecret],
  ["takes names of keys for no keys", [bucket({ psks: secret({ "a-branch": key }) }), stack({ at: "a-branch" })]],
  ["refuses a tunnel's own, if it is plain", tunnel({ sampleConfig: sample }), "hq: Property sampleConfig holds"],
]);

it("keep-sample-config-secret says that it cannot tell what is secret, and only if it finds something", async () => {
  const found: string[] = [];
  const untold = (type: string, name: string, props: object) => ({ type, name, urn: `urn::${name}`, props });
  const resources = [
    untold(tokens.plugin[0], "hq", { sampleConfig: sample }),
    untold("pulumi:pulumi:Stack", "project-dev", { sample, other: "x" }),
    untold(tokens.plugin[1], "web", { target: "web.internal:443" }),
  ];
  const args = { resources, getConfig: () => ({}) } as never;
  await keepSampleConfigSecret.validateStack(args, (message, urn = "") => found.push(`${urn} ${message}`));
  expect(found).toEqual([
    expect.stringMatching(/^urn::project-dev .*Stack output sample holds .* The policy cannot tell/),
  ]);
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
  ["refuses one in a URL", bucket({ content: inUrl(`psk ${key}`) }), plainContent],
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

it("avoid-stored-keys sets storeSampleConfig to false, except where it is excused", async () => {
  const ours = { ...tunnel(), type: tokens.dynamic[0] };
  expect(await remedied(avoidStoredKeys, ours)).toMatchObject({ storeSampleConfig: false, peerCidr: "10.20.0.0/16" });
  const until = new Date().toISOString().slice(0, 10);
  const exceptions = [{ resource: "IpsecTunnel::hq", until, reason: "site asks for it weekly" }];
  expect(await remedied(avoidStoredKeys, ours, { exceptions })).toBeUndefined();
});

describe("plain configuration", () => {
  const provider = (of: string, props: Props, name = "default") => ({ type: `pulumi:providers:${of}`, name, props });
  const north = (token: string) => provider("frontdoor", { token: secret(token) }, "north");
  const config = { "frontdoor:token": "plain-token", "frontdoor:clientSecret": "hush", "engine:other": "other-token" };
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
