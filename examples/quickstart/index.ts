import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";

// The remote site's VPN tunnel. `pulumi up` waits until the service has deployed it.
const tunnel = new IpsecTunnel("customer-a-dc1", {
  peerPublicIp: "203.0.113.1",
  peerCidr: "172.31.0.0/16",
  locationId: "us-east-1",
});

// The private services that the remote site reaches through it.
const services = {
  "app-db": { target: "10.20.100.1:8443", ingressPort: 8443 },
  "app-web": { target: "10.20.100.2:443", ingressPort: 443 },
  "app-files": { target: "files.corp.example:443", ingressPort: 8444 },
};

const shares = Object.entries(services).map(
  ([name, service]) => new IpsecShare(name, { ...service, ipsecTunnelId: tunnel.id, envZId: "ijcrWb-ZOq" }),
);

export const tunnelId = tunnel.id;
export const nlbDnsName = tunnel.nlbDnsName;
export const vpnConnectionId = tunnel.vpnConnectionId;
export const sampleConfig = tunnel.sampleConfig;
export const endpoints = pulumi.output(
  Object.fromEntries(
    Object.keys(services).map((name, index) => [
      name,
      pulumi.interpolate`${tunnel.nlbDnsName}:${shares[index]?.ingressPort}`,
    ]),
  ),
);
