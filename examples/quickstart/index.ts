import * as pulumi from "@pulumi/pulumi";
import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";

// The remote site's VPN tunnel. `pulumi up` waits until the service has deployed it.
const tunnel = new IpsecTunnel("branch-office", {
  peerPublicIp: "203.0.113.7",
  peerCidr: "10.20.0.0/16",
});

// The private services that the remote site reaches through it.
const services = {
  web: { target: "intranet.corp.example:443", ingressPort: 443 },
  tickets: { target: "10.8.0.15:8443", ingressPort: 8443 },
  files: { target: "files.corp.example:443", ingressPort: 8444 },
};

const shares = Object.entries(services).map(
  ([name, service]) => new IpsecShare(name, { ...service, ipsecTunnelId: tunnel.id, envZId: "env-agent-1" }),
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
