export function siteOf(frontdoorId: unknown, peerCidr: unknown): string | undefined;
export function onlyTunnels<Tunnel extends object>(
  tunnels: readonly Tunnel[],
  site?: (tunnel: Tunnel) => string | undefined,
): (tunnel: Tunnel) => boolean;
