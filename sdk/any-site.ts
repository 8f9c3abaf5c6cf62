import * as pulumi from "@pulumi/pulumi";
import type { AnyShare, IpsecShareArgs } from "./any-share";
import type { AnyShareSet, IpsecShareSetArgs, SetShareArgs } from "./any-share-set";
import type { AnyTunnel, IpsecTunnelArgs } from "./any-tunnel";
import { withoutDeletedWith } from "./resource";

/** A service of a site; its tunnel and front door are the site's. `retain` is for a site with `asSet`. */
export type SiteShareArgs = Omit<IpsecShareArgs, "ipsecTunnelId" | "frontdoorId"> & Pick<SetShareArgs, "retain">;

/** What an IpsecSite is made from: the tunnel's arguments and the services published on it. */
export interface IpsecSiteArgs extends IpsecTunnelArgs {
  /** Services by name; the name is part of the share's resource name and the key of its endpoint. */
  shares: Record<string, SiteShareArgs>;
  /** Environment of the hosting agent for shares that name none. */
  envZId?: pulumi.Input<string>;
  /** The shares as one IpsecShareSet, `<site>-shares` with their names as keys: for many that are alike. Default: false, each is a resource. */
  asSet?: boolean;
}

type Options = pulumi.CustomResourceOptions;

/** The classes of one family, which a site is made of. */
interface Classes<Tunnel, Share, ShareSet> {
  IpsecTunnel: new (name: string, args: IpsecTunnelArgs, opts: Options) => Tunnel;
  IpsecShare: new (name: string, args: IpsecShareArgs, opts: Options) => Share;
  IpsecShareSet: new (name: string, args: IpsecShareSetArgs, opts: Options) => ShareSet;
}

/** A site of either family of classes. */
export abstract class AnySite<Tunnel extends AnyTunnel, Share extends AnyShare, ShareSet extends AnyShareSet>
  extends pulumi.ComponentResource
{
  /** The tunnel, with all of its outputs. */
  readonly tunnel: Tunnel;
  /** The shares by the names they were given; none with `asSet`. */
  readonly shares: Readonly<Record<string, Share>>;
  /** All of them with `asSet`, where there is one. */
  readonly shareSet: ShareSet | undefined;
  /** Id of the tunnel. */
  readonly tunnelId: pulumi.Output<string>;
  /** DNS name of the load balancer. */
  readonly nlbDnsName: pulumi.Output<string>;
  /** Identifier of the VPN connection. */
  readonly vpnConnectionId: pulumi.Output<string>;
  /** Generated configuration for the remote site, with the pre-shared key: always secret. Undefined with `storeSampleConfig: false`. */
  readonly sampleConfig: pulumi.Output<string | undefined>;
  /** `host:port` by share, as the remote site reaches it. */
  readonly endpoints: pulumi.Output<Record<string, string>>;

  /** @internal */
  protected constructor(
    { IpsecTunnel, IpsecShare, IpsecShareSet }: Classes<Tunnel, Share, ShareSet>,
    name: string,
    args: IpsecSiteArgs,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super("frontdoor:index:IpsecSite", name, {}, withoutDeletedWith(opts ?? {}));
    const { shares, envZId, asSet = false, ...tunnelArgs } = args;
    const claim = onePerPort(this, name);
    const given = Object.entries(shares).map(
      ([share, each]) => [share, { ...each, ingressPort: claim(share, each.ingressPort) }] as const,
    );

    // Pulumi passes most options on to children, but not these.
    const childOptions = { parent: this, ...(opts?.customTimeouts && { customTimeouts: opts.customTimeouts }) };
    this.tunnel = new IpsecTunnel(name, tunnelArgs, childOptions);
    // Not the tunnel's output: unknown while it is replaced, it would make a move of the shares look like their replacement.
    const { frontdoorId } = args;
    const place = { frontdoorId, ipsecTunnelId: this.tunnel.id };
    const made = (asSet ? [] : given).map(([share, each]) => {
      const environment = each.envZId === undefined && each.envId === undefined ? { envZId } : {};
      const shareArgs = { ...each, ...environment, ...place };
      return [share, new IpsecShare(`${name}-${share}`, shareArgs, childOptions)] as const;
    });
    this.shares = Object.fromEntries(made);
    const setArgs = { ...place, envZId, shares: Object.fromEntries(given) };
    this.shareSet = asSet && given.length > 0 ? new IpsecShareSet(`${name}-shares`, setArgs, childOptions) : undefined;

    this.tunnelId = this.tunnel.id;
    this.nlbDnsName = this.tunnel.nlbDnsName;
    this.vpnConnectionId = this.tunnel.vpnConnectionId;
    this.sampleConfig = this.tunnel.sampleConfig;
    // A set's own output is a secret as a whole where anything in it is: its URN alone says that these are there once it is.
    const ports = Object.fromEntries(
      (this.shareSet ? given : made).map(([share, { ingressPort }]) => [share, ingressPort]),
    );
    this.endpoints = pulumi
      .all([this.nlbDnsName, ports, this.shareSet?.urn])
      .apply(([host, all]) =>
        Object.fromEntries(Object.entries(all).map(([share, port]) => [share, `${host}:${port}`])),
      );
    const { tunnelId, nlbDnsName, vpnConnectionId, endpoints } = this;
    // Without the sample configuration: the tunnel's own copy in the state is enough.
    this.registerOutputs({ tunnelId, nlbDnsName, vpnConnectionId, endpoints });
  }
}

/** Claims a port for a share; a port known now is judged now, one known later then, one unknown at preview not yet. */
function onePerPort(site: pulumi.Resource, name: string) {
  const claimed = new Map<number, string>();
  const claim = (share: string, port: number): number => {
    const other = claimed.get(port);
    if (other !== undefined) {
      const problem = `IpsecSite "${name}": shares "${other}" and "${share}" have the same ingressPort ${port}`;
      throw new pulumi.ResourceError(`${problem}. Give one of them another port. [port-twice]`, site, true);
    }
    claimed.set(port, share);
    return port;
  };
  return (share: string, port: pulumi.Input<number>): pulumi.Input<number> =>
    typeof port === "number" ? claim(share, port) : pulumi.output(port).apply((known) => claim(share, known));
}
