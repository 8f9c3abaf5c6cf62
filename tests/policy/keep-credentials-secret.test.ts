import { keepCredentialsSecret } from "../../policy/index";
import { secret } from "./checking";
import { checks } from "./tables";

const provider = (type: string, props: object) => [
  { type: `pulumi:providers:${type}`, name: "default", props: { ...props } },
];
checks(keepCredentialsSecret, [
  {
    it: "lets secrets pass",
    given: provider("pulumi-nodejs", { "frontdoor:token": secret("t"), "frontdoor:baseUrl": "https://x" }),
  },
  { it: "lets other providers be", given: provider("github", { token: "t" }) },
  {
    it: "refuses a plain token",
    given: provider("pulumi-nodejs", { "frontdoor:token": "t" }),
    says: ["Plain configuration: frontdoor:token."],
  },
  {
    it: "refuses plain ones of the plugin",
    given: provider("frontdoor", {
      token: secret("t"),
      clientSecret: secret("c"),
      plainCredentials: ["clientSecret", "token"],
    }),
    says: ["Plain configuration: clientSecret, token."],
  },
  { it: "lets secrets of the plugin pass", given: provider("frontdoor", { token: secret("t") }) },
]);
