import * as pulumi from "@pulumi/pulumi";
import type { ShareArgs } from "../provider/hosts/types";
import { FrontdoorResource, withoutDeletedWith } from "./resource";

/** What an IpsecShare is made from (contract: Resources); give `envZId` or its other spelling `envId`, not both. */
export type IpsecShareArgs = { [Key in keyof ShareArgs]: pulumi.Input<ShareArgs[Key]> };

/**
 * A private service published on an IPsec tunnel: an ingress port of the tunnel's load balancer mapped to a target that a
 * hosting agent reaches (spec: IPsec share). A change is one PATCH, or one PUT where a field is cleared.
 */
export class IpsecShare extends FrontdoorResource {
  /** Name of the share. */
  declare readonly name: pulumi.Output<string>;
  /** Front door that owns the share. */
  declare readonly frontdoorId: pulumi.Output<string>;
  /** Tunnel the share is published on. */
  declare readonly ipsecTunnelId: pulumi.Output<string>;
  /** Environment of the hosting agent. */
  declare readonly envZId: pulumi.Output<string>;
  /** Private `host:port` the hosting agent connects to. */
  declare readonly target: pulumi.Output<string>;
  /** Listener port on the tunnel's load balancer. */
  declare readonly ingressPort: pulumi.Output<number>;
  /** Location of the share, where it has one. */
  declare readonly locationId: pulumi.Output<string | undefined>;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING` or `DELETED` as last seen. */
  declare readonly status: pulumi.Output<string>;

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
    super("share", "IpsecShare", name, spelled, ["name", "frontdoorId", "envZId", "locationId", "status"], options);
  }

  /** True for an IpsecShare, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShare {
    return (
      (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === "pulumi-nodejs:dynamic/frontdoor:IpsecShare"
    );
  }
}

const inOneSpelling = (key: string) => (key === "envId" ? "envZId" : key);
