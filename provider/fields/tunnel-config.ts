/** The fields of a tunnel configuration's one entry, each of which the service can leave out (spec: Tunnel configuration). */
export const entryFields = {
  outsideIpAddress: "text",
  status: "text",
  statusMessage: "text",
  insideCidr: "text",
  ikeVersions: "texts",
  phase1EncryptionAlgorithms: "texts",
  phase1IntegrityAlgorithms: "texts",
  phase1DHGroupNumbers: "numbers",
  phase1LifetimeSeconds: "number",
  phase2EncryptionAlgorithms: "texts",
  phase2IntegrityAlgorithms: "texts",
  phase2DHGroupNumbers: "numbers",
  phase2LifetimeSeconds: "number",
  rekeyMarginTimeSeconds: "number",
  rekeyFuzzPercentage: "number",
  dpdTimeoutSeconds: "number",
  dpdTimeoutAction: "text",
} as const;

/** What moves by itself and would show as drift: no state keeps it. */
export const movingFields = ["status", "statusMessage"] as const;

interface Types {
  text: string;
  texts: string[];
  number: number;
  numbers: number[];
}

/** One connection of a tunnel, `status` and `statusMessage` included (spec: Tunnel configuration). */
export type TunnelConfigEntry = { [Key in keyof typeof entryFields]?: Types[(typeof entryFields)[Key]] };

/** The VPN connection's stable details (spec: Tunnel configuration), without what moves by itself. */
export type TunnelConfig = Omit<TunnelConfigEntry, (typeof movingFields)[number]>;
