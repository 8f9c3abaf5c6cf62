import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";

// The remote site's VPN tunnel. `pulumi up` waits until the service has deployed it.
const tunnel = new IpsecTunnel("branch-office", {
  peerPublicIp: "203.0.113.7", // the remote site's IPsec device
  peerCidr: "10.20.0.0/16", // the network behind it
});

// The private services that the remote site reaches through it, each by a hosting agent that can connect to its target.
const web = new IpsecShare("web", {
  ipsecTunnelId: tunnel.id,
  envZId: "env-agent-1",
  target: "intranet.corp.example:443",
  ingressPort: 443,
});
new IpsecShare("database", {
  ipsecTunnelId: tunnel.id,
  envZId: "env-agent-1",
  target: "10.8.0.15:5432",
  ingressPort: 5432,
});

export const endpoint = pulumi.interpolate`${tunnel.nlbDnsName}:${web.ingressPort}`;
// For the remote site's engineer; secret, as it holds the pre-shared key.
export const sampleConfig = tunnel.sampleConfig;
