import { keepSampleConfigSecret } from "../../policy/index";
import { secret, unknown } from "./checking";
import { base64, bucket, deployed, key, sample, stack } from "./key-samples";
import { checks, tokens, tunnel } from "./tables";

checks(keepSampleConfigSecret, [
  {
    it: "lets secret outputs pass",
    given: [deployed, stack({ sample: secret(sample), deep: { list: [secret(sample)] } })],
  },
  { it: "lets secret inputs pass", given: [deployed, bucket({ content: secret(sample) })] },
  {
    it: "lets other texts pass",
    given: [deployed, stack({ endpoint: "nlb.example:443" }), bucket({ content: "address 198.51.100.9" })],
  },
  {
    it: "has nothing to look for while the sample is unknown",
    given: [tunnel({ sampleConfig: secret(unknown) }), stack({ sample: unknown })],
  },
  {
    it: "refuses a plain output",
    given: [deployed, stack({ sample })],
    says: ["project-dev: Stack output sample holds the pre-shared key"],
  },
  {
    it: "names a plain output inside others",
    given: [deployed, stack({ all: { sites: [{ sample }] } })],
    says: ["Stack output all.sites.0.sample holds"],
  },
  {
    it: "refuses a plain input",
    given: [deployed, bucket({ content: sample })],
    says: ["note: Property content holds the pre-shared key"],
  },
  {
    it: "refuses the key alone",
    given: [deployed, bucket({ content: `k=${key};` })],
    says: ["Property content holds the pre-shared key"],
  },
  ...[0, 1, 2].map((offset) => ({
    it: `refuses the key in base64 at offset ${offset}`,
    given: [deployed, bucket({ content: base64(`${"x".repeat(offset)}${key}--`) })],
    says: ["holds the pre-shared key"],
  })),
  {
    it: "refuses the whole in base64",
    given: [deployed, bucket({ content: base64(sample) })],
    says: ["holds the pre-shared key"],
  },
  {
    it: "refuses the key in hex",
    given: [deployed, bucket({ content: Buffer.from(key).toString("hex") })],
    says: ["holds the pre-shared key"],
  },
  {
    it: "refuses the key in a URL",
    given: [deployed, bucket({ content: `https://x?k=${encodeURIComponent(key)}` })],
    says: ["holds the pre-shared key"],
  },
  {
    it: "refuses the sample as JSON",
    given: [deployed, bucket({ content: JSON.stringify({ sample }) })],
    says: ["holds the pre-shared key"],
  },
  {
    it: "lets the sample pass with its key taken out",
    given: [deployed, bucket({ content: sample.replace(key, "***") })],
  },
  {
    it: "refuses lines of a sample that announces no key",
    given: [
      tunnel({ sampleConfig: secret(sample.replace("pre-shared-key", "whisper")) }),
      bucket({ content: sample.replace("pre-shared-key", "whisper") }),
    ],
    says: ["Property content holds lines of the sample configuration"],
  },
  ...[
    { it: "a component without outputs", given: { type: "company:site:Device", name: "router" } },
    { it: "a dynamic resource without outputs", given: { type: "pulumi-nodejs:dynamic:Resource", name: "router" } },
  ].flatMap(({ it, given }) => [
    {
      it: `refuses a plain input of ${it}`,
      given: [deployed, { ...given, props: {}, inputs: { note: `k ${key}` } }],
      says: ["router: Property note holds the pre-shared key of the sample configuration"],
    },
    {
      it: `lets a secret input of ${it} pass`,
      given: [deployed, { ...given, props: {}, inputs: { note: secret(`k ${key}`) } }],
    },
  ]),
  {
    it: "refuses the key as the name of a property, and does not repeat it",
    given: [deployed, bucket({ tags: { [key]: { deeper: key } } })],
    says: ["note: Property tags holds the pre-shared key"],
  },
  ...[
    ["in capitals", key.toUpperCase()],
    ["with spaces", key.split("").join(" ")],
    ["with hyphens", key.replace(/(.{4})/g, "$1-")],
    ["in base64 in base64", base64(base64(`key ${key}`))],
  ].map(([it, text]) => ({
    it: `refuses the key ${it ?? ""}`,
    given: [deployed, bucket({ content: text })],
    says: ["holds the pre-shared key"],
  })),
  {
    it: "needs no stored sample to see one in an output",
    given: [tunnel({ storeSampleConfig: false }), stack({ sample })],
    says: ["project-dev: Stack output sample holds a pre-shared key, and is plain."],
  },
  {
    it: "needs none to see one in base64 in an output",
    given: [tunnel({ storeSampleConfig: false }), stack({ sites: [base64(sample)] })],
    says: ["Stack output sites.0 holds a pre-shared key"],
  },
  {
    it: "leaves an input that announces a key to encrypt-pre-shared-keys, also where it comes back as an output",
    given: [{ ...bucket({ content: sample }), inputs: { content: sample } }],
  },
  {
    it: "knows a key from any secret",
    given: [tunnel({ storeSampleConfig: false }), bucket({ content: secret(sample) }), stack({ word: `x${key}` })],
    says: ["project-dev: Stack output word holds the pre-shared key of a secret of this stack"],
  },
  {
    it: "knows a key from a secret input",
    given: [
      { type: "company:site:Device", name: "router", props: {}, inputs: { settings: secret(sample) } },
      stack({ word: key }),
    ],
    says: ["Stack output word holds the pre-shared key of a secret of this stack"],
  },
  {
    it: "refuses the text of an asset",
    given: [
      deployed,
      bucket({ source: { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: sample } }),
    ],
    says: ["Property source.text holds"],
  },
  {
    it: "refuses the text of an asset in an archive",
    given: [
      deployed,
      bucket({
        source: {
          "4dabf18193072939515e22adb298388d": "0def7320c3a5731c473e5ecbe6d01bc7",
          assets: {
            "site.txt": { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: sample },
          },
        },
      }),
    ],
    says: ["Property source.assets.site.txt.text holds"],
  },
  ...[
    { it: "bytes", value: [...Buffer.from(key)] },
    { it: "a buffer", value: Buffer.from(key).toJSON() },
    { it: "an object of bytes", value: Object.fromEntries(Buffer.from(key).entries()) },
    { it: "UTF-16 in base64", value: Buffer.from(`k ${key}`, "utf16le").toString("base64") },
    { it: "the escapes of a page", value: `<b>${key.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;")}</b>` },
    { it: "the escapes of a program", value: key.replace("Z", "\\u005a").replace("x", "\\x78") },
  ].map(({ it, value }) => ({
    it: `refuses the key as ${it}`,
    given: [deployed, stack({ value })],
    says: ["holds the pre-shared key of the sample configuration"],
  })),
  {
    it: "refuses the key in a resource's name",
    given: [deployed, { type: "company:site:Device", name: `router-${key}` }],
    says: ["Its URN holds the pre-shared key of the sample configuration"],
  },
  {
    it: "says where no property has a name",
    given: [deployed, stack({ [key]: 1 })],
    says: ["The name of a stack output holds the pre-shared key"],
  },
  {
    it: "knows a key from a secret that is one by the name of its property",
    given: [
      {
        type: "company:site:Device",
        name: "router",
        props: {},
        inputs: { tunnel1PresharedKey: secret("Qn7rosebudSwordfish") },
      },
      stack({ word: "xQn7rosebudSwordfish" }),
    ],
    says: ["Stack output word holds the pre-shared key of a secret of this stack"],
  },
  {
    it: "takes the names in a map of secret keys for no keys",
    given: [bucket({ psks: secret({ "branch-office": "Qn7rosebudSwordfish" }) }), stack({ site: "branch-office" })],
  },
  {
    it: "finds one in base64 among other letters",
    given: [stack({ link: `site-${base64(sample)}-v1` })],
    says: ["Stack output link holds a pre-shared key"],
  },
  {
    it: "refuses a tunnel's own, where it is plain",
    given: [tunnel({ sampleConfig: sample })],
    says: ["hq: Property sampleConfig holds"],
  },
]);

describe("keep-sample-config-secret without knowledge of what is secret", () => {
  it("says that it cannot tell, and only where it finds something", async () => {
    const found: string[] = [];
    const untold = (type: string, name: string, props: object) => ({ type, name, urn: `urn::${name}`, props });
    const resources = [
      untold(tokens.plugin[0], "hq", { sampleConfig: sample }),
      untold("pulumi:pulumi:Stack", "project-dev", { sample, other: "x" }),
      untold(tokens.plugin[1], "web", { target: "web.internal:443" }),
    ];
    const args = { resources, getConfig: () => ({}) } as never;
    await keepSampleConfigSecret.validateStack(args, (message, urn = "") => found.push(`${urn} ${message}`));
    expect(found).toEqual([expect.stringMatching(/^urn::project-dev .*Stack output sample holds .* cannot be told/)]);
  });
});
