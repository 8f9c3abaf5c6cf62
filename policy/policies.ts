import type { FrontdoorPolicy } from "./about";
import { avoidDuplicateTargets } from "./rules/avoid-duplicate-targets";
import { avoidStoredKeys } from "./rules/avoid-stored-keys";
import { encryptPreSharedKeys } from "./rules/encrypt-pre-shared-keys";
import { followNamingConvention } from "./rules/follow-naming-convention";
import { guardDangerousPorts } from "./rules/guard-dangerous-ports";
import { guardLifeCycleOptions } from "./rules/guard-life-cycle-options";
import { keepCredentialsSecret } from "./rules/keep-credentials-secret";
import { keepIngressPortsUnique } from "./rules/keep-ingress-ports-unique";
import { keepSampleConfigSecret } from "./rules/keep-sample-config-secret";
import { keepTargetsPrivate } from "./rules/keep-targets-private";
import { limitIngressPorts } from "./rules/limit-ingress-ports";
import { limitKeyLifetimes } from "./rules/limit-key-lifetimes";
import { limitPeerNetworks } from "./rules/limit-peer-networks";
import { limitSharesPerTunnel } from "./rules/limit-shares-per-tunnel";
import { matchShareLocations } from "./rules/match-share-locations";
import { protectProductionTunnels } from "./rules/protect-production-tunnels";
import { refuseLoopTargets } from "./rules/refuse-loop-targets";
import { refuseMetadataTargets } from "./rules/refuse-metadata-targets";
import { refuseUnknownTypes } from "./rules/refuse-unknown-types";
import { refuseWeakCrypto } from "./rules/refuse-weak-crypto";
import { requireLocations } from "./rules/require-locations";
import { separatePeerNetworks } from "./rules/separate-peer-networks";
import { timeTunnelDeletes } from "./rules/time-tunnel-deletes";
import { usePublicPeers } from "./rules/use-public-peers";

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
  matchShareLocations,
  followNamingConvention,
  limitSharesPerTunnel,
  keepSampleConfigSecret,
  encryptPreSharedKeys,
  avoidStoredKeys,
  keepCredentialsSecret,
  refuseWeakCrypto,
  limitKeyLifetimes,
];
