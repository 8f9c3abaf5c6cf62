import { Secret } from "@pulumi/policy";
import { announces, withoutKeys } from "../announcements";
import { resourceRule } from "../rule";
import { textsOf } from "../secretness";

// Reports nothing if it can't tell which inputs are secret: each secret input would be a false alarm.
const plainKeys = (props: object) => (textsOf(props)?.plain ?? []).filter(announces);

export const encryptPreSharedKeys = resourceRule(
  {
    name: "encrypt-pre-shared-keys",
    topic: "Secrets",
    description: "Pre-shared keys must not be plain inputs of a resource.",
    reason:
      "The state and previews show a plain input unencrypted. Unlike keep-sample-config-secret, this policy checks every resource before it is created. It also finds keys in configurations of other vendors.",
    fix: "wrap the value in pulumi.secret(...), or keep it in secret configuration (pulumi config set --secret).",
    unknowns:
      "The policy skips unknown inputs until they are known. It recognises a key by the words that set a key in configurations, scripts and settings. Examples are `pre-shared-key`, `set psksecret`, `crypto isakmp key`, `psk = `, `sharedKey: `, and `secret = ` in IPsec configurations. The key can be on the same line, or be the whole next line. It can be plain, or encoded up to three times in base64, hex, or the escapes of URLs, HTML or strings. It also recognises a key by the name of the input, or of the map that holds the input (`psk`, `presharedKeys`). The policy does not report a text that only mentions a key. Examples are a description, the name or place of a secret, and a mask of asterisks. The policy does not see a key that is compressed, split, or in a file of an asset. It also does not see a common word such as `secret`, or a key that looks like the name of a secret (`hq-vpn-psk`).",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
    remedy:
      "makes the input secret. It does not change the program, so a run without the policy makes the input plain again. Fix the program as well",
  },
  "any resource",
  ({ props }, _settings, report) => {
    const paths = withoutKeys(plainKeys(props));
    if (paths.length > 0) report(`Plain inputs hold a pre-shared key: ${[...new Set(paths)].join(", ")}.`);
  },
  ({ props }) => {
    const found = plainKeys(props);
    if (found.length === 0) return undefined;
    for (const { path, text } of found) makeSecret(props, path.split("."), text);
    return props;
  },
);

function makeSecret(props: Record<string, unknown>, [key = "", ...inner]: string[], text: string): void {
  const value = props[key];
  if (typeof value === "object" && value !== null) makeSecret(value as Record<string, unknown>, inner, text);
  // A name with a dot in it, or an asset: the policy reports it, but cannot fix it.
  else if (inner.length === 0 && value === text) props[key] = new Secret(text);
}
