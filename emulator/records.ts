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

/** One request on `/v2/...` or on the token endpoint. */
export interface RequestEntry {
  /** Arrival, ms on the emulator's clock. */
  at: number;
  method: string;
  /** Relative to the front door, such as `/ipsec-shares/shr-1`; `/oauth/token` for the token endpoint. */
  path: string;
  frontdoorId: string;
  /** As sent, without the question mark; "" if there is none. */
  query: string;
  /** Parsed JSON; undefined if there is none, it is no JSON, or it holds a client secret. */
  body: unknown;
  /** 0 while it has no response, and for good if the connection was cut without one. */
  status: number;
}

/** `POST /ipsec-tunnels → 202, 3 ms` */
export function logLine({ method, path, query, status }: RequestEntry, tookMs?: number): string {
  const request = `${method} ${path}${query && `?${query}`}`;
  // eslint-disable-next-line no-control-regex -- a path must not be able to write to the terminal
  return `${request.replace(/[\x00-\x1f\x7f-\x9f]/g, "?")} → ${status === 0 ? "no response" : status}${tookMs === undefined ? "" : `, ${tookMs} ms`}`;
}

/** Splits `/frontdoor/v2/fd-1/ipsec-tunnels` into front door and the path below it. */
export function frontdoorAndPath(pathname: string): { frontdoorId: string; path: string } {
  const [, written = "", path = pathname] = /^\/frontdoor\/v2\/([^/]*)(.*)$/s.exec(pathname) ?? [];
  return { frontdoorId: decoded(written), path };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
