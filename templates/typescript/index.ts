import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";

// The remote site's VPN tunnel. `pulumi up` waits until Frontdoor has deployed it.
const tunnel = new IpsecTunnel("customer-a-dc1", {
  peerPublicIp: "203.0.113.1", // the remote site's IPsec device
  peerCidr: "172.31.0.0/16", // the network behind it
  locationId: "us-east-1", // where the front door runs the tunnel
});

// The private applications that the remote site reaches through it, each by a hosting agent that can connect to its target.
const database = new IpsecShare("app-db", {
  ipsecTunnelId: tunnel.id,
  envZId: "ijcrWb-ZOq",
  target: "10.20.100.1:8443",
  ingressPort: 8443,
});
new IpsecShare("app-web", {
  ipsecTunnelId: tunnel.id,
  envZId: "ijcrWb-ZOq",
  target: "10.20.100.2:443",
  ingressPort: 443,
});

export const endpoint = pulumi.interpolate`${tunnel.nlbDnsName}:${database.ingressPort}`;
// For the remote site's administrator. It is secret, because it contains the pre-shared key.
export const sampleConfig = tunnel.sampleConfig;
