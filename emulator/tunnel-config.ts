import { fingerprint } from "./new-tunnel";
import type { Settings } from "./settings";

/** Spec: Tunnel configuration. */
export function tunnelConfig(settings: Settings, id: string) {
  const status = settings.connectionStatuses[id] ?? settings.connectionStatus;
  const usual = status === "UP" ? "IPsec security associations are established" : "IKE peer did not answer";
  return {
    state: settings.connectionState,
    tunnels: [
      {
        outsideIpAddress: outsideIpAddress(id),
        status,
        statusMessage: settings.connectionStatusMessage ?? usual,
        insideCidr: insideCidr(id),
        ikeVersions: ["ikev2"],
        phase1EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
        phase1IntegrityAlgorithms: ["SHA2-256", "SHA2-384"],
        phase1DHGroupNumbers: [14, 19, 20],
        phase1LifetimeSeconds: 28800,
        phase2EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
        phase2IntegrityAlgorithms: ["SHA2-256", "SHA2-384"],
        phase2DHGroupNumbers: [14, 19, 20],
        phase2LifetimeSeconds: 3600,
        rekeyMarginTimeSeconds: 540,
        rekeyFuzzPercentage: 100,
        dpdTimeoutSeconds: 30,
        dpdTimeoutAction: "clear",
      },
    ],
  };
}

/** An address of a documentation range, which nobody has. */
export function outsideIpAddress(id: string): string {
  return `198.51.100.${1 + (fingerprint(id).readUInt8(0) % 254)}`;
}

export function insideCidr(id: string): string {
  const block = fingerprint(id).readUInt16BE(2);
  return `169.254.${block >>> 8}.${block & 0xfc}/30`;
}
