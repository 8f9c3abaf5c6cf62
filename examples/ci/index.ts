import { IpsecSite } from "pulumi-frontdoor";

const site = new IpsecSite(
  "branch-office",
  {
    peerPublicIp: "203.0.113.7",
    peerCidr: "10.20.0.0/16",
    envZId: "env-agent-1",
    // The state has no pre-shared key: code of a pull request can read the state.
    storeSampleConfig: false,
    shares: {
      intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
      tickets: { target: "10.8.0.20:8443", ingressPort: 8443 },
    },
  },
  // The policies of the workflow want it for production stacks.
  { protect: true },
);

export const { tunnelId, endpoints } = site;
