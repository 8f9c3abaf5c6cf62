/** The states of tunnels and shares. Spec: States and transitions. */
export const statuses = ["NEW", "DEPLOYED", "ERROR", "FAILED", "SUSPENDED", "DELETING", "DELETED"] as const;
export type Status = (typeof statuses)[number];

/** A tunnel with all its wire fields (spec: IPsec tunnel). A field that is not known yet is "". */
export interface TunnelRecord {
  id: string;
  name: string;
  frontdoorId: string;
  locationId: string | null;
  status: Status;
  peerPublicIp: string;
  peerCidr: string;
  nlbPrivateIp: string;
  nlbDnsName: string;
  vpnConnectionId: string;
}

/** A share with all its wire fields. Spec: IPsec share. */
export interface ShareRecord {
  id: string;
  name: string;
  frontdoorId: string;
  ipsecTunnelId: string;
  envZId: string;
  target: string;
  ingressPort: number;
  locationId: string | null;
  status: Status;
}

/** The stored fields of a tunnel besides id and status. Only sample-config returns the pre-shared key. */
export type TunnelFields = Omit<TunnelRecord, "id" | "status"> & { psk: string };

export type ShareFields = Omit<ShareRecord, "id" | "status">;

/** The stored fields of each kind. */
export interface FieldsOf {
  tunnel: TunnelFields;
  share: ShareFields;
}
export type Kind = keyof FieldsOf;
export const kinds = ["tunnel", "share"] as const satisfies Kind[];
