import { IpsecTunnel } from "pulumi-frontdoor";

const tunnel = new IpsecTunnel("branch-office", {
  peerPublicIp: "203.0.113.7",
  peerCidr: "10.20.0.0/16",
});

export const { nlbDnsName, tunnelConfig, sampleConfig } = tunnel;
