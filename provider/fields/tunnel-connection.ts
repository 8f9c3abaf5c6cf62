import { shareFields } from "./share";
import type { Table } from "./field";
import type { TunnelConfigEntry } from "./types";
import * as values from "./values";

interface Row {
  type: "text" | "texts" | "number" | "numbers";
  doc: string;
}

/** The fields of the entry of a tunnel configuration. The service can omit each field (spec: Tunnel configuration). */
export const entryFields = {
  outsideIpAddress: { type: "text", doc: "Outside IP address of the connection." },
  status: { type: "text", doc: "Status of the connection, such as `UP`." },
  statusMessage: { type: "text", doc: "Frontdoor's explanation of the status." },
  insideCidr: { type: "text", doc: "CIDR block inside the connection." },
  ikeVersions: { type: "texts", doc: "Versions of IKE that Frontdoor accepts." },
  phase1EncryptionAlgorithms: { type: "texts", doc: "Encryption algorithms of phase 1." },
  phase1IntegrityAlgorithms: { type: "texts", doc: "Integrity algorithms of phase 1." },
  phase1DHGroupNumbers: { type: "numbers", doc: "Diffie-Hellman groups of phase 1." },
  phase1LifetimeSeconds: { type: "number", doc: "Lifetime of phase 1, in seconds." },
  phase2EncryptionAlgorithms: { type: "texts", doc: "Encryption algorithms of phase 2." },
  phase2IntegrityAlgorithms: { type: "texts", doc: "Integrity algorithms of phase 2." },
  phase2DHGroupNumbers: { type: "numbers", doc: "Diffie-Hellman groups of phase 2." },
  phase2LifetimeSeconds: { type: "number", doc: "Lifetime of phase 2, in seconds." },
  rekeyMarginTimeSeconds: {
    type: "number",
    doc: "Keys are renewed this many seconds before their lifetime ends.",
  },
  rekeyFuzzPercentage: { type: "number", doc: "Random variation of `rekeyMarginTimeSeconds`, in percent." },
  dpdTimeoutSeconds: { type: "number", doc: "Seconds without a response after which the peer counts as dead." },
  dpdTimeoutAction: { type: "text", doc: "Action after `dpdTimeoutSeconds`, such as `clear`." },
} as const satisfies Record<keyof TunnelConfigEntry, Row>;

/** The fields that change by themselves. They are not in the state: each change would be drift. */
export const volatileFields = ["status", "statusMessage"] as const;

/** Rows of what the service says of the connection. */
const fact = { type: "string | undefined", visible: "in state" } as const;

/** The fields of a tunnel connection, which only waits until the VPN connection of a tunnel is UP. */
export const tunnelConnectionFields = {
  tunnelId: {
    is: values.id("the id of an IPsec tunnel"),
    doc: "Id of the tunnel. The resource waits for the VPN connection of this tunnel.",
    whenOmitted: "refused",
    onChange: "create first",
    visible: "in state",
  },
  frontdoorId: { ...shareFields.frontdoorId, doc: "Front door that owns the tunnel." },
  outsideIpAddress: { ...fact, doc: entryFields.outsideIpAddress.doc },
  insideCidr: { ...fact, doc: entryFields.insideCidr.doc },
} satisfies Table;
