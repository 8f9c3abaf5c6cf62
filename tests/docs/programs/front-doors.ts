import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor";

const site = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const east = new IpsecTunnel("east", site); // frontdoor:frontdoorId
const west = new IpsecTunnel("west", { ...site, frontdoorId: "fd-2" });

const web = { target: "web.corp.example:443", ingressPort: 443, envZId: "env-agent-1" };
const eastWeb = new IpsecShare("east-web", { ...web, ipsecTunnelId: east.id });
const westWeb = new IpsecShare("west-web", { ...web, ipsecTunnelId: west.id, frontdoorId: "fd-2" });

export const ids = [eastWeb.id, westWeb.id];
