import { IpsecSite } from "pulumi-frontdoor";

const branch = new IpsecSite("branch-office", {
  peerPublicIp: "203.0.113.7", // the remote site's IPsec device
  peerCidr: "10.20.0.0/16", // the network behind it
  envZId: "env-agent-1", // the hosting agent that reaches the targets
  shares: {
    intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
  },
});

export const { tunnelId, endpoints, sampleConfig } = branch;
