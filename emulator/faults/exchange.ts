import type { HttpBindings } from "@hono/node-server";
import type { Clock } from "../clock";

/** A rule waits for what it matches, acts on it `times` times and is gone. */
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

/** Stands between a request and its answer; may do the work, or not, and answer what it likes. */
export type ExchangeAction = (work: () => Promise<Response>, exchange: Exchange) => Promise<Response>;

/** Which requests a fault is about. */
export interface Where {
  /** Any method when left out. */
  method?: string | undefined;
  /** A prefix or a pattern of the path relative to the front door; any path when left out. */
  path?: string | RegExp | undefined;
  /** 1 when left out. */
  times?: number | undefined;
  /** How many that match pass by first; none when left out. */
  skip?: number | undefined;
}

/** Whether a fault comes before the work, which then does not happen, or after it. "before" when left out. */
export interface When {
  when?: "before" | "after" | undefined;
}

export const sameRequest =
  ({ method, path = "" }: Where) =>
  (exchange: Exchange): boolean =>
    (method === undefined || method.toUpperCase() === exchange.method) &&
    (typeof path === "string" ? exchange.path.startsWith(path) : exchange.path.search(path) >= 0);
