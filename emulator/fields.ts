import { createHash, randomBytes } from "node:crypto";
import type { Settings } from "./settings";
import { living, type World } from "./world";
import type { TunnelFields, TunnelRecord } from "./records";

/** What a client sends to create a tunnel. */
type Sent = Pick<TunnelRecord, "name" | "peerPublicIp" | "peerCidr"> &
  Partial<Record<"locationId" | "nlbPrivateIp", string | undefined>>;

/** Returns the fields that the service adds to the client's fields. */
export function newTunnelFields(world: World, frontdoorId: string, body: Sent): TunnelFields {
  const mark = randomBytes(8).toString("hex");
  return {
    name: body.name,
    frontdoorId,
    locationId: body.locationId ?? world.settings.defaultLocationId,
    peerPublicIp: body.peerPublicIp,
    peerCidr: body.peerCidr,
    nlbPrivateIp: body.nlbPrivateIp ?? freeAddress(world, frontdoorId),
    nlbDnsName: `nlb-${mark}.ingress.emulator.invalid`,
    vpnConnectionId: `vpn-0${mark}`,
    // The files for devices write a key such as 0x… in hexadecimal digits, so that it is not read as a number.
    psk: randomBytes(24).toString("base64url").replace(/^0/, "k"),
  };
}

/** The first free address of the load balancers' network, 10.90.0.0/16. Networks reserve addresses below .10 for gateways. */
function freeAddress(world: World, frontdoorId: string): string {
  const used = new Set(living(world, world.tables.tunnel, frontdoorId).map(({ fields }) => fields.nlbPrivateIp));
  for (let host = 10; ; host += 1) {
    const address = `10.90.${host >> 8}.${host & 255}`;
    if (!used.has(address)) return address;
  }
}

/** Returns numbers that depend only on an id, so two reads agree without storage. */
function fingerprint(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}

/** What AWS offers where nothing else is set. */
const aws = {
  ikeVersions: ["ikev1", "ikev2"],
  phase1EncryptionAlgorithms: ["AES128", "AES256", "AES128-GCM-16", "AES256-GCM-16"],
  phase1IntegrityAlgorithms: ["SHA1", "SHA2-256", "SHA2-384", "SHA2-512"],
  phase1DHGroupNumbers: [2, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  phase2EncryptionAlgorithms: ["AES128", "AES256", "AES128-GCM-16", "AES256-GCM-16"],
  phase2IntegrityAlgorithms: ["SHA1", "SHA2-256", "SHA2-384", "SHA2-512"],
  phase2DHGroupNumbers: [2, 5, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  rekeyMarginTimeSeconds: 270,
};

/** When a read first found the connection of a tunnel DOWN, by the tunnel's id. */
const downSince = new WeakMap<Settings, Map<string, number>>();

/** Returns the status of a tunnel's connection, and since when it has been DOWN: from then on, the tunnel has no traffic. */
export function connectionOf(settings: Settings, id: string, nowMs: number): { status: string; downMs: number } {
  const known = downSince.get(settings) ?? new Map<string, number>();
  downSince.set(settings, known);
  const status = settings.connectionStatuses[id] ?? settings.connectionStatus;
  if (status === "UP") known.delete(id);
  else if (!known.has(id)) known.set(id, nowMs);
  return { status, downMs: known.get(id) ?? Infinity };
}

/** Spec: Tunnel configuration. */
export function tunnelConfig(settings: Settings, id: string, nowMs: number) {
  const { status } = connectionOf(settings, id, nowMs);
  const [up, other] =
    settings.tunnelConfigForm === "aws"
      ? ["1 BGP ROUTES", "IPSEC IS DOWN"]
      : ["IPsec security associations are established", "IKE peer did not answer"];
  return {
    state: settings.connectionState,
    tunnels: [
      {
        outsideIpAddress: outsideIpAddress(id),
        status,
        statusMessage: settings.connectionStatusMessage ?? (status === "UP" ? up : other),
        insideCidr: insideCidr(id),
        ikeVersions: ["ikev2"],
        phase1EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
        phase1IntegrityAlgorithms: ["SHA2-256", "SHA2-384"],
        phase1DHGroupNumbers: [14, 19, 20],
        phase1LifetimeSeconds: 28800,
        phase2EncryptionAlgorithms: ["AES256", "AES256-GCM-16"],
        phase2IntegrityAlgorithms: ["SHA2-256", "SHA2-384"],
        phase2DHGroupNumbers: [14, 19, 20],
        phase2LifetimeSeconds: 3600,
        rekeyMarginTimeSeconds: 540,
        rekeyFuzzPercentage: 100,
        dpdTimeoutSeconds: 30,
        dpdTimeoutAction: "clear",
        ...(settings.tunnelConfigForm === "aws" && aws),
      },
    ],
  };
}

/** An address of a documentation range, which nobody has. */
function outsideIpAddress(id: string): string {
  return `198.51.100.${1 + (fingerprint(id).readUInt8(0) % 254)}`;
}

function insideCidr(id: string): string {
  const block = fingerprint(id).readUInt16BE(2);
  return `169.254.${block >>> 8}.${block & 0xfc}/30`;
}

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

/** Spec: window of tunnel metrics. */
export const tunnelWindows = ["30m", "1h", "1d", "7d"];

const points = 30;
const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a window such as 15m; undefined for any other text. */
export function windowMs(window: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,3})([smhd])$/.exec(window) ?? [];
  return unit === undefined ? undefined : Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** Returns the traffic as samples of `timestamp`, `rx` and `tx`. */
export function samples({ series }: ReturnType<typeof metrics>): object {
  const valuesOf = (name: string) => series.find((each) => each.name === name)?.points ?? [];
  const sent = valuesOf("bytesOut");
  return {
    samples: valuesOf("bytesIn").map(({ timestamp, value }, index) => ({
      timestamp,
      rx: value,
      tx: sent[index]?.value,
    })),
  };
}

/** From when to when there is traffic, and the time at which it is read. */
interface Traffic {
  nowMs: number;
  sinceMs: number;
  downMs: number;
}

/** Returns plausible traffic, always the same for the same time. The spec does not show the form, so the emulator chooses it. */
export function metrics(id: string, window: string, spanMs: number, { nowMs, sinceMs, downMs }: Traffic) {
  const stepMs = Math.ceil(spanMs / points);
  const end = Math.floor(nowMs / stepMs) * stepMs;
  const times = Array.from({ length: points }, (_, index) => end - (points - 1 - index) * stepMs);
  const series = (name: string, unit: string, level: number) => ({
    name,
    unit,
    points: times.map((time) => ({
      timestamp: new Date(time).toISOString(),
      value:
        time < sinceMs || time >= downMs
          ? 0
          : Math.round(level * load(`${id}/${name}`, time) * (unit === "bytes" ? stepMs / 1000 : 1)),
    })),
  });
  return {
    id,
    window,
    stepSeconds: stepMs / 1000,
    series: [
      series("bytesIn", "bytes", 40_000),
      series("bytesOut", "bytes", 90_000),
      series("activeConnections", "count", 12),
    ],
  };
}

/** Returns a load that is high by day and low by night, with variations. */
function load(key: string, time: number): number {
  const day = 0.6 - 0.4 * Math.cos((2 * Math.PI * time) / unitMs.d);
  return day * (0.7 + (0.6 * fingerprint(`${key}@${time}`).readUInt8(0)) / 255);
}
