import { IpsecSite } from "pulumi-frontdoor";

const branch = new IpsecSite("branch-office", {
  peerPublicIp: "203.0.113.7",
  peerCidr: "10.20.0.0/16",
  envZId: "env-agent-1",
  shares: {
    intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
    database: { target: "10.8.0.15:5432", ingressPort: 5432, envZId: "env-agent-2" },
  },
});

export const { tunnelId, endpoints } = branch;
export const webStatus = branch.shares["intranet"]?.status;
