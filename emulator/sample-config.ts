import type { TunnelRecord } from "./records";
import { insideCidr, outsideIpAddress } from "./tunnel-config";

/** The configuration for the remote site's device, key included: as sensitive as the real one. Spec: Sample VPN configuration. */
export function sampleConfig(tunnel: TunnelRecord, psk: string): string {
  const [network = "", length = ""] = insideCidr(tunnel.id).split("/");
  const ours = network.replace(/\d+$/, (last) => String(Number(last) + 1));
  const theirs = network.replace(/\d+$/, (last) => String(Number(last) + 2));
  return `! IPsec sample configuration
! Tunnel:          ${oneLine(tunnel.name)} (${tunnel.id})
! VPN connection:  ${tunnel.vpnConnectionId}
! Made by the emulator; the layout is its own. Keep this file secret: it holds the pre-shared key.

crypto ikev2 proposal front-door-ike
 encryption aes-cbc-256
 integrity sha256
 group 14
crypto ikev2 keyring front-door-keys
 peer front-door
  address ${outsideIpAddress(tunnel.id)}
  pre-shared-key ${psk}
crypto ikev2 profile front-door
 match identity remote address ${outsideIpAddress(tunnel.id)}
 identity local address ${tunnel.peerPublicIp}
 authentication local pre-share
 authentication remote pre-share
 keyring local front-door-keys
 lifetime 28800
 dpd 10 30 periodic
crypto ipsec transform-set front-door-esp esp-aes 256 esp-sha256-hmac
 mode tunnel
crypto ipsec profile front-door
 set transform-set front-door-esp
 set ikev2-profile front-door
 set pfs group14
 set security-association lifetime seconds 3600
interface Tunnel1
 ip address ${theirs}/${length}
 tunnel source ${tunnel.peerPublicIp}
 tunnel destination ${outsideIpAddress(tunnel.id)}
 tunnel mode ipsec ipv4
 tunnel protection ipsec profile front-door
! Behind this device: ${tunnel.peerCidr}
ip route ${tunnel.nlbPrivateIp} 255.255.255.255 ${ours}
`;
}

const oneLine = (text: string) => text.replace(/\p{Cc}/gu, " ");
