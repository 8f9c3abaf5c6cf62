import { getSampleConfig, IpsecTunnel } from "pulumi-frontdoor";

const tunnel = new IpsecTunnel("branch-office", {
  peerPublicIp: "203.0.113.7",
  peerCidr: "10.20.0.0/16",
  // The stack's output below is the only copy; `true`, the default, keeps a second one as an output of the tunnel.
  storeSampleConfig: false,
});

/** Holds the pre-shared key. `npm run deliver` writes it to a file that only its owner can read. */
export const sampleConfig = getSampleConfig({ id: tunnel.id });
