// Types alone, without zod's: what users' compilers read must not depend on how they are set.

/** What both kinds of resources show. */
export interface Named {
  id: string;
  status: string;
  name: string;
}

/** An IPsec tunnel as list and get show it (spec: IPsec tunnel); list entries lack the last three fields. */
export interface WireTunnel {
  /** Assigned by the service. */
  id: string;
  name: string;
  locationId?: string | undefined;
  /** `NEW`, `DEPLOYED`, `ERROR`, `DELETING`, `DELETED`, or one the specification does not show. */
  status: string;
  /** Public IPv4 address of the remote site's IPsec device. */
  peerPublicIp: string;
  /** CIDR block behind the peer. */
  peerCidr: string;
  /** Private IPv4 address of the load balancer. */
  nlbPrivateIp?: string | undefined;
  /** DNS name of the load balancer; missing until DEPLOYED. */
  nlbDnsName?: string | undefined;
  /** Identifier of the VPN connection; missing until DEPLOYED. */
  vpnConnectionId?: string | undefined;
}

/** An IPsec share as list and get show it (spec: IPsec share). */
export interface WireShare {
  /** Assigned by the service. */
  id: string;
  name: string;
  /** Tunnel the share is published on. */
  ipsecTunnelId: string;
  /** Environment of the hosting agent. */
  envZId: string;
  /** Private `host:port` the hosting agent connects to. */
  target: string;
  /** Listener port on the tunnel's load balancer. */
  ingressPort: number;
  locationId?: string | undefined;
  /** `NEW`, `DEPLOYED`, `ERROR`, `DELETING`, `DELETED`, or one the specification does not show. */
  status: string;
}

/** One entry of the tunnel configuration (spec: Tunnel configuration). */
export interface WireTunnelEntry {
  outsideIpAddress?: string | null | undefined;
  status?: string | null | undefined;
  statusMessage?: string | null | undefined;
  insideCidr?: string | null | undefined;
  ikeVersions?: string[] | null | undefined;
  phase1EncryptionAlgorithms?: string[] | null | undefined;
  phase1IntegrityAlgorithms?: string[] | null | undefined;
  phase1DHGroupNumbers?: number[] | null | undefined;
  phase1LifetimeSeconds?: number | null | undefined;
  phase2EncryptionAlgorithms?: string[] | null | undefined;
  phase2IntegrityAlgorithms?: string[] | null | undefined;
  phase2DHGroupNumbers?: number[] | null | undefined;
  phase2LifetimeSeconds?: number | null | undefined;
  rekeyMarginTimeSeconds?: number | null | undefined;
  rekeyFuzzPercentage?: number | null | undefined;
  dpdTimeoutSeconds?: number | null | undefined;
  dpdTimeoutAction?: string | null | undefined;
}
