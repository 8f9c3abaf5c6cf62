import * as pulumi from "@pulumi/pulumi";
import type { ShareArgs } from "../provider/hosts/types";
import { withoutDeletedWith } from "./resource";
import { shareOutputs, ShareProperties } from "./share-properties";

/** What an IpsecShare is made from (contract: Resources); give `envZId` or its other spelling `envId`, not both. */
export type IpsecShareArgs = { [Key in keyof ShareArgs]: pulumi.Input<ShareArgs[Key]> };

/**
 * A private service published on an IPsec tunnel: an ingress port of the tunnel's load balancer mapped to a target that a
 * hosting agent reaches (spec: IPsec share). A change is one PATCH, or one PUT where a field is cleared.
 */
export class IpsecShare extends ShareProperties {
  constructor(name: string, args: IpsecShareArgs, opts: pulumi.CustomResourceOptions = {}) {
    // The engine knows secrets and ignored changes by their keys: the state has but one spelling.
    const { ignoreChanges, replaceOnChanges, additionalSecretOutputs } = opts;
    const options = {
      ...withoutDeletedWith(opts),
      ...(ignoreChanges && { ignoreChanges: ignoreChanges.map(inOneSpelling) }),
      ...(replaceOnChanges && { replaceOnChanges: replaceOnChanges.map(inOneSpelling) }),
      ...(additionalSecretOutputs && { additionalSecretOutputs: additionalSecretOutputs.map(inOneSpelling) }),
    };
    // Both spellings for transforms, which may name either one in ignoreChanges.
    const isShort = args.envId != null && args.envZId == null;
    const spelled = isShort ? { ...args, envZId: args.envId, __bothSpellings: true } : args;
    super("share", "IpsecShare", name, spelled, shareOutputs, options);
  }

  /** True for an IpsecShare, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShare {
    return (
      (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === "pulumi-nodejs:dynamic/frontdoor:IpsecShare"
    );
  }
}

const inOneSpelling = (key: string) => (key === "envId" ? "envZId" : key);
