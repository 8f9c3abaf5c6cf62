// Generated from the tables in this folder by "npm run docs": change that, not this.
// Types alone, without zod's: what users' compilers read must not depend on how they are set.

/** The present details of one connection of a tunnel. */
export interface TunnelConfigEntry {
  /** Outside IP address of the connection. */
  outsideIpAddress?: string;
  /** Status of the connection, such as `UP`. */
  status?: string;
  /** The service's words on the status. */
  statusMessage?: string;
  /** CIDR block inside the connection. */
  insideCidr?: string;
  /** Versions of IKE that the service accepts. */
  ikeVersions?: string[];
  /** Encryption algorithms of phase 1. */
  phase1EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 1. */
  phase1IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 1. */
  phase1DHGroupNumbers?: number[];
  /** Lifetime of phase 1, in seconds. */
  phase1LifetimeSeconds?: number;
  /** Encryption algorithms of phase 2. */
  phase2EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 2. */
  phase2IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 2. */
  phase2DHGroupNumbers?: number[];
  /** Lifetime of phase 2, in seconds. */
  phase2LifetimeSeconds?: number;
  /** Time before the end of a lifetime in which keys are renewed, in seconds. */
  rekeyMarginTimeSeconds?: number;
  /** Random variation of `rekeyMarginTimeSeconds`, in percent. */
  rekeyFuzzPercentage?: number;
  /** Seconds of silence after which the peer counts as dead. */
  dpdTimeoutSeconds?: number;
  /** Action after `dpdTimeoutSeconds`, such as `clear`. */
  dpdTimeoutAction?: string;
}

/** The details of a VPN connection that do not change by themselves. */
export interface TunnelConfig {
  /** Outside IP address of the connection. */
  outsideIpAddress?: string;
  /** CIDR block inside the connection. */
  insideCidr?: string;
  /** Versions of IKE that the service accepts. */
  ikeVersions?: string[];
  /** Encryption algorithms of phase 1. */
  phase1EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 1. */
  phase1IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 1. */
  phase1DHGroupNumbers?: number[];
  /** Lifetime of phase 1, in seconds. */
  phase1LifetimeSeconds?: number;
  /** Encryption algorithms of phase 2. */
  phase2EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 2. */
  phase2IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 2. */
  phase2DHGroupNumbers?: number[];
  /** Lifetime of phase 2, in seconds. */
  phase2LifetimeSeconds?: number;
  /** Time before the end of a lifetime in which keys are renewed, in seconds. */
  rekeyMarginTimeSeconds?: number;
  /** Random variation of `rekeyMarginTimeSeconds`, in percent. */
  rekeyFuzzPercentage?: number;
  /** Seconds of silence after which the peer counts as dead. */
  dpdTimeoutSeconds?: number;
  /** Action after `dpdTimeoutSeconds`, such as `clear`. */
  dpdTimeoutAction?: string;
}

/** The arguments of a tunnel. */
export interface TunnelArgs {
  /** Public IPv4 address of the remote site's IPsec device. A change replaces the tunnel. */
  peerPublicIp: string;
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. A change replaces the tunnel. */
  peerCidr: string;
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  name?: string | undefined;
  /** Location of the tunnel. A front door has at most one tunnel per location. Default: the service chooses. If you remove it later, the tunnel keeps its location. A change replaces the tunnel (create first). */
  locationId?: string | undefined;
  /** Private IPv4 address of the load balancer. Default: the service chooses a free one. A change replaces the tunnel. */
  nlbPrivateIp?: string | undefined;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel (create first). */
  frontdoorId?: string | undefined;
  /** If true, the state keeps the sample configuration, encrypted, as `sampleConfig`. It holds the pre-shared key. Default: true. */
  storeSampleConfig?: boolean | undefined;
  /** Id of an existing tunnel that this resource adopts instead of creating a tunnel. The arguments must be those of the tunnel. It is used only when the resource is created. */
  adopt?: string | undefined;
}

/** The arguments after check: in one spelling, with defaults. */
export interface TunnelInputs {
  peerPublicIp: string;
  peerCidr: string;
  name: string;
  locationId?: string | undefined;
  nlbPrivateIp?: string | undefined;
  frontdoorId: string;
  storeSampleConfig?: boolean | undefined;
  adopt?: string | undefined;
}

/** An IPsec tunnel in the service's lists and answers to a get. */
export interface WireTunnel {
  /** Assigned by the service. */
  id: string;
  /** Public IPv4 address of the remote site's IPsec device. */
  peerPublicIp: string;
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. */
  peerCidr: string;
  /** Name of the tunnel. */
  name: string;
  /** Location of the tunnel. A front door has at most one tunnel per location. */
  locationId?: string | undefined;
  /** Private IPv4 address of the load balancer. */
  nlbPrivateIp?: string | undefined;
  /** The last status that the service reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  status: string;
  /** DNS name of the load balancer, known once the tunnel is DEPLOYED. */
  nlbDnsName?: string | undefined;
  /** Identifier of the VPN connection, known once the tunnel is DEPLOYED. */
  vpnConnectionId?: string | undefined;
}

/** The outputs in the state. */
export interface TunnelOutputs {
  peerPublicIp: string;
  peerCidr: string;
  name: string;
  locationId?: string | undefined;
  nlbPrivateIp?: string | undefined;
  frontdoorId: string;
  status: string;
  nlbDnsName?: string | undefined;
  vpnConnectionId?: string | undefined;
  tunnelConfig?: TunnelConfig | undefined;
  sampleConfig?: string | undefined;
  /** Optional arguments that the program gives. Undefined in states of versions that did not note it. */
  __set?: string[] | undefined;
}

