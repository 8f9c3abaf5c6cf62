import type * as pulumi from "@pulumi/pulumi";

/** Returns a path with `envZId` for `envId`, also at the end of the path to a share of a set. */
const inOneSpelling = (key: string) => key.replace(/^(shares(?:\.[\w-]+|\[[^\]]+\])\.)?envId$/, "$1envZId");

/** Returns the options with the environment as `envZId`. The engine compares these paths with the keys of the state. */
export function spelledOptions<Options extends pulumi.CustomResourceOptions>(options: Options): Options {
  const { ignoreChanges, replaceOnChanges, additionalSecretOutputs } = options;
  return {
    ...options,
    ...(ignoreChanges && { ignoreChanges: ignoreChanges.map(inOneSpelling) }),
    ...(replaceOnChanges && { replaceOnChanges: replaceOnChanges.map(inOneSpelling) }),
    ...(additionalSecretOutputs && { additionalSecretOutputs: additionalSecretOutputs.map(inOneSpelling) }),
  };
}
