// Types alone, without zod's: what users' compilers read must not depend on how they are set.

/** What a program gives for a tunnel (spec: Tunnels, POST). The comment of each is its hover text and its entry in the reference. */
export interface TunnelArgs {
  /** Public IPv4 address of the remote site's IPsec device. A change replaces the tunnel. */
  peerPublicIp: string;
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. A change replaces the tunnel. */
  peerCidr: string;
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  name?: string | undefined;
  /** Location of the tunnel; one tunnel is allowed per front door and location. Left out, the service decides. A change replaces the tunnel, the new one first. */
  locationId?: string | undefined;
  /** Private IPv4 address of the load balancer. Left out, the service picks a free one. A change replaces the tunnel. */
  nlbPrivateIp?: string | undefined;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel, the new one first. */
  frontdoorId?: string | undefined;
  /** Whether the sample configuration, which holds the pre-shared key, is kept (encrypted) in the state as `sampleConfig`. Default: true. */
  storeSampleConfig?: boolean | undefined;
  /** Id of an existing tunnel to take over instead of creating one: nothing is created, and nothing may differ. Only looked at on create. */
  adopt?: string | undefined;
}

/** What a program gives for a share (spec: Shares, POST). The comment of each is its hover text and its entry in the reference. */
export interface ShareArgs {
  /** Id of the tunnel the share is published on. A change moves the share over; it replaces the share only when its tunnel is replaced first. */
  ipsecTunnelId: string;
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Environment of the hosting agent. Required, here or as `envId`. */
  envZId?: string | undefined;
  /** Another spelling of `envZId`; give one of the two. */
  envId?: string | undefined;
  /** Name of the share: 1 to 63 letters, digits and hyphens. Default: derived from project, stack and the resource's name. */
  name?: string | undefined;
  /** Location of the share. Left out, the service decides; removed later, it is cleared. */
  locationId?: string | undefined;
  /** Front door that owns the share. Default: `frontdoor:frontdoorId`. A change replaces the share. */
  frontdoorId?: string | undefined;
  /** Id of an existing share to take over instead of creating one: nothing is created, what differs is PATCHed. Only looked at on create. */
  adopt?: string | undefined;
}
