import { keepCredentialsSecret } from "../../policy/index";
import { secret, tellConfiguration } from "./checking";
import { checks } from "./tables";

const provider = (type: string, props: object, name = "default") => [
  { type: `pulumi:providers:${type}`, name, props: { ...props } },
];
const config = {
  "frontdoor:token": "plain-token",
  "frontdoor:clientSecret": "hush",
  "engine:other": "other-token",
  "engine:empty": "",
};
beforeAll(() => {
  tellConfiguration(config, ["frontdoor:clientSecret"]);
});
afterAll(() => {
  tellConfiguration({}, []);
});

checks(keepCredentialsSecret, [
  {
    it: "lets a secret of the dynamic provider pass",
    given: provider("pulumi-nodejs", { "frontdoor:clientSecret": secret("hush"), "frontdoor:baseUrl": "plain-token" }),
  },
  { it: "lets a secret of the plugin pass", given: provider("frontdoor", { clientSecret: secret("hush"), token: "" }) },
  { it: "lets other providers be", given: provider("github", { token: "plain-token" }) },
  {
    it: "refuses a plain token of the dynamic provider",
    given: provider("pulumi-nodejs", { "frontdoor:token": "plain-token" }),
    says: ["Plain configuration: frontdoor:token."],
  },
  {
    it: "refuses a plain token of the plugin, which marks all credentials as secrets",
    given: provider("frontdoor", { token: secret("plain-token"), clientSecret: secret("hush") }),
    says: ["Plain configuration: frontdoor:token."],
  },
  {
    it: "refuses plain configuration of another name that an explicit provider uses",
    given: provider("frontdoor", { token: secret("other-token") }, "north"),
    says: ["Plain configuration: engine:other."],
  },
  {
    it: "lets an explicit provider's token pass that no plain configuration holds",
    given: provider("frontdoor", { token: secret("from-a-vault") }, "north"),
  },
]);