/** The arguments of a share. */
export interface ShareArgs {
  /** Id of the tunnel on which the share is published. A new id moves the share. Pulumi replaces the share only if its tunnel is deleted before the new tunnel exists. */
  ipsecTunnelId: string;
  /** Id of the hosting agent's environment. Required. You can also write it as `envId`. */
  envZId?: string | undefined;
  /** Another spelling of `envZId`. Give only one of the two. */
  envId?: string | undefined;
  /** Private `host:port` to which the hosting agent connects, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Name of the share. 1 to 63 letters, digits and hyphens, no leading or trailing hyphen. Default: derived from project, stack and the resource's name. */
  name?: string | undefined;
  /** Location of the share. Default: the service chooses. If you remove it later, the provider clears it. */
  locationId?: string | undefined;
  /** Front door that owns the share. Default: `frontdoor:frontdoorId`. A change replaces the share (create first). */
  frontdoorId?: string | undefined;
  /** Id of an existing share that this resource adopts instead of creating a share. The provider updates the share to your arguments. It is used only when the resource is created. */
  adopt?: string | undefined;
}

/** The arguments after check: in one spelling, with defaults. */
export interface ShareInputs {
  ipsecTunnelId: string;
  envZId: string;
  target: string;
  ingressPort: number;
  name: string;
  locationId?: string | undefined;
  frontdoorId: string;
  adopt?: string | undefined;
}

/** An IPsec share in the service's lists and answers to a get. */
export interface WireShare {
  /** Assigned by the service. */
  id: string;
  /** Id of the tunnel on which the share is published. */
  ipsecTunnelId: string;
  /** Id of the hosting agent's environment. */
  envZId: string;
  /** Private `host:port` to which the hosting agent connects, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Name of the share. */
  name: string;
  /** Location of the share. */
  locationId?: string | undefined;
  /** The last status that the service reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  status: string;
}

/** The outputs in the state. */
export interface ShareOutputs {
  ipsecTunnelId: string;
  envZId: string;
  target: string;
  ingressPort: number;
  name: string;
  locationId?: string | undefined;
  frontdoorId: string;
  status: string;
  /** Optional arguments that the program gives. Undefined in states of versions that did not note it. */
  __set?: string[] | undefined;
}

/** The arguments of each share in a set. */
export interface SetShareArgs {
  /** Private `host:port` to which the hosting agent connects, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Id of the hosting agent's environment. You can also write it as `envId`. Default: the set's environment. */
  envZId?: string | undefined;
  /** Another spelling of `envZId`. Give only one of the two. */
  envId?: string | undefined;
  /** Name of the share. 1 to 63 letters, digits and hyphens, no leading or trailing hyphen. Default: derived from project, stack, the set's name and the key. */
  name?: string | undefined;
  /** Location of the share. Default: the set's location. If the set has none, the service chooses. If you remove it later, the provider clears it. */
  locationId?: string | undefined;
  /** Id of an existing share that this resource adopts instead of creating a share. The provider updates the share to your arguments. It is used only when the key is new. */
  adopt?: string | undefined;
  /** Keeps the share at the service when its key is removed, so that another resource can adopt it in the same edit. Set it one `pulumi up` before you remove the key. Deleting the whole set still deletes the share. Default: false. */
  retain?: boolean | undefined;
}

/** The arguments of a share set. */
export interface ShareSetArgs {
  /** Id of the tunnel on which the shares are published. A new id moves the shares. Pulumi replaces the set only if its tunnel is deleted before the new tunnel exists. */
  ipsecTunnelId: string;
  /** The shares, by key. 1 to 5,000 shares. A new key creates a share, and a changed one updates its share. Removing a key deletes its share, unless the previous `up` set `retain`. */
  shares: Record<string, SetShareArgs>;
  /** Default environment of the hosting agent, for shares without their own. You can also write it as `envId`. */
  envZId?: string | undefined;
  /** Another spelling of `envZId`. Give only one of the two. */
  envId?: string | undefined;
  /** Default location, for shares without their own. Default: the service chooses. */
  locationId?: string | undefined;
  /** DNS name of the tunnel's load balancer. The set needs it for `endpoints`. */
  nlbDnsName?: string | undefined;
  /** Front door that owns the shares. Default: `frontdoor:frontdoorId`. A change replaces the share set (create first). */
  frontdoorId?: string | undefined;
}

/** The outputs of each share in a set. */
export interface SetShare {
  /** Assigned by the service. */
  id: string;
  /** Id of the tunnel on which the share is published. */
  ipsecTunnelId: string;
  /** Id of the hosting agent's environment. */
  envZId: string;
  /** Private `host:port` to which the hosting agent connects, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Name of the share. */
  name: string;
  /** Location of the share. */
  locationId?: string | undefined;
  /** Front door that owns the share. */
  frontdoorId: string;
  /** The last status that the service reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  status: string;
}

/** The arguments of a tunnel connection. */
export interface TunnelConnectionArgs {
  /** Id of the tunnel whose VPN connection to wait for. A change replaces the tunnel connection (create first). */
  tunnelId: string;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel connection (create first). */
  frontdoorId?: string | undefined;
}

/** The arguments after check: in one spelling, with defaults. */
export interface TunnelConnectionInputs {
  tunnelId: string;
  frontdoorId: string;
}

/** The outputs in the state. */
export interface TunnelConnectionOutputs {
  tunnelId: string;
  frontdoorId: string;
  outsideIpAddress?: string | undefined;
  insideCidr?: string | undefined;
}
