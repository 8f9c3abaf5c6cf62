import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel, IpsecTunnelConnection } from "pulumi-frontdoor";
import { VpnDevice } from "./vpn-device";

const tunnel = new IpsecTunnel("customer-a-dc1", { peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16" });

// The other end of the tunnel. In your program this is a resource of your firewall's provider.
const device = new VpnDevice("customer-a-dc1-device", {
  address: new pulumi.Config().require("device"),
  configuration: tunnel.sampleConfig,
});

const connection = new IpsecTunnelConnection(
  "customer-a-dc1-up",
  { tunnelId: tunnel.id },
  { dependsOn: [device], customTimeouts: { create: "10m" } },
);

// Published only once the site is connected.
const web = new IpsecShare(
  "web",
  { ipsecTunnelId: tunnel.id, envZId: "ijcrWb-ZOq", target: "web.corp.example:443", ingressPort: 443 },
  { dependsOn: [connection] },
);

export const endpoint = pulumi.interpolate`${tunnel.nlbDnsName}:${web.ingressPort}`;
export const outsideIpAddress = connection.outsideIpAddress;
