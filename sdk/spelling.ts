import type * as pulumi from "@pulumi/pulumi";

/** The environment's key where it is its other spelling, alone or at the end of the path to a share of a set. */
const inOneSpelling = (key: string) => key.replace(/^(shares(?:\.[\w-]+|\[[^\]]+\])\.)?envId$/, "$1envZId");

/** The options with the environment in the spelling that the state has: the engine knows secrets and ignored changes by their keys. */
export function spelledOptions<Options extends pulumi.CustomResourceOptions>(options: Options): Options {
  const { ignoreChanges, replaceOnChanges, additionalSecretOutputs } = options;
  return {
    ...options,
    ...(ignoreChanges && { ignoreChanges: ignoreChanges.map(inOneSpelling) }),
    ...(replaceOnChanges && { replaceOnChanges: replaceOnChanges.map(inOneSpelling) }),
    ...(additionalSecretOutputs && { additionalSecretOutputs: additionalSecretOutputs.map(inOneSpelling) }),
  };
}
