import type { HttpBindings } from "@hono/node-server";
import type { Clock } from "../clock";

/** A rule acts `times` times on matching requests, and then ends. */
export interface Rule<Subject, Action> {
  match: (subject: Subject) => boolean;
  times: number;
  action: Action;
}

/** One request as rules see it: `path` is relative to the front door, as in the request log. */
export interface Exchange {
  method: string;
  path: string;
  /** As sent, without the question mark. */
  query: string;
  wire: HttpBindings;
  clock: Clock;
  /** Ends waits when the emulator closes. */
  closing: AbortSignal;
}

/** A fault between a request and its answer. It can skip the work and choose the answer. */
export type ExchangeAction = (work: () => Promise<Response>, exchange: Exchange) => Promise<Response>;

/** The requests to which a fault applies. */
export interface Where {
  /** Any method when left out. */
  method?: string | undefined;
  /** A prefix or a pattern of the path relative to the front door; any path when left out. */
  path?: string | RegExp | undefined;
  /** 1 when left out. */
  times?: number | undefined;
  /** The number of matching requests that pass before. Default: 0. */
  skip?: number | undefined;
}

/** The time of a fault: "before" (default) replaces the work, and "after" follows the work. */
export interface When {
  when?: "before" | "after" | undefined;
}

export const sameRequest =
  ({ method, path = "" }: Where) =>
  (exchange: Exchange): boolean =>
    (method === undefined || method.toUpperCase() === exchange.method) &&
    (typeof path === "string" ? exchange.path.startsWith(path) : exchange.path.search(path) >= 0);
