import { IpsecShareSet, IpsecTunnel } from "pulumi-frontdoor";

const tunnel = new IpsecTunnel("branch-office", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });

const services = new IpsecShareSet("services", {
  ipsecTunnelId: tunnel.id,
  nlbDnsName: tunnel.nlbDnsName, // the output `endpoints` needs it
  envZId: "env-agent-1", // for shares without their own `envZId`
  shares: {
    intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
    database: { target: "10.8.0.15:5432", ingressPort: 5432 },
    mail: { target: "mail.corp.example:25", ingressPort: 25, envZId: "env-agent-2" },
  },
});

export const endpoints = services.endpoints;
