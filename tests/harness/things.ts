import type { Emulator } from "../../emulator";

/** The device of a remote site. */
export const peer = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };

/** The arguments of a tunnel, as most tests declare it. */
export const hq = { name: "hq", ...peer };

/** The arguments of a share, without its tunnel. */
export const web = { name: "web", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

/** The stack's configuration for a service of a test. */
export const testSettings = ({
  baseUrl,
  frontdoorId,
  token,
}: Pick<Emulator, "baseUrl" | "frontdoorId" | "token">): Record<string, string> => ({
  "frontdoor:baseUrl": baseUrl,
  "frontdoor:token": token,
  "frontdoor:frontdoorId": frontdoorId,
  "frontdoor:requestsPerSecond": "1000",
});
