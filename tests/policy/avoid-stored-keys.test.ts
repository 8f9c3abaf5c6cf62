import { avoidStoredKeys } from "../../policy/index";
import { remedied, unknown } from "./checking";
import { checks, tokens, tunnel } from "./tables";

checks(avoidStoredKeys, [
  { it: "lets a tunnel without pass", given: [tunnel({ storeSampleConfig: false })] },
  { it: "refuses the default", given: [tunnel()], says: ["hq: storeSampleConfig is not false"] },
  { it: "refuses true", given: [tunnel({ storeSampleConfig: true })], says: ["storeSampleConfig is not false"] },
  { it: "passes over an unknown", given: [tunnel({ storeSampleConfig: unknown })] },
  {
    it: "keeps to its stacks",
    given: [tunnel(), tunnel({}, { stack: "prod" })],
    config: { stacks: ["prod*"] },
    says: ["not false"],
  },
]);

describe("avoid-stored-keys as a remediation", () => {
  const ours = { ...tunnel(), type: tokens.dynamic[0] };
  it("sets storeSampleConfig to false", async () => {
    expect(await remedied(avoidStoredKeys, ours)).toMatchObject({ storeSampleConfig: false, peerCidr: "10.20.0.0/16" });
  });
  it("lets be what is excused", async () => {
    const exceptions = [
      { resource: "IpsecTunnel::hq", until: new Date().toISOString().slice(0, 10), reason: "site asks for it weekly" },
    ];
    expect(await remedied(avoidStoredKeys, ours, { exceptions })).toBeUndefined();
  });
});
