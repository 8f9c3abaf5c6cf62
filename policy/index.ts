import type { PolicyPackConfig } from "@pulumi/policy";
import type { FrontdoorPolicy } from "./about";
import { limitKeyLifetimes, refuseWeakCrypto } from "./rules/crypto";
import {
  checkThePack,
  followNamingConvention,
  guardLifeCycleOptions,
  limitSharesPerTunnel,
  matchShareLocations,
  protectProductionTunnels,
  refuseUnknownTypes,
  requireLocations,
  requireTwoTunnels,
  timeTunnelDeletes,
} from "./rules/life-cycle";
import { limitPeerNetworks, separatePeerNetworks, usePublicPeers } from "./rules/peers";
import { avoidStoredKeys, encryptPreSharedKeys, keepCredentialsSecret, keepSampleConfigSecret } from "./rules/secrets";
import {
  avoidDuplicateTargets,
  guardDangerousPorts,
  keepIngressPortsUnique,
  keepTargetsPrivate,
  limitIngressPorts,
  refuseLoopTargets,
  refuseMetadataTargets,
} from "./rules/services";

export type { About, FrontdoorPolicy } from "./about";
export { except, type Exception } from "./except";
export * from "./rules/crypto";
export * from "./rules/life-cycle";
export * from "./rules/peers";
export * from "./rules/secrets";
export * from "./rules/services";

/** Every policy of this package, in the order of the docs. */
export const policies: readonly FrontdoorPolicy[] = [
  usePublicPeers,
  limitPeerNetworks,
  separatePeerNetworks,
  keepTargetsPrivate,
  refuseMetadataTargets,
  refuseLoopTargets,
  limitIngressPorts,
  guardDangerousPorts,
  keepIngressPortsUnique,
  avoidDuplicateTargets,
  refuseUnknownTypes,
  protectProductionTunnels,
  timeTunnelDeletes,
  guardLifeCycleOptions,
  requireLocations,
  requireTwoTunnels,
  matchShareLocations,
  followNamingConvention,
  limitSharesPerTunnel,
  keepSampleConfigSecret,
  encryptPreSharedKeys,
  avoidStoredKeys,
  keepCredentialsSecret,
  refuseWeakCrypto,
  limitKeyLifetimes,
  // The last one: by then each policy has read its exceptions.
  checkThePack,
];

/** The levels and settings of the pack without a configuration. Examples and small set-ups pass. */
export const baseline: PolicyPackConfig = Object.fromEntries(
  policies.map(({ name, enforcementLevel }) => [name, { enforcementLevel }]),
);

/** The preset for production: narrow limits, and every policy mandatory whose violations a program can mend. */
export const strict: PolicyPackConfig = Object.fromEntries(
  policies.map(({ name, about }) => [name, { enforcementLevel: "mandatory", ...about.strict }]),
);
