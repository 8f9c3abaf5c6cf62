// Generated from provider/resources/index.ts by "npm run docs": change that, not this.
/** The resources of this package, by the name of their class. */
export const resourceTypes = ["IpsecTunnel", "IpsecShare", "IpsecShareSet", "IpsecTunnelConnection"] as const;
