import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel, IpsecTunnelConnection } from "pulumi-frontdoor";
import { VpnDevice } from "./vpn-device";

const tunnel = new IpsecTunnel("branch-office", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });

// The other end of the tunnel. In your program this is a resource of your firewall's provider.
const device = new VpnDevice("branch-office-device", {
  address: new pulumi.Config().require("device"),
  configuration: tunnel.sampleConfig,
});

const connection = new IpsecTunnelConnection(
  "branch-office-up",
  { tunnelId: tunnel.id },
  { dependsOn: [device], customTimeouts: { create: "10m" } },
);

// Published only once the site is connected.
const web = new IpsecShare(
  "web",
  { ipsecTunnelId: tunnel.id, envZId: "env-agent-1", target: "web.corp.example:443", ingressPort: 443 },
  { dependsOn: [connection] },
);

export const endpoint = pulumi.interpolate`${tunnel.nlbDnsName}:${web.ingressPort}`;
export const outsideIpAddress = connection.outsideIpAddress;
