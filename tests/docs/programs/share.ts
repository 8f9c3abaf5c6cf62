import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";

const tunnel = new IpsecTunnel("branch-office", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });

// #region share
const database = new IpsecShare("database", {
  ipsecTunnelId: tunnel.id,
  envZId: "env-agent-1",
  target: "10.8.0.15:5432",
  ingressPort: 5432,
});
// #endregion share

/** Where the remote site finds it. */
export const endpoint = pulumi.interpolate`${tunnel.nlbDnsName}:${database.ingressPort}`;
