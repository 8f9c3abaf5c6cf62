import { Secret } from "@pulumi/policy";
import { announces, withoutKeys } from "../announcements";
import { resourceRule } from "../rule";
import { textsOf } from "../secretness";

// Where secrets cannot be told from others nothing is said: with secret inputs that would be a false alarm.
const plainKeys = (props: object) => (textsOf(props)?.plain ?? []).filter(announces);

export const encryptPreSharedKeys = resourceRule(
  {
    name: "encrypt-pre-shared-keys",
    topic: "Secrets",
    description: "Pre-shared keys must not be plain inputs of a resource.",
    reason:
      "A plain input stands unencrypted in the state and in previews. Unlike keep-sample-config-secret this looks before a resource is made, at any resource, and finds keys of other makers' configurations too.",
    fix: "wrap the value in pulumi.secret(...), or keep it in secret configuration (pulumi config set --secret).",
    unknowns:
      "Unknown inputs are passed over until they are known. A key is recognised by what sets it in configurations of common devices and daemons, in scripts and in settings (`pre-shared-key`, `set psksecret`, `crypto isakmp key`, `psk = `, `sharedKey: ` and so on; `secret = ` in IPsec configurations), on the same line or alone on the next, plain or up to three encodings deep in base64, hex or the escapes of a URL, a page or a program, or by the name of the input or of the map that it is in (`psk`, `presharedKeys`). Words about keys, names of secrets, references to where a key is kept and masks are none. So a key in another form goes unseen (compressed, split, in a file that an asset names), and so does one that is a common word such as `secret`, or looks like the name of a secret (`hq-vpn-psk`).",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
    remedy:
      "makes the input secret; the program is not changed, so a run without the policy makes it plain again and the fix is still to be made",
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
  // A name with a dot in it, or an asset: the policy reports what it cannot mend.
  else if (inner.length === 0 && value === text) props[key] = new Secret(text);
}
