import { IpsecSite } from "pulumi-frontdoor";

const customer = new IpsecSite("customer-a-dc1", {
  peerPublicIp: "203.0.113.1", // the remote site's IPsec device
  peerCidr: "172.31.0.0/16", // the network behind it
  locationId: "us-east-1", // where the front door runs the tunnel
  envZId: "ijcrWb-ZOq", // the hosting agent that reaches the targets
  shares: {
    "app-db": { target: "10.20.100.1:8443", ingressPort: 8443 },
  },
});

export const { tunnelId, endpoints, sampleConfig } = customer;
