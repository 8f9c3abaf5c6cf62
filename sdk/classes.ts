// Generated from provider/resources/index.ts and sdk/any-site.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { AnySite, type IpsecSiteArgs, type IpsecSiteOptions, siteToken } from "./any-site";
import { superArguments } from "./arguments";
import {
  AnyTunnel,
  type IpsecTunnelArgs,
  tunnelOutputs,
  AnyShare,
  type IpsecShareArgs,
  shareOutputs,
  AnyShareSet,
  type IpsecShareSetArgs,
  shareSetOutputs,
  AnyTunnelConnection,
  type IpsecTunnelConnectionArgs,
  tunnelConnectionOutputs,
} from "./properties";
import { hideOutput, hideUntilCreated, isOfType, dynamicToken, ShortStacks } from "./resource";
import { dynamic, refusePluginProvider } from "./dynamic";

/**
 * A managed VPN endpoint that peers with the IPsec device of a remote site. The tunnel is ready, and its outputs are known, once
 * Frontdoor reports DEPLOYED. Frontdoor cannot update a tunnel, so changing most arguments replaces it.
 */
export class IpsecTunnel extends AnyTunnel {
  constructor(name: string, args: IpsecTunnelArgs, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as `get` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecTunnelArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(dynamic, "IpsecTunnel", tunnelOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
    hideOutput(this, "sampleConfig");
  }

  /** Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecTunnel {
    return new IpsecTunnel(name, undefined, { ...opts, id });
  }

  /** True for an IpsecTunnel, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnel {
    return isOfType(value, dynamicToken("IpsecTunnel"));
  }
}

/**
 * Publishes a private application on an IPsec tunnel. The share maps an ingress port of the tunnel's load balancer to a target that
 * a hosting agent reaches. An update interrupts the share until its status is DEPLOYED again. The share keeps its id.
 */
export class IpsecShare extends AnyShare {
  constructor(name: string, args: IpsecShareArgs, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as `get` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecShareArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(dynamic, "IpsecShare", shareOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecShare {
    return new IpsecShare(name, undefined, { ...opts, id });
  }

  /** True for an IpsecShare, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShare {
    return isOfType(value, dynamicToken("IpsecShare"));
  }
}

/**
 * Manages many shares of one tunnel as a single resource. A key identifies each share. In an update, the provider writes only the
 * shares that differ. If some shares fail, the state has the others, and the next `pulumi up` does the rest.
 */
export class IpsecShareSet extends AnyShareSet {
  constructor(name: string, args: IpsecShareSetArgs, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(dynamic, "IpsecShareSet", shareSetOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
    hideUntilCreated(this);
  }

  /** True for an IpsecShareSet, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShareSet {
    return isOfType(value, dynamicToken("IpsecShareSet"));
  }
}

/**
 * When Pulumi creates this resource, the provider waits until the VPN connection of a tunnel is UP. It creates and deletes nothing
 * in Frontdoor. If the connection goes DOWN later, Pulumi shows no drift.
 */
export class IpsecTunnelConnection extends AnyTunnelConnection {
  constructor(name: string, args: IpsecTunnelConnectionArgs, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(dynamic, "IpsecTunnelConnection", tunnelConnectionOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** True for an IpsecTunnelConnection, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnelConnection {
    return isOfType(value, dynamicToken("IpsecTunnelConnection"));
  }
}

/**
 * A remote site in one declaration: an IPsec tunnel and its shares, as children. The option `protect` applies only to the tunnel.
 * Options such as `customTimeouts` apply to all children.
 */
export class IpsecSite extends AnySite<IpsecTunnel, IpsecShare, IpsecShareSet> {
  constructor(name: string, args: IpsecSiteArgs, opts?: IpsecSiteOptions) {
    refusePluginProvider(`IpsecSite "${name}"`, opts ?? {});
    super({ IpsecTunnel, IpsecShare, IpsecShareSet }, name, args, opts);
  }

  /** True for an IpsecSite of the dynamic provider or the plugin, also of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecSite {
    return isOfType(value, siteToken);
  }
}
