import { fingerprint } from "./new-tunnel";
import type { Settings } from "./settings";

/** What AWS offers where nothing else is set. */
const aws = {
  ikeVersions: ["ikev1", "ikev2"],
  phase1EncryptionAlgorithms: ["AES128", "AES256", "AES128-GCM-16", "AES256-GCM-16"],
  phase1IntegrityAlgorithms: ["SHA1", "SHA2-256", "SHA2-384", "SHA2-512"],
  phase1DHGroupNumbers: [2, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  phase2EncryptionAlgorithms: ["AES128", "AES256", "AES128-GCM-16", "AES256-GCM-16"],
  phase2IntegrityAlgorithms: ["SHA1", "SHA2-256", "SHA2-384", "SHA2-512"],
  phase2DHGroupNumbers: [2, 5, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  rekeyMarginTimeSeconds: 270,
};

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
        ...(settings.tunnelConfigForm === "aws" && aws),
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
