import { encryptPreSharedKeys } from "../../policy/index";
import { remedied, secret, unknown } from "./checking";
import { base64, bucket, key, sample } from "./key-samples";
import { checks, share, tunnel } from "./tables";

checks(encryptPreSharedKeys, [
  { it: "lets secret inputs pass", given: [bucket({ content: secret(sample), presharedKey: secret(key) })] },
  { it: "passes over unknown inputs", given: [bucket({ content: unknown })] },
  {
    it: "lets talk of keys pass",
    given: [
      bucket({ content: "Rotate the pre-shared key every 90 days, see https://wiki.example/pre-shared-key/Runbook2" }),
    ],
  },
  { it: "lets other texts pass", given: [tunnel(), share()] },
  {
    it: "refuses a line that sets one",
    given: [bucket({ content: sample })],
    says: ["note: Plain inputs hold a pre-shared key: content."],
  },
  ...[
    `psk "${key}"`,
    `Pre-Shared Key : ${key}`,
    `<pre_shared_key>${key}</pre_shared_key>`,
    `set pre-shared-secret ascii-text ${key}`,
    `pre-shared-key local ${key}`,
  ].map((line) => ({
    it: `refuses ${line.slice(0, 16)}`,
    given: [bucket({ lines: ["x", line] })],
    says: ["hold a pre-shared key: lines.1."],
  })),
  {
    it: "refuses one in base64",
    given: [bucket({ content: base64(sample) })],
    says: ["note: Plain inputs hold a pre-shared key: content."],
  },
  {
    it: "refuses one in a URL",
    given: [bucket({ content: `https://x.example/?note=${encodeURIComponent(`psk ${key}`)}` })],
    says: ["hold a pre-shared key: content."],
  },
  {
    it: "refuses one in a URL with a stray percent sign",
    given: [bucket({ content: `https://x.example/?off=100%&note=${encodeURIComponent(`psk ${key}`)}` })],
    says: ["hold a pre-shared key: content."],
  },
  {
    it: "refuses one in a map of keys",
    given: [bucket({ presharedKeys: { "branch-office": "swordfish" } })],
    says: ["hold a pre-shared key: presharedKeys.branch-office."],
  },
  {
    it: "lets a map of secret keys pass, whatever is named in it",
    given: [bucket({ presharedKeys: { "branch-office": secret("swordfish") } })],
  },
  {
    it: "refuses one of digits alone, given as a number",
    given: [bucket({ psk: 8675309123 })],
    says: ["hold a pre-shared key: psk."],
  },
  {
    it: "does not repeat a name that holds one",
    given: [bucket({ tags: { [`psk ${key}`]: "x" } })],
    says: ["hold a pre-shared key: tags."],
  },
  ...["presharedKey", "sharedKey", "sharedSecret", "tunnel1_psk", "PreSharedKeys"].map((name) => ({
    it: `refuses an input ${name}, short or of letters alone`,
    given: [bucket({ [name]: "oak" })],
    says: [`hold a pre-shared key: ${name}.`],
  })),
  {
    it: "lets what only speaks of keys pass",
    given: [
      bucket({
        usePsk: "true",
        psk: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/psk-AbCdEf",
        handler: "psk-rotation-lambda-v2",
        description: "PSK rotated on 2027-03-01",
      }),
    ],
  },
  {
    it: "refuses an input of that name",
    given: [bucket({ tunnel1PresharedKey: "abcdefgh" })],
    says: ["tunnel1PresharedKey."],
  },
]);

describe("encrypt-pre-shared-keys as a remediation", () => {
  it("makes the inputs secret, also inside others, and touches nothing else", async () => {
    const given = bucket({ content: sample, meta: { psk: key, n: 1, other: secret("o") } });
    expect(await remedied(encryptPreSharedKeys, given)).toEqual({
      content: secret(sample),
      meta: { psk: secret(key), n: 1, other: secret("o") },
    });
  });
  it("changes nothing where all is secret or unknown", async () => {
    expect(await remedied(encryptPreSharedKeys, bucket({ content: secret(sample), psk: unknown }))).toBeUndefined();
  });
});
