import * as pulumi from "@pulumi/pulumi";
import { aliasesOf, dynamicToken, type Declared, pluginToken, type Registration, type ResourceType } from "./resource";
import { refuseStrangeSettings } from "./settings";

const kinds = { IpsecTunnel: "tunnel", IpsecShare: "share", IpsecShareSet: "shareSet" } as const;

/**
 * The constant text by which the dynamic host finds this package, from the program's folder or else from where Pulumi's SDK lies.
 * It is the same in every version, so that an upgrade is no diff, and holds neither code nor credentials.
 */
const providerText = (type: ResourceType) =>
  `exports.handler=()=>{module.paths.push(...(require.main?.paths??[]));return require("pulumi-frontdoor/dynamic").${kinds[type]}()}`;

/** The outputs among what is given: a value itself, or what is in it. */
function outputsIn(value: unknown): pulumi.Output<unknown>[] {
  if (pulumi.Output.isInstance(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(outputsIn) : [];
}

/** Which arguments are secrets, as a whole or in part, for what is told of them: the engine keeps that from dynamic providers. */
function secretNames(args: object): { __secrets?: Promise<string[] | undefined> } {
  const given = Object.entries(args).map(([key, value]) => ({ key, outputs: new Set(outputsIn(value)) }));
  const open = given.filter(({ outputs }) => outputs.size > 0);
  if (open.length === 0) return {};
  const names = open.map(async ({ key, outputs }) =>
    (await Promise.all([...outputs].map((output) => pulumi.isSecret(output)))).includes(true) ? key : "",
  );
  return { __secrets: Promise.all(names).then((all) => all.filter((key) => key !== "")) };
}

/** Which resource of which stack this is: the organization and the URN, by which the provider derives names and knows it again. */
function originOf(token: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  const [organization, project, stack] = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()];
  if (!parent) return `${organization}::urn:pulumi:${stack}::${project}::${token}::${name}`;
  // A promise and not the output: that would make the resource depend on its parent, and so on the parent's other children.
  return new Promise((resolve) => {
    pulumi.createUrn(name, token, parent, project, stack).apply((urn) => {
      resolve(`${organization}::${urn}`);
    });
  });
}

/** The front door of the configuration, where that is a secret: it has to be one in the state too. */
function secretFrontdoor({ frontdoorId }: { frontdoorId?: pulumi.Input<string | undefined> }) {
  // Not among the SDK's types; where it is missing, the value counts as secret.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const isSecret = frontdoorId == null && (isConfigSecret?.("frontdoor:frontdoorId") ?? true);
  const configured = isSecret ? new pulumi.Config("frontdoor").getSecret("frontdoorId") : undefined;
  return configured && { frontdoorId: configured };
}

/** The classes that this package's dynamic provider serves: what Pulumi's dynamic host does not tell it goes in hidden inputs. */
export function dynamic({ type, name, args = {}, options }: Declared): Registration {
  const { customTimeouts, parent } = options;
  refuseStrangeSettings();
  if (options.import !== undefined) {
    const id = `adopt: ${JSON.stringify(options.import)}`;
    throw new pulumi.RunError(
      `${type} "${name}": a dynamic resource cannot be imported. Set ${id} in its arguments. [import-dynamic]`,
    );
  }
  const { create, update, delete: remove } = customTimeouts ?? {};
  const token = dynamicToken(type);
  const given = { ...args, ...secretFrontdoor(args) };
  const inputs = {
    ...given,
    __provider: providerText(type),
    __origin: originOf(token, name, parent),
    ...secretNames(given),
    ...(customTimeouts && { __timeouts: { create, update, delete: remove } }),
  };
  // What a stack has from the plugin's classes is theirs, too.
  const aliases = aliasesOf(options, pluginToken(type));
  return { token, inputs, options: { ...options, aliases } };
}
