import type { Service } from "../../provider/run/service";
import { derivedName } from "../../provider/origin";

export type Kind = "tunnels" | "shares" | "sets" | "connections";
/** Custom timeouts as a program gives them, such as `"90s"`. */
export type CustomTimeouts = Partial<Record<"create" | "update" | "delete" | "read", string>>;

/** As it is registered with the engine. */
export interface Registration {
  slot: string;
  kind: Kind;
  urn: string;
  aliases: string[];
  args: Record<string, unknown>;
  on?: string;
  timeouts?: CustomTimeouts;
  /** Pulumi's `retainOnDelete`: no delete is sent to the service. */
  isRetained?: true;
  /** Pulumi's `ignoreChanges`: these arguments, or all (`*`), stay as the state has them. */
  ignores?: readonly string[];
  /** Pulumi's `replaceOnChanges`. */
  replacesOn?: readonly string[];
  /** Pulumi's `replacementTrigger`: another value than before replaces the resource. */
  trigger?: string;
  /** Pulumi's `protect`. */
  isProtected?: true;
  /** What a transform sets, after the class has added its hidden inputs. */
  transformed?: Record<string, unknown>;
  /** A hook of `hooks.onError` has a failed create tried once more. */
  retries?: Retries;
}

/** What the engine does if an error hook (`onError`) asks for a retry of a create that has an id: newer engines update. */
export type Retries = "create again" | "update what exists";

/** Options that the state keeps. */
export const keptOptions = ({ trigger, isProtected, isRetained }: Registration) => ({
  trigger,
  isProtected,
  isRetained,
});

/** Types as the engine knows them. */
export const typeTokens = {
  tunnels: "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel",
  shares: "pulumi-nodejs:dynamic/frontdoor:IpsecShare",
  sets: "pulumi-nodejs:dynamic/frontdoor:IpsecShareSet",
  connections: "pulumi-nodejs:dynamic/frontdoor:IpsecTunnelConnection",
};

/** The argument by which it is on a tunnel. */
export const tunnelArgument = (kind: Kind): string => (kind === "connections" ? "tunnelId" : "ipsecTunnelId");

export const originOf = (urn: string): string => `organization::${urn}`;

/** The name that the service knows it by. */
export const servedName = ({ urn, args }: Registration): unknown => args["name"] ?? derivedName(originOf(urn));

/** Where something is in a resource, such as a share in a set. */
export const partUrn = (urn: string, key: string): string => `${urn}#${key}`;

/** The shares that the engine knows, and those of sets as if it did: each under the URN of its set with its key. */
export const flat = (program: Registration[]): Registration[] =>
  program.flatMap((one) =>
    one.kind === "sets"
      ? Object.entries(one.args["shares"] as Record<string, Registration["args"]>).map(([slot, args]) => ({
          ...{ ...one, slot, kind: "shares" as const, args },
          urn: partUrn(one.urn, slot),
          aliases: one.aliases.map((alias) => partUrn(alias, slot)),
        }))
      : [one],
  );

/** A resource as the state holds it. */
export interface Kept extends Subject, Held {
  /** Partly created: the engine calls update also where the diff finds nothing. */
  isPartial: boolean;
  /** Replaced, and still to be deleted. */
  delete?: boolean;
  /** Replaced delete first and retained: the state keeps the resource until the new one exists. */
  isPending?: boolean;
  /** The URN of a share's tunnel. */
  on?: string | undefined;
  trigger?: string | undefined;
  isProtected?: true | undefined;
  isRetained?: true | undefined;
}

/** A state, and what a run does to it. */
export interface Run {
  state: Kept[];
  /** What was begun, such as `update web`; each part of a replacement is a `replace`. */
  steps: string[];
  /** Nothing new begins any more. */
  isCancelled: boolean;
}

/** A call failed; which resource it was about. */
export class Failed extends Error {
  constructor(
    readonly slot: string,
    cause: unknown,
  ) {
    super(`${slot}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Those that the state holds, told apart as `flat` does. */
export const flatState = (state: Kept[]): Kept[] =>
  state.flatMap((one) =>
    one.kind === "sets"
      ? Object.entries(bare(one.outputs["shares"]) as Record<string, Kept["outputs"]>).map(([key, outputs]) => ({
          ...{ ...one, kind: "shares" as const, urn: partUrn(one.urn, key), outputs },
          id: String(outputs["id"]),
        }))
      : [one],
  );

/** What a set says of a share that it leaves for another failure's sake. */
const isConsequence = (error: unknown) => String(error).includes("something else has failed in this run");

/** Waits for all, then rejects with the first failure that is not another's consequence: what runs beside a failure is let end. */
export async function all(operations: Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(operations);
  const failures = ended.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
  const failed = failures.find((each) => !isConsequence(each)) ?? failures[0];
  if (failed) throw failed;
}

export type Props = Record<string, unknown>;

/** A value that is not known before the run. */
export const UNKNOWN = Symbol("unknown");

/** A value that the state keeps encrypted. */
export class Secret {
  constructor(readonly value: unknown) {}
}

/** A value without the marks of secrets in it. */
export function bare(value: unknown): unknown {
  if (value instanceof Secret) return bare(value.value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bare(part)]));
}

/** The resource of a call. */
export interface Subject {
  kind: Kind;
  urn: string;
  transformed?: Props;
  timeouts?: CustomTimeouts | undefined;
  /** The URN of the tunnel whose id the resource gets, if the id is not known. */
  tunnel?: string | undefined;
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
  /** The arguments that differ, if the adapter says them. */
  properties?: string[];
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

/** Opens an adapter in its own process, with its service and the stack's configuration. It shows lines beside resources. */
export type OpenAdapter = (
  service: Service,
  setting: (key: string) => string | undefined,
  show?: (urn: string, line: string) => void,
) => Adapter;
