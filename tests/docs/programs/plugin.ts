// #region import
import { IpsecShare, IpsecTunnel } from "pulumi-frontdoor/plugin";
// #endregion import

const tunnel = new IpsecTunnel("branch-office", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
const place = { ipsecTunnelId: tunnel.id, envZId: "env-agent-1" };

export const { id } = new IpsecShare("web", { ...place, target: "web.corp.example:443", ingressPort: 443 });
