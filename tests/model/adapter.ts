import type { Service } from "../../provider/operations/service";
import type { CustomTimeouts, Kind } from "./program";

export type Props = Record<string, unknown>;

/** A value that is not known before the run. */
export const UNKNOWN = Symbol("unknown");

/** A value that the state keeps encrypted. */
export class Secret {
  constructor(readonly value: unknown) {}
}

/** The resource of a call. */
export interface Subject {
  kind: Kind;
  urn: string;
  timeouts?: CustomTimeouts | undefined;
  /** Set for a check of a run that is no preview: the classes of this package add it. */
  isUp?: boolean;
}

/** The resource in the state. */
export interface Held {
  id: string;
  inputs: Props;
  outputs: Props;
}

/** The result of a create, with the reason if the resource is not ready. The engine then keeps it as partly created. */
export interface Answer {
  id: string;
  outputs: Props;
  unfinished?: Error;
}

/** The result of a read. An adapter can report that the resource is not ready. */
export interface Seen {
  outputs: Props;
  inputs?: Props | undefined;
  isPartial?: true;
}

/** The result of a diff. Without `changes`, the engine compares inputs. */
export interface HostDiff {
  changes?: boolean | undefined;
  replaces?: string[] | undefined;
  deleteBeforeReplace?: boolean | undefined;
}

/** The engine's calls of a provider, in one form for all adapters. Unknown values are UNKNOWN, and secret values are a Secret. */
export interface Adapter {
  check(
    of: Subject,
    olds: Props,
    news: Props,
  ): Promise<{ inputs: Props; failures: { property: string; reason: string }[] }>;
  diff(of: Subject, old: Held, news: Props): Promise<HostDiff>;
  create(of: Subject, inputs: Props): Promise<Answer>;
  /** Returns undefined if the resource is gone. */
  read(of: Subject, old: Held): Promise<Seen | undefined>;
  update(of: Subject, old: Held, news: Props): Promise<Answer>;
  delete(of: Subject, old: Held): Promise<void>;
  /** The engine's call at an interrupt. Only some adapters get it. */
  cancel?(): void;
}

/** Opens an adapter in its own process, with its service and the stack's configuration. */
export type OpenAdapter = (service: Service, setting: (key: string) => string | undefined) => Adapter;
