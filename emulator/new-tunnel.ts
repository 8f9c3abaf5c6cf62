import { createHash, randomBytes } from "node:crypto";
import { isIPv4 } from "node:net";
import type { TunnelBody } from "./bodies";
import type { TunnelFields } from "./records";
import { living, type World } from "./world";

/** Returns the fields that the service adds to the client's fields. @throws RangeError if the address pool is used up. */
export function newTunnelFields(world: World, frontdoorId: string, body: TunnelBody): TunnelFields {
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
    psk: randomBytes(24).toString("base64url"),
  };
}

/** The first host number. Networks reserve addresses below .10 for gateways. */
function freeAddress(world: World, frontdoorId: string): string {
  const [base = "", length = ""] = world.settings.nlbPrivateIpPool.split("/");
  if (!isIPv4(base)) throw new RangeError(`nlbPrivateIpPool is no IPv4 block: ${world.settings.nlbPrivateIpPool}`);
  const first = base.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const used = new Set(
    living(world, world.store.tunnels)
      .filter(({ fields }) => fields.frontdoorId === frontdoorId)
      .map(({ fields }) => fields.nlbPrivateIp),
  );
  const last = first + 2 ** (32 - Number(length)) - 2;
  for (let bits = first + 10; bits <= last; bits += 1) {
    const address = [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");
    if (!used.has(address)) return address;
  }
  throw new RangeError(`No address is free in ${world.settings.nlbPrivateIpPool}`);
}

/** Returns numbers that depend only on an id, so two reads agree without storage. */
export function fingerprint(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}
