// Generated from the tables in this folder by "npm run docs": change that, not this.
// Types alone, without zod's: what users' compilers read must not depend on how they are set.

/** One connection of a tunnel as it is now. */
export interface TunnelConfigEntry {
  /** Outside IP address of the connection. */
  outsideIpAddress?: string;
  /** Whether the connection stands, such as `UP`. */
  status?: string;
  /** What the service says of the status. */
  statusMessage?: string;
  /** CIDR block inside the connection. */
  insideCidr?: string;
  /** Versions of IKE that it takes. */
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
  /** Margin before a lifetime's end in which keys are renewed, in seconds. */
  rekeyMarginTimeSeconds?: number;
  /** By how much that margin varies, in percent. */
  rekeyFuzzPercentage?: number;
  /** After how many seconds a silent peer counts as dead. */
  dpdTimeoutSeconds?: number;
  /** What is done then, such as `clear`. */
  dpdTimeoutAction?: string;
}

/** A VPN connection's stable details, without what moves by itself. */
export interface TunnelConfig {
  /** Outside IP address of the connection. */
  outsideIpAddress?: string;
  /** CIDR block inside the connection. */
  insideCidr?: string;
  /** Versions of IKE that it takes. */
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
  /** Margin before a lifetime's end in which keys are renewed, in seconds. */
  rekeyMarginTimeSeconds?: number;
  /** By how much that margin varies, in percent. */
  rekeyFuzzPercentage?: number;
  /** After how many seconds a silent peer counts as dead. */
  dpdTimeoutSeconds?: number;
  /** What is done then, such as `clear`. */
  dpdTimeoutAction?: string;
}

/** What a program gives for a tunnel. */
export interface TunnelArgs {
  /** Public IPv4 address of the remote site's IPsec device. A change replaces the tunnel. */
  peerPublicIp: string;
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. A change replaces the tunnel. */
  peerCidr: string;
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  name?: string | undefined;
  /** Location of the tunnel; one tunnel is allowed per front door and location. Left out, the service decides. Removed later, the tunnel keeps its location. A change replaces the tunnel, the new one first. */
  locationId?: string | undefined;
  /** Private IPv4 address of the load balancer. Left out, the service picks a free one. A change replaces the tunnel. */
  nlbPrivateIp?: string | undefined;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel, the new one first. */
  frontdoorId?: string | undefined;
  /** Keeps the sample configuration, which holds the pre-shared key, encrypted in the state as `sampleConfig`. Default: true. */
  storeSampleConfig?: boolean | undefined;
  /** Id of an existing tunnel to make yours instead of creating one. The arguments must not differ from it. Used only when the resource is created. */
  adopt?: string | undefined;
}

/** What check has made of it: each field in one spelling, and what has a default is there. */
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

/** An IPsec tunnel as list and get show it. */
export interface WireTunnel {
  /** Assigned by the service. */
  id: string;
  /** Public IPv4 address of the remote site's IPsec device. */
  peerPublicIp: string;
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. */
  peerCidr: string;
  /** Name of the tunnel. */
  name: string;
  /** Location of the tunnel; one tunnel is allowed per front door and location. */
  locationId?: string | undefined;
  /** Private IPv4 address of the load balancer. */
  nlbPrivateIp?: string | undefined;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING`, `DELETED` or one the specification does not show, as last seen. */
  status: string;
  /** DNS name of the load balancer, once DEPLOYED. */
  nlbDnsName?: string | undefined;
  /** Identifier of the VPN connection, once DEPLOYED. */
  vpnConnectionId?: string | undefined;
}

/** What the state keeps. */
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

/** What a program gives for a share. */
export interface ShareArgs {
  /** Id of the tunnel the share is published on. A new id moves the share. The share is replaced only if its tunnel is deleted before the new one exists. */
  ipsecTunnelId: string;
  /** Environment of the hosting agent. Required, here or as `envId`. */
  envZId?: string | undefined;
  /** Another spelling of `envZId`; give one of the two. */
  envId?: string | undefined;
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Name of the share. 1 to 63 letters, digits and hyphens, no leading or trailing hyphen. Default: derived from project, stack and the resource's name. */
  name?: string | undefined;
  /** Location of the share. Left out, the service decides. Removed later, it is cleared. */
  locationId?: string | undefined;
  /** Front door that owns the share. Default: `frontdoor:frontdoorId`. A change replaces the share, the new one first. */
  frontdoorId?: string | undefined;
  /** Id of an existing share to make yours instead of creating one. Arguments that differ from it are updated. Used only when the resource is created. */
  adopt?: string | undefined;
}

/** What check has made of it: each field in one spelling, and what has a default is there. */
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

/** An IPsec share as list and get show it. */
export interface WireShare {
  /** Assigned by the service. */
  id: string;
  /** Id of the tunnel the share is published on. */
  ipsecTunnelId: string;
  /** Environment of the hosting agent. */
  envZId: string;
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Name of the share. */
  name: string;
  /** Location of the share. */
  locationId?: string | undefined;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING`, `DELETED` or one the specification does not show, as last seen. */
  status: string;
}

/** What the state keeps. */
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

/** What a program gives for each share of a set. */
export interface SetShareArgs {
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Environment of the hosting agent. Here or as `envId`. Default: the set's. */
  envZId?: string | undefined;
  /** Another spelling of `envZId`; give one of the two. */
  envId?: string | undefined;
  /** Name of the share. 1 to 63 letters, digits and hyphens, no leading or trailing hyphen. Default: derived from project, stack, the set's name and the key. */
  name?: string | undefined;
  /** Location of the share. Default: the set's; without one the service decides. Removed later, it is cleared. */
  locationId?: string | undefined;
  /** Id of an existing share to make yours instead of creating one. Arguments that differ from it are updated. Used only when the key is new. */
  adopt?: string | undefined;
  /** Keeps the share at the service when its key is removed, so that another resource can adopt it in the same edit. Set it one `pulumi up` before you remove the key. Deleting the whole set still deletes the share. Default: false. */
  retain?: boolean | undefined;
}

/** What a program gives for a share set. */
export interface ShareSetArgs {
  /** Id of the tunnel the shares are published on. A new id moves the shares. The set is replaced only if its tunnel is deleted before the new one exists. */
  ipsecTunnelId: string;
  /** The shares by key. 1 to 5,000. An added key is created and a changed one updated. A removed one is deleted, unless `retain` was set in the previous `up`. */
  shares: Record<string, SetShareArgs>;
  /** Environment of the hosting agent for shares that name none. Here or as `envId`. */
  envZId?: string | undefined;
  /** Another spelling of `envZId`; give one of the two. */
  envId?: string | undefined;
  /** Location for shares that name none. Left out, the service decides. */
  locationId?: string | undefined;
  /** DNS name of the tunnel's load balancer: with it the set has `endpoints`. */
  nlbDnsName?: string | undefined;
  /** Front door that owns the shares. Default: `frontdoor:frontdoorId`. A change replaces the share set, the new one first. */
  frontdoorId?: string | undefined;
}

/** What a set shows of each of its shares. */
export interface SetShare {
  /** Assigned by the service. */
  id: string;
  /** Id of the tunnel the share is published on. */
  ipsecTunnelId: string;
  /** Environment of the hosting agent. */
  envZId: string;
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: number;
  /** Name of the share. */
  name: string;
  /** Location of the share. */
  locationId?: string | undefined;
  /** Front door that owns the share. */
  frontdoorId: string;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING`, `DELETED` or one the specification does not show, as last seen. */
  status: string;
}
