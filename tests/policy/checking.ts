import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PolicyResource, PolicyResourceOptions, ResourceValidationArgs } from "@pulumi/policy";
import * as deserialize from "@pulumi/policy/deserialize";
import * as proxy from "@pulumi/policy/proxy";
import { runtime } from "@pulumi/pulumi";
import { AnalyzerService } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import * as protobuf from "google-protobuf/google/protobuf/struct_pb";
import { type FrontdoorPolicy, strict } from "../../policy/index";
import type { Run } from "../harness/state";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import type { Stack } from "../harness/stack";

/** What the engine sends for a value that only the update will bring. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** What the engine sends for a secret. */
export const secret = (value: unknown) => ({ [runtime.specialSigKey]: runtime.specialSecretSig, value });

export type Props = Record<string, unknown>;

export interface Given {
  type: string;
  name?: string;
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

function resource({ type, name = "it", props = {}, opts = {}, stack = "dev" }: Given, keepSecrets = false) {
  return {
    type,
    name,
    urn: `urn:pulumi:${stack}::project::${type}::${name}`,
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

tellConfiguration({}, []);

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

/** The properties a remediation leaves; undefined where it changes nothing. */
export async function remedied(policy: FrontdoorPolicy, given: Given, config: object = {}): Promise<Props | undefined> {
  if (!("remediateResource" in policy)) throw new Error("no remediation");
  const result: unknown = await policy.remediateResource?.({ ...resource(given, true), ...environment(config) });
  if (!result) return undefined;
  return sdk.serializeProperties(result);
}

export const tokens = {
  dynamic: ["pulumi-nodejs:dynamic/frontdoor:IpsecTunnel", "pulumi-nodejs:dynamic/frontdoor:IpsecShare"],
  plugin: ["frontdoor:index:IpsecTunnel", "frontdoor:index:IpsecShare"],
} as const;

/** A valid tunnel; `bend` replaces properties, undefined takes them out. */
export const tunnel = (bend: Props = {}, rest: Partial<Given> = {}): Given => ({
  type: "tunnel",
  name: "hq",
  ...rest,
  props: bent(
    { name: "project-dev-hq", frontdoorId: "fd-1", peerPublicIp: "198.51.100.7", peerCidr: "10.20.0.0/16" },
    bend,
  ),
});

/** A valid share on the tunnel `hq`. */
export const share = (bend: Props = {}, rest: Partial<Given> = {}): Given => ({
  type: "share",
  name: "web",
  dependsOn: { ipsecTunnelId: ["hq"] },
  ...rest,
  props: bent(
    { name: "project-dev-web", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 },
    bend,
  ),
});

const bent = (valid: Props, bend: Props) =>
  Object.fromEntries(Object.entries({ ...valid, ...bend }).filter(([, value]) => value !== undefined));

/** The settings of a policy in the preset `strict`. */
export const settingsOf = (policy: string) =>
  Object.fromEntries(
    Object.entries(strict[policy] as Record<string, unknown>).filter(([key]) => key !== "enforcementLevel"),
  );

/** A case: what is given, part of each violation expected in order (none by default), and the policy's settings. */
export type Row = [it: string, given: Given | Given[], says?: string | readonly string[], config?: object];

/** Rows that differ in one value. */
export const each = <T>(values: readonly T[], row: (value: T) => Row): Row[] => values.map(row);

const listOf = <T>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

/** Options, types, the stack and what is left out are always known, and so is how many shares there are. */
const isAlwaysKnown = ({ about, name }: FrontdoorPolicy) =>
  about.topic === "Life cycle" && /protect|time|limit|types|options|require/.test(name);

/** The longer texts in a value, which no other words are likely to have. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.length > 8 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Runs each row with both sets of type tokens, and again with every property unknown, of which no policy says anything. */
export function checks(policy: FrontdoorPolicy, rows: Row[]): void {
  describe.each(Object.entries(tokens))(`${policy.name} on %s resources`, (_host, [tunnelType, shareType]) => {
    const typed = (each: Given): Given => ({
      ...each,
      type: each.type === "tunnel" ? tunnelType : each.type === "share" ? shareType : each.type,
    });
    it.each(rows)("%s", async (_it, given, says = [], config = {}) => {
      const found = await violations(policy, listOf(given).map(typed), config);
      expect(found).toEqual(listOf(says).map((part) => expect.stringContaining(part) as string));
      // Every violation ends with what to do.
      // A violation can have only its own part of the policy's fix.
      const texts = listOf(given).flatMap(({ props }) => textsIn(props));
      const written = JSON.stringify(config);
      // A policy sees secrets in the clear, and any input can be one. So no text repeats a value.
      const repeated = texts.filter((each) => !written.includes(each) && found.some((text) => text.includes(each)));
      expect(repeated).toEqual([]);
      for (const text of found) expect(policy.about.fix).toContain(text.split("\nFix: ")[1] ?? "no fix");
      if (says.length === 0 || isAlwaysKnown(policy)) return;
      const unknowns = listOf(given).map(({ props = {}, ...rest }) => ({
        ...typed(rest),
        // Left out, storeSampleConfig is known to be true.
        props: Object.fromEntries([...Object.keys(props), "storeSampleConfig"].map((key) => [key, unknown])),
      }));
      expect(await violations(policy, unknowns, config)).toEqual([]);
    });
  });
}

export const pack = join(root, "policy");

/** A stack of an example, or of a program beside this file, until the end of the test. */
export const openProgram = (program: string, stack = "demo"): Promise<Stack> => {
  const source = program.endsWith(".js") ? join(__dirname, "programs", program) : join(root, "examples", program);
  return ownStack({ token: "emulator-token" }, { source, stack, project: "policies" });
};

export const preview = (stack: Stack, ...flags: string[]): Promise<Run> => stack.run("preview", ...flags);

export const up = (stack: Stack, ...flags: string[]): Promise<Run> =>
  stack.run("up", "--yes", "--skip-preview", ...flags);

/** A file with settings for the policies. */
export function settingsFile({ folder }: Stack, content: object): string {
  const path = join(folder, "settings.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** What the engine printed of policies, as `mandatory limit-peer-networks lisbon`, sorted; a remediation as `remediate avoid-stored-keys`. */
export function reported({ text }: Run): string[] {
  const line = /^ +- \[(\w+)\](?: \[severity: \w+\])? +(\S+) +\((?:\S+: (\S+)|\d+ resources?)\)$/gm;
  return [...text.matchAll(line)]
    .map(([, level, policy, resource]) => [level, policy, resource].join(" ").trim())
    .sort();
}
