import type { PolicyResource, PolicyResourceOptions, ResourceValidationArgs } from "@pulumi/policy";
import * as deserialize from "@pulumi/policy/deserialize";
import * as proxy from "@pulumi/policy/proxy";
import { runtime } from "@pulumi/pulumi";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import * as protobuf from "google-protobuf/google/protobuf/struct_pb";
import { type FrontdoorPolicy, policies } from "../../policy/index";

/** What the engine sends for a value that only the update will bring. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** What the engine sends for a secret. */
export const secret = (value: unknown) => ({ [runtime.specialSigKey]: runtime.specialSecretSig, value });

export type Props = Record<string, unknown>;
export interface Given {
  type: string;
  name?: string;
  /** Made of the others where it is not given. */
  urn?: string;
  props?: Props;
  opts?: Partial<PolicyResourceOptions>;
  stack?: string;
  /** What it is registered with, where a policy on the whole stack looks at that too. */
  inputs?: Props;
  /** Names of the resources that a property depends on. */
  dependsOn?: Record<string, string[]>;
}

const wire = protobuf as unknown as { Struct: { fromJavaScript: (value: Props) => object } };
const sdk = deserialize as unknown as {
  deserializeProperties: (wire: object, keepSecrets: boolean) => object;
  serializeProperties: (props: unknown) => Promise<Props>;
};

const { unknownCheckingProxy } = proxy as unknown as { unknownCheckingProxy: (props: object) => Props };

/** Properties as @pulumi/policy hands them to a policy, from what the engine sends. */
export const received = (props: Props, keepSecrets = false) =>
  unknownCheckingProxy(sdk.deserializeProperties(wire.Struct.fromJavaScript(props), keepSecrets));

function resource({ type, name = "it", urn, props = {}, opts = {}, stack = "dev" }: Given, keepSecrets = false) {
  return {
    type,
    name,
    urn: urn ?? `urn:pulumi:${stack}::project::${type}::${name}`,
    props: received(props, keepSecrets),
    opts: {
      protect: false,
      ignoreChanges: [],
      aliases: [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
      additionalSecretOutputs: [],
      ...opts,
    },
    isType: () => false,
    asType: () => undefined,
  };
}

/** Tells the policies the stack's configuration and which keys are secret, as the engine does before it asks them anything. */
export function tellConfiguration(config: Record<string, string>, secretKeys: string[]): void {
  const request = new AnalyzerStackConfigureRequest();
  for (const [key, value] of Object.entries(config)) request.getConfigMap().set(key, value);
  request.setConfigSecretKeysList(secretKeys);
  AnalyzerService.configureStack.requestDeserialize(Buffer.from(request.serializeBinary()));
}

const environment = (config: object) => ({
  stackTags: new Map<string, string>(),
  getConfig: () => structuredClone(config) as never,
  notApplicable: (): never => {
    throw new Error("not applicable");
  },
});

/** What a policy reports, as `name of the resource: text`; of the text only what is between description and fix is kept. */
export async function violations(policy: FrontdoorPolicy, given: Given[], config: object = {}): Promise<string[]> {
  const found: string[] = [];
  const report = (message: string, urn = "") => {
    found.push(`${urn.split("::").at(-1) ?? ""}: ${message}`);
  };
  if ("validateStack" in policy) {
    // What they are registered with comes first.
    for (const { inputs, ...each } of given) {
      const args = { ...resource({ ...each, ...(inputs && { props: inputs }) }), ...environment(config) };
      if (inputs && policy.validateResource) await [policy.validateResource].flat()[0]?.(args, report);
    }
    const made: PolicyResource[] = given.map((each) => ({
      ...resource(each),
      dependencies: [],
      propertyDependencies: {},
    }));
    const byName = new Map(made.map((each) => [each.name, each]));
    given.forEach(({ dependsOn = {} }, index) => {
      for (const [property, names] of Object.entries(dependsOn)) {
        const target = made[index];
        if (target) target.propertyDependencies[property] = names.flatMap((name) => byName.get(name) ?? []);
      }
    });
    await policy.validateStack({ ...environment(config), resources: made }, report);
    return found;
  }
  for (const each of given) {
    const registered = each.inputs ? { ...each, props: each.inputs } : each;
    const args: ResourceValidationArgs = { ...resource(registered), ...environment(config) };
    for (const validate of [policy.validateResource ?? []].flat()) {
      await validate(args, (message, urn = args.urn) => {
        report(message, urn);
      });
    }
  }
  return found;
}

/** What the policies say of the resources with the settings of a file, as `policy name of the resource: text`. */
export async function verdicts(given: Given[], file: Record<string, unknown>): Promise<string[]> {
  const found: string[] = [];
  for (const policy of policies) {
    const own = file[policy.name];
    const { enforcementLevel, ...settings } =
      typeof own === "object" ? { enforcementLevel: "", ...own } : { enforcementLevel: own };
    if (enforcementLevel === "disabled") continue;
    const said = await violations(policy, given, settings);
    found.push(...said.map((text) => `${policy.name} ${text}`));
  }
  return found;
}

/** The properties a remediation leaves; undefined where it changes nothing. */
export async function remedied(policy: FrontdoorPolicy, given: Given, config: object = {}): Promise<Props | undefined> {
  if (!("remediateResource" in policy)) throw new Error("no remediation");
  const result: unknown = await policy.remediateResource?.({ ...resource(given, true), ...environment(config) });
  if (!result) return undefined;
  return sdk.serializeProperties(result);
}
