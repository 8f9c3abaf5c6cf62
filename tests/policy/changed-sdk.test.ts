import type { FrontdoorPolicy } from "../../policy/index";
import { secret } from "./checking";

type Copy = Record<string, object>;
type Deserialize = (wire: object, keepSecrets: boolean) => object;

const deserialize = "@pulumi/policy/deserialize";
const analyzer = "@pulumi/pulumi/proto/analyzer_grpc_pb.js";

/** The pack on a copy of the SDK in which these files differ. */
function packOn(files: Copy) {
  jest.resetModules();
  for (const [file, content] of Object.entries(files)) jest.doMock(file, () => content);
  const { policies } = jest.requireActual<typeof import("../../policy/index")>("../../policy/index");
  const { refuseUnknownNames } = jest.requireActual<typeof import("../../policy/sdk")>("../../policy/sdk");
  return { policies, refuseUnknownNames };
}

async function verdictsOf(policies: readonly FrontdoorPolicy[], type: string, props: object): Promise<string[]> {
  const found: string[] = [];
  const resource = {
    type,
    name: "it",
    urn: `urn:pulumi:dev::project::${type}::it`,
    props,
    opts: { aliases: [], ignoreChanges: [], additionalSecretOutputs: [], customTimeouts: {} },
    getConfig: () => ({}),
  };
  for (const policy of policies) {
    const { enforcementLevel = "" } = policy;
    const report = (message: string) => found.push(`${enforcementLevel} ${policy.name}: ${message}`);
    if ("validateStack" in policy) await policy.validateStack({ ...resource, resources: [resource] } as never, report);
    else for (const validate of [policy.validateResource ?? []].flat()) await validate(resource as never, report);
  }
  return found;
}

const cannotJudge = expect.stringMatching(
  /^advisory check-the-pack: The pack cannot judge what is secret, .*Fix: Run npm dedupe/s,
) as string;
const marked: Deserialize = () => ({ psk: "Zx9/Tq+4mLp0Rv7w" });

const copies: [it: string, files: Copy][] = [
  ["without its inner files", { [deserialize]: {}, [analyzer]: {} }],
  [
    "whose messages are read otherwise",
    { [deserialize]: { deserializeProperties: marked }, [analyzer]: { AnalyzerService: { configureStack: {} } } },
  ],
];

describe.each(copies)("on a copy of the SDK %s", (_it, files) => {
  it("the pack warns once that it cannot judge, stops no stack, and never passes in silence", async () => {
    const isCalled = "deserializeProperties" in (files[deserialize] ?? {});
    const { policies } = packOn(files);
    const sdk = jest.requireMock<{ deserializeProperties: Deserialize }>(deserialize);
    const props = isCalled ? sdk.deserializeProperties({}, false) : marked({}, false);
    expect(await verdictsOf(policies, "company:site:Device", props)).toEqual([cannotJudge]);
    const provider = { "frontdoor:token": "canary", psks: secret("x") };
    const said = await verdictsOf(policies, "pulumi:providers:pulumi-nodejs", provider);
    expect(said).toEqual([cannotJudge]);
    expect(said.join()).not.toContain("canary");
  });
});

it("a pack that cannot see the names in its configuration says so when it begins", () => {
  const said = jest.spyOn(console, "error").mockReturnValue(undefined);
  const { refuseUnknownNames } = packOn({ [deserialize]: {}, [analyzer]: {} });
  refuseUnknownNames([]);
  expect(said.mock.calls.join()).toContain("hides the names in the pack's configuration");
  said.mockRestore();
});
