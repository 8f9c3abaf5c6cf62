// Generated from the tables in this folder by "npm run docs": change that, not this.
// Types alone, without zod's: what users' compilers read must not depend on how they are set.

/** The resources of this package, by the name of their class. */
export type ResourceType = "IpsecTunnel" | "IpsecShare" | "IpsecShareSet" | "IpsecTunnelConnection";

/** The present details of one connection of a tunnel. */
export interface TunnelConfigEntry {
  /** Outside IP address of the connection. */
  readonly outsideIpAddress?: string;
  /** Status of the connection, such as `UP`. */
  readonly status?: string;
  /** Frontdoor's explanation of the status. */
  readonly statusMessage?: string;
  /** CIDR block inside the connection. */
  readonly insideCidr?: string;
  /** Versions of IKE that Frontdoor accepts. */
  readonly ikeVersions?: string[];
  /** Encryption algorithms of phase 1. */
  readonly phase1EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 1. */
  readonly phase1IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 1. */
  readonly phase1DHGroupNumbers?: number[];
  /** Lifetime of phase 1, in seconds. */
  readonly phase1LifetimeSeconds?: number;
  /** Encryption algorithms of phase 2. */
  readonly phase2EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 2. */
  readonly phase2IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 2. */
  readonly phase2DHGroupNumbers?: number[];
  /** Lifetime of phase 2, in seconds. */
  readonly phase2LifetimeSeconds?: number;
  /** Keys are renewed this many seconds before their lifetime ends. */
  readonly rekeyMarginTimeSeconds?: number;
  /** Random variation of `rekeyMarginTimeSeconds`, in percent. */
  readonly rekeyFuzzPercentage?: number;
  /** Seconds without a response after which the peer counts as dead. */
  readonly dpdTimeoutSeconds?: number;
  /** Action after `dpdTimeoutSeconds`, such as `clear`. */
  readonly dpdTimeoutAction?: string;
}

/** The details of a VPN connection that do not change by themselves. */
export interface TunnelConfig {
  /** Outside IP address of the connection. */
  readonly outsideIpAddress?: string;
  /** CIDR block inside the connection. */
  readonly insideCidr?: string;
  /** Versions of IKE that Frontdoor accepts. */
  readonly ikeVersions?: string[];
  /** Encryption algorithms of phase 1. */
  readonly phase1EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 1. */
  readonly phase1IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 1. */
  readonly phase1DHGroupNumbers?: number[];
  /** Lifetime of phase 1, in seconds. */
  readonly phase1LifetimeSeconds?: number;
  /** Encryption algorithms of phase 2. */
  readonly phase2EncryptionAlgorithms?: string[];
  /** Integrity algorithms of phase 2. */
  readonly phase2IntegrityAlgorithms?: string[];
  /** Diffie-Hellman groups of phase 2. */
  readonly phase2DHGroupNumbers?: number[];
  /** Lifetime of phase 2, in seconds. */
  readonly phase2LifetimeSeconds?: number;
  /** Keys are renewed this many seconds before their lifetime ends. */
  readonly rekeyMarginTimeSeconds?: number;
  /** Random variation of `rekeyMarginTimeSeconds`, in percent. */
  readonly rekeyFuzzPercentage?: number;
  /** Seconds without a response after which the peer counts as dead. */
  readonly dpdTimeoutSeconds?: number;
  /** Action after `dpdTimeoutSeconds`, such as `clear`. */
  readonly dpdTimeoutAction?: string;
}

/** The arguments after check: in one spelling, with defaults. */
export interface TunnelInputs {
  readonly peerPublicIp: string;
  readonly peerCidr: string;
  readonly name: string;
  readonly locationId?: string | undefined;
  readonly nlbPrivateIp?: string | undefined;
  readonly frontdoorId: string;
  readonly storeSampleConfig?: boolean | undefined;
  readonly adopt?: string | undefined;
  readonly rotation?: string | number | undefined;
}

/** An IPsec tunnel in Frontdoor's lists and responses to a get. */
export interface WireTunnel {
  /** Assigned by Frontdoor. */
  readonly id: string;
  /** Public IPv4 address of the remote site's IPsec device. */
  readonly peerPublicIp: string;
  /** The remote site's network, as a network address without host bits, such as `10.20.0.0/16`. */
  readonly peerCidr: string;
  /** Name of the tunnel. */
  readonly name: string;
  /** Location of the tunnel. According to Frontdoor's specification, a front door can have at most one tunnel at each location. */
  readonly locationId?: string | undefined;
  /** Private IPv4 address of the load balancer. */
  readonly nlbPrivateIp?: string | undefined;
  /** The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status: string;
  /** DNS name of the load balancer, known once the tunnel is DEPLOYED. */
  readonly nlbDnsName?: string | undefined;
  /** Identifier of the VPN connection, known once the tunnel is DEPLOYED. */
  readonly vpnConnectionId?: string | undefined;
}

