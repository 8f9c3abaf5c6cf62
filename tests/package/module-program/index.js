import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";
import { IpsecSite } from "pulumi-frontdoor/plugin";

const tunnel = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
new IpsecShare("web", { ipsecTunnelId: tunnel.id, envZId: "env-1", target: "web.internal:443", ingressPort: 443 });
new IpsecSite("branch", {
  peerPublicIp: "203.0.113.9",
  peerCidr: "10.30.0.0/16",
  locationId: "loc-2",
  envZId: "env-1",
  shares: { mail: { target: "mail.internal:25", ingressPort: 25 } },
});

export const endpoint = tunnel.nlbDnsName;
