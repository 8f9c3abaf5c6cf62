import type { Service } from "../../provider/service";
import type { CustomTimeouts, Kind } from "./program";

export type Props = Record<string, unknown>;

/** A value that is not known before the run. */
export const UNKNOWN = Symbol("unknown");

/** A value that the state keeps encrypted. */
export class Secret {
  constructor(readonly value: unknown) {}
}

/** Which resource a call is about. */
export interface Subject {
  kind: Kind;
  urn: string;
  timeouts?: CustomTimeouts | undefined;
}

/** What the state holds of it. */
export interface Held {
  id: string;
  inputs: Props;
  outputs: Props;
}

/** What was made; where it is not ready yet, why: the engine keeps it as partly created. */
export interface Answer {
  id: string;
  outputs: Props;
  unfinished?: Error;
}

/** What a read shows; a host can say that it is not ready. */
export interface Seen {
  outputs: Props;
  inputs?: Props | undefined;
  isPartial?: true;
}

/** Left open, `changes` makes the engine compare inputs. */
export interface HostDiff {
  changes?: boolean | undefined;
  replaces?: string[] | undefined;
  deleteBeforeReplace?: boolean | undefined;
}

/** The engine's calls of a provider in no host's own form: unknown values are UNKNOWN, secret ones a Secret. */
export interface Host {
  check(
    of: Subject,
    olds: Props,
    news: Props,
  ): Promise<{ inputs: Props; failures: { property: string; reason: string }[] }>;
  diff(of: Subject, old: Held, news: Props): Promise<HostDiff>;
  create(of: Subject, inputs: Props): Promise<Answer>;
  /** Undefined where it is gone. */
  read(of: Subject, old: Held): Promise<Seen | undefined>;
  update(of: Subject, old: Held, news: Props): Promise<Answer>;
  delete(of: Subject, old: Held): Promise<void>;
  /** What the engine calls at an interrupt, where the host is told of one. */
  cancel?(): void;
}

/** Opens a host in a process of its own: its service, and the stack's configuration. */
export type OpenHost = (service: Service, setting: (key: string) => string | undefined) => Host;