/** The filters of a list of tunnels. An entry must have the value, or one of the values, of each given property. */
export interface TunnelFilters {
  /** Assigned by Frontdoor. */
  readonly id?: string | string[] | undefined;
  /** Public IPv4 address of the remote site's IPsec device. */
  readonly peerPublicIp?: string | string[] | undefined;
  /** The remote site's network, as a network address without host bits, such as `10.20.0.0/16`. */
  readonly peerCidr?: string | string[] | undefined;
  /** Name of the tunnel. */
  readonly name?: string | string[] | undefined;
  /** Location of the tunnel. According to Frontdoor's specification, a front door can have at most one tunnel at each location. */
  readonly locationId?: string | string[] | undefined;
  /** Private IPv4 address of the load balancer. */
  readonly nlbPrivateIp?: string | string[] | undefined;
  /** The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status?: string | string[] | undefined;
  /** DNS name of the load balancer, known once the tunnel is DEPLOYED. */
  readonly nlbDnsName?: string | string[] | undefined;
  /** Identifier of the VPN connection, known once the tunnel is DEPLOYED. */
  readonly vpnConnectionId?: string | string[] | undefined;
}

/** The outputs in the state. */
export interface TunnelOutputs {
  readonly peerPublicIp: string;
  readonly peerCidr: string;
  readonly name: string;
  readonly locationId?: string | undefined;
  readonly nlbPrivateIp?: string | undefined;
  readonly frontdoorId: string;
  readonly rotation?: string | number | undefined;
  readonly status: string;
  readonly nlbDnsName?: string | undefined;
  readonly vpnConnectionId?: string | undefined;
  readonly tunnelConfig?: TunnelConfig | undefined;
  readonly sampleConfig?: string | undefined;
  /** Optional arguments that the program gives. Undefined from an import until the first update. */
  readonly __set?: string[] | undefined;
  /** The wall-clock time from which a reading is the truth, in milliseconds. Unset if it is one already. */
  readonly __settlesAt?: number | undefined;
}

/** The arguments after check: in one spelling, with defaults. */
export interface ShareInputs {
  readonly ipsecTunnelId: string;
  readonly envZId: string;
  readonly target: string;
  readonly ingressPort: number;
  readonly name: string;
  readonly locationId?: string | undefined;
  readonly frontdoorId: string;
  readonly adopt?: string | undefined;
}

/** An IPsec share in Frontdoor's lists and responses to a get. */
export interface WireShare {
  /** Assigned by Frontdoor. */
  readonly id: string;
  /** Id of the tunnel on which the share is published. */
  readonly ipsecTunnelId: string;
  /** Id of the hosting agent's environment. */
  readonly envZId: string;
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: number;
  /** Name of the share. */
  readonly name: string;
  /** Location of the share. */
  readonly locationId?: string | undefined;
  /** The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status: string;
}

/** The filters of a list of shares. An entry must have the value, or one of the values, of each given property. */
export interface ShareFilters {
  /** Assigned by Frontdoor. */
  readonly id?: string | string[] | undefined;
  /** Id of the tunnel on which the share is published. */
  readonly ipsecTunnelId?: string | string[] | undefined;
  /** Id of the hosting agent's environment. */
  readonly envZId?: string | string[] | undefined;
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target?: string | string[] | undefined;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort?: number | number[] | undefined;
  /** Name of the share. */
  readonly name?: string | string[] | undefined;
  /** Location of the share. */
  readonly locationId?: string | string[] | undefined;
  /** The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status?: string | string[] | undefined;
}

/** The outputs in the state. */
export interface ShareOutputs {
  readonly ipsecTunnelId: string;
  readonly envZId: string;
  readonly target: string;
  readonly ingressPort: number;
  readonly name: string;
  readonly locationId?: string | undefined;
  readonly frontdoorId: string;
  readonly status: string;
  /** Optional arguments that the program gives. Undefined from an import until the first update. */
  readonly __set?: string[] | undefined;
  /** The wall-clock time from which a reading is the truth, in milliseconds. Unset if it is one already. */
  readonly __settlesAt?: number | undefined;
}

/** The outputs of each share in a set. */
export interface SetShare {
  /** Assigned by Frontdoor. */
  readonly id: string;
  /** Id of the tunnel on which the share is published. */
  readonly ipsecTunnelId: string;
  /** Id of the hosting agent's environment. */
  readonly envZId: string;
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target: string;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: number;
  /** Name of the share. */
  readonly name: string;
  /** Location of the share. */
  readonly locationId?: string | undefined;
  /** Front door that owns the share. */
  readonly frontdoorId: string;
  /** The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status: string;
}

/** The arguments after check: in one spelling, with defaults. */
export interface TunnelConnectionInputs {
  readonly tunnelId: string;
  readonly frontdoorId: string;
}

/** The outputs in the state. */
export interface TunnelConnectionOutputs {
  readonly tunnelId: string;
  readonly frontdoorId: string;
  readonly outsideIpAddress?: string | undefined;
  readonly insideCidr?: string | undefined;
}
