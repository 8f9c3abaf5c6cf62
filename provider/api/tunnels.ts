import * as z from "zod";
import { maybeText, orLeaving, wireId } from "./wire";
import type { WireTunnel, WireTunnelEntry } from "./types";

/** An IPsec tunnel as list and get show it (spec: IPsec tunnel); list entries lack the last three fields. */
export const wireTunnel: z.ZodType<WireTunnel> = orLeaving(
  z.object({
    id: wireId,
    name: z.string(),
    locationId: maybeText,
    status: z.string(),
    peerPublicIp: z.string(),
    peerCidr: z.string(),
    nlbPrivateIp: maybeText,
    nlbDnsName: maybeText,
    vpnConnectionId: maybeText,
  }),
  { peerPublicIp: "", peerCidr: "" },
);

/** Body of a tunnel create (spec: Tunnels, POST). */
export interface NewTunnel {
  name: string;
  peerPublicIp: string;
  peerCidr: string;
  locationId?: string;
  nlbPrivateIp?: string;
}

const texts = z.array(z.string()).nullish();
const whole = z.int().nullish();

/** One entry of the tunnel configuration (spec: Tunnel configuration). */
export const wireTunnelEntry: z.ZodType<WireTunnelEntry> = z.object({
  outsideIpAddress: maybeText,
  status: maybeText,
  statusMessage: maybeText,
  insideCidr: maybeText,
  ikeVersions: texts,
  phase1EncryptionAlgorithms: texts,
  phase1IntegrityAlgorithms: texts,
  phase1DHGroupNumbers: z.array(z.int()).nullish(),
  phase1LifetimeSeconds: whole,
  phase2EncryptionAlgorithms: texts,
  phase2IntegrityAlgorithms: texts,
  phase2DHGroupNumbers: z.array(z.int()).nullish(),
  phase2LifetimeSeconds: whole,
  rekeyMarginTimeSeconds: whole,
  rekeyFuzzPercentage: whole,
  dpdTimeoutSeconds: whole,
  dpdTimeoutAction: maybeText,
});

/** The tunnel configuration (spec: Tunnel configuration). */
export const wireTunnelConfig = z.object({ state: maybeText, tunnels: z.array(wireTunnelEntry).nullish() });
