import { shareLifecycle } from "./share";
import { shareSetLifecycle } from "./share-set";
import { tunnelLifecycle } from "./tunnel";
import { tunnelConnectionLifecycle } from "./tunnel-connection";

/** The resources of the provider by their type. Whatever must know all of them reads this list. */
export const lifecycles = {
  IpsecTunnel: tunnelLifecycle,
  IpsecShare: shareLifecycle,
  IpsecShareSet: shareSetLifecycle,
  IpsecTunnelConnection: tunnelConnectionLifecycle,
};
