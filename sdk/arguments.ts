import * as pulumi from "@pulumi/pulumi";
import {
  dynamicToken,
  type ConstructorArguments,
  isOfType,
  isPlain,
  pluginToken,
  promised,
  resourcesBehind,
  type RegistrationOf,
  type ResourceType,
  withoutDeletedWith,
} from "./resource";

type Args = Record<string, unknown>;
type Options = pulumi.CustomResourceOptions;

/** Arguments and options as the engine gets them. Arguments are undefined for an existing resource that is only read. */
interface Prepared {
  args: Args | undefined;
  options: Options;
}

/** What a class does to the arguments and options of a program. The types that are not here need nothing. */
const preparations: Partial<
  Record<ResourceType, (args: Args | undefined, options: Options, name: string) => Prepared>
> = {
  IpsecTunnel: (args, options) => ({
    // The engine tells no provider, so a preview could not see that the old tunnel stays at its location.
    args: args && { ...args, ...(options.retainOnDelete === true && { __retained: true }) },
    options: {
      ...withoutDeletedWith(options),
      additionalSecretOutputs: [...new Set([...(options.additionalSecretOutputs ?? []), "sampleConfig"])],
    },
  }),
  IpsecShare: (args, options) => onTunnel(args && ofEnvironment(args), options),
  IpsecShareSet(args, options, name) {
    if (args && isPlain(args["shares"]) && !Array.isArray(args["shares"]))
      refuseInheritedKeys(`IpsecShareSet "${name}"`, args["shares"]);
    return onTunnel(args && inOneSpelling(args), options);
  },
};

/** Returns the arguments of the constructor of Pulumi's class, for a resource of this type and with these outputs. */
export function superArguments(
  registrationOf: RegistrationOf,
  type: ResourceType,
  outputs: readonly string[],
  name: string,
  args: object | undefined,
  opts: Options = {},
): ConstructorArguments {
  const unprepared = { args: args as Args | undefined, options: opts };
  const prepared = preparations[type]?.(unprepared.args, opts, name) ?? unprepared;
  const { token, inputs, options } = registrationOf({ type, name, ...prepared });
  return [token, name, { ...Object.fromEntries(outputs.map((output) => [output, undefined])), ...inputs }, options];
}

const onTunnel = (args: Args | undefined, options: Options): Prepared => ({
  args: args && { ...args, ...tunnelBehind(args["ipsecTunnelId"]) },
  options: spelledOptions(withoutDeletedWith(options)),
});

/**
 * Refuses a key that every JavaScript object has: objects that Pulumi makes would take it for something else. A literal `__proto__` in a
 * program is no key, but the prototype.
 */
export function refuseInheritedKeys(label: string, shares: object): void {
  const prototype: unknown = Object.getPrototypeOf(shares);
  const isLiteral = typeof prototype === "object" && prototype !== null && Object.getPrototypeOf(prototype) !== null;
  const key = isLiteral ? "__proto__" : Object.keys(shares).find((each) => each in Object.prototype);
  if (key === undefined) return;
  const problem = `${label}: "${key}" can't be the key of a share, because every JavaScript object has a property of this name`;
  throw new pulumi.RunError(`${problem}. Nothing was sent for it. Give the share another key. [invalid-input]`);
}

/** Returns the arguments of a set with the environment as `envZId`, if the program itself gives it. The state has this spelling, and `ignoreChanges` restores it. */
function inOneSpelling({ shares, ...others }: Args): Args {
  const spelled = (share: unknown) => (isPlain(share) ? ofEnvironment(share) : share);
  const byKey =
    isPlain(shares) &&
    !Array.isArray(shares) &&
    Object.entries<unknown>({ ...shares }).map(([key, share]) => [key, spelled(share)]);
  return { ...ofEnvironment(others), shares: byKey ? Object.fromEntries(byKey) : shares };
}

/** Returns the arguments with the environment as `envZId`, so that a transform can set it. Check refuses a program that gives both spellings. */
function ofEnvironment(args: object): Args {
  const { envId, ...others } = args as Args;
  return envId == null || others["envZId"] != null ? { ...args } : { ...others, envZId: envId };
}

/** Returns a path with `envZId` for `envId`, also at the end of the path to a share of a set. */
const spelledPath = (key: string) => key.replace(/^(shares(?:\.[\w-]+|\[[^\]]+\])\.)?envId$/, "$1envZId");

/** Returns the options with the environment as `envZId`. The engine compares these paths with the keys of the state. */
function spelledOptions(options: Options): Options {
  const names = ["ignoreChanges", "replaceOnChanges", "additionalSecretOutputs"] as const;
  const spelled = names.map((name) => [name, options[name]?.map(spelledPath)] as const);
  return { ...options, ...Object.fromEntries(spelled.filter(([, paths]) => paths)) };
}

/**
 * Returns the hidden input with the URN of the tunnel from which `ipsecTunnelId` comes, if the id is not known and comes from one tunnel:
 * a preview compares the ports of a tunnel that does not exist yet.
 */
function tunnelBehind(ipsecTunnelId: unknown): { __tunnel?: Promise<string | undefined> } {
  if (!pulumi.Output.isInstance(ipsecTunnelId)) return {};
  const urn = urnBehind(ipsecTunnelId);
  // The program's output itself reports its error.
  return { __tunnel: urn.catch(() => undefined) };
}

async function urnBehind(output: pulumi.Output<unknown>): Promise<string | undefined> {
  if (await (output as { isKnown?: Promise<boolean> }).isKnown) return undefined;
  const tokens = [dynamicToken("IpsecTunnel"), pluginToken("IpsecTunnel")];
  const [tunnel, ...others] = (await resourcesBehind(output)).filter((each) =>
    tokens.some((token) => isOfType(each, token)),
  );
  return tunnel && others.length === 0 ? promised(tunnel.urn) : undefined;
}
