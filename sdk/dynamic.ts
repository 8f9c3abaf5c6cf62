import * as pulumi from "@pulumi/pulumi";
import {
  aliasesOf,
  dynamicToken,
  type Declared,
  isOfType,
  isPlain,
  pluginToken,
  promised,
  type Registration,
  type ResourceType,
} from "./resource";
import { refuseStrangeSettings } from "./settings";

/** Returns the name of a type's handler in the bundle: `tunnel` for IpsecTunnel. */
const handlerOf = (type: ResourceType) => type.replace(/^Ipsec(.)/, (_, first: string) => first.toLowerCase());

/**
 * Returns the text with which Pulumi's process for dynamic providers loads this package, from the program's folder or the folder of Pulumi's
 * SDK. It is the same in every version, so an upgrade causes no diff. It holds no credentials.
 */
const providerText = (type: ResourceType) =>
  `exports.handler=()=>{module.paths.push(...(require.main?.paths??[]));return require("pulumi-frontdoor/dynamic").${handlerOf(type)}()}`;

/** Returns the outputs in a value, or the value itself if it is an output. A promise may resolve to a value with outputs in it. */
function outputsIn(value: unknown): pulumi.Output<unknown>[] {
  if (pulumi.Output.isInstance(value)) return [value];
  if (value instanceof Promise) return [pulumi.output(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(outputsIn) : [];
}

/** Returns the values of arguments by path: those of a set's shares each by its own, such as `shares["web"].target`. */
function valuesByPath(args: object): [path: string, value: unknown][] {
  const { shares, ...others } = args as { shares?: unknown };
  if (!isPlain(shares)) return Object.entries(args);
  const ofShares = Object.entries<unknown>({ ...shares }).flatMap(([key, share]): [string, unknown][] => {
    const path = `shares[${JSON.stringify(key)}]`;
    return isPlain(share) ? Object.entries(share).map(([name, value]) => [`${path}.${name}`, value]) : [[path, share]];
  });
  return [...Object.entries(others), ...ofShares];
}

/** Returns the paths of arguments that are secret as a whole or in part. The engine does not pass secretness to dynamic providers. */
function secretPaths(args: object): { __secrets?: Promise<string[] | undefined> } {
  const values = valuesByPath(args).map(([key, value]) => ({ key, outputs: new Set(outputsIn(value)) }));
  const open = values.filter(({ outputs }) => outputs.size > 0);
  if (open.length === 0) return {};
  const names = open.map(async ({ key, outputs }) =>
    (await Promise.all([...outputs].map((output) => pulumi.isSecret(output)))).includes(true) ? key : "",
  );
  return { __secrets: Promise.all(names).then((all) => all.filter((key) => key !== "")) };
}

/** Only unit tests run without an organization: `setMocks` does not need one. */
function organizationOfRun(): string {
  try {
    return pulumi.getOrganization();
  } catch {
    return "organization";
  }
}

/** Returns the organization and the URN of a resource. The provider derives names from them and finds creation records with them. */
function originOf(token: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  const [organization, project, stack] = [organizationOfRun(), pulumi.getProject(), pulumi.getStack()];
  if (!parent) return `${organization}::urn:pulumi:${stack}::${project}::${token}::${name}`;
  // A promise, because an output would make the resource depend on its parent and the parent's other children.
  return promised(pulumi.createUrn(name, token, parent, project, stack)).then((urn) => `${organization}::${urn}`);
}

/** Returns the front door of the configuration if it is a secret, so that the state also keeps it as a secret. */
function secretFrontdoor({ frontdoorId }: { frontdoorId?: pulumi.Input<string | undefined> }) {
  // The SDK's types lack this function. If it is missing, the value counts as secret.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const isSecret = frontdoorId == null && (isConfigSecret?.("frontdoor:frontdoorId") ?? true);
  const configured = isSecret ? new pulumi.Config("frontdoor").getSecret("frontdoorId") : undefined;
  return configured && { frontdoorId: configured };
}

/** Refuses a provider of the plugin, which would have no effect on the resource. @throws RunError. */
export function refusePluginProvider(label: string, options: pulumi.ComponentResourceOptions): void {
  const { provider, providers = [] } = options;
  const providersOfRun = [provider, ...(Array.isArray(providers) ? providers : Object.values(providers))];
  if (providersOfRun.some((each) => isOfType(each, "pulumi:providers:frontdoor"))) throw withProvider(label);
}

/** Returns the error of a class or function that gets a provider. */
export const withProvider = (label: string) =>
  new pulumi.RunError(
    `${label}: the default import cannot use a Provider. Nothing was sent for it. Import from "pulumi-frontdoor/plugin". [provider-not-plugin]`,
  );

/** Registers resources with the dynamic provider. Hidden inputs hold what Pulumi does not pass to dynamic providers. */
export function dynamic({ type, name, args, options }: Declared): Registration {
  const { customTimeouts, parent } = options;
  refuseStrangeSettings();
  refusePluginProvider(`${type} "${name}"`, options);
  // A resource that is only read: the text goes along as its state.
  if (args === undefined) return { token: dynamicToken(type), inputs: { __provider: providerText(type) }, options };
  if (options.import !== undefined) {
    const id = `adopt: ${JSON.stringify(options.import)}`;
    throw new pulumi.RunError(
      `${type} "${name}": the default import of this package cannot import a resource. Nothing was imported. Replace the option import by ${id} in the arguments. [import-dynamic]`,
    );
  }
  const token = dynamicToken(type);
  const inputsOfProgram = { ...args, ...secretFrontdoor(args) };
  const inputs = {
    ...inputsOfProgram,
    __provider: providerText(type),
    __origin: originOf(token, name, parent),
    ...secretPaths(inputsOfProgram),
    ...(customTimeouts && { __timeouts: customTimeouts }),
  };
  // An alias connects the resource to a resource of the plugin in the state.
  const aliases = aliasesOf(options, pluginToken(type));
  return { token, inputs, options: { ...options, aliases } };
}
