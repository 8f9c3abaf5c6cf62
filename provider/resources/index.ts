import type { Table } from "../fields/field";
import type { ResourceType } from "../fields/types";
import type { Common, Lifecycle } from "../lifecycle/lifecycle";
import type { Service } from "../run/service";
import { share } from "./share";
import { shareSet } from "./share-set";
import { tunnel } from "./tunnel";
import { tunnelConnection } from "./tunnel-connection";

/**
 * Adds to a lifecycle what holds for each id in the state: Pulumi has saved the id, so the record of its create goes, and this run owns an
 * id that the program declares unchanged.
 */
export function withIds<Inputs, Outputs>(lifecycle: Lifecycle<Inputs, Outputs>): Lifecycle<Inputs, Outputs> {
  const saved =
    <Rest extends unknown[], Result>(operate: (id: string, olds: Outputs, ...rest: Rest) => Promise<Result>) =>
    async (id: string, olds: Outputs, ...rest: Rest): Promise<Result> => {
      for (const { kind, id: each, name } of lifecycle.heldBy(id, olds)) kind.records.remove(name, each);
      return operate(id, olds, ...rest);
    };
  return {
    ...lifecycle,
    diff: saved(async (id, olds, news, context) => {
      const diff = await lifecycle.diff(id, olds, news, context);
      if (diff.isConfirmed) for (const held of lifecycle.heldBy(id, olds)) held.kind.ledger.own(held.id);
      return diff;
    }),
    read: saved((...args) => lifecycle.read(...args)),
    update: saved((...args) => lifecycle.update(...args)),
    delete: saved((...args) => lifecycle.delete(...args)),
  };
}

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
