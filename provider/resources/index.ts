import type { Table } from "../fields/field";
import type { ResourceType } from "../fields/types";
import type { Common, Lifecycle } from "../lifecycle/contract";
import type { Service } from "../run/service";
import { share } from "./share";
import { shareSet } from "./share-set";
import { tunnel } from "./tunnel";
import { tunnelConnection } from "./tunnel-connection";

/** What the classes, the schema and the adapters know of a resource. */
interface Definition {
  /** The text above its class, in the schema and on its page. */
  doc: string;
  fields: Table;
  /** The fields of each part of a set. */
  each?: Table;
  lifecycle: (service: Service) => Lifecycle<Common, Common>;
}

/**
 * Every resource of this package, by the name of its class. Adapters, classes, schema, policies, command and tests read this list, or
 * what `npm run docs` generates from it.
 */
export const resources: Record<ResourceType, Definition> = {
  IpsecTunnel: tunnel,
  IpsecShare: share,
  IpsecShareSet: shareSet,
  IpsecTunnelConnection: tunnelConnection,
};
