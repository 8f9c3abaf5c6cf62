import { setTimeout as sleep } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { HttpBindings } from "@hono/node-server";
import type { Kind, Status } from "./records";

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
  wire: HttpBindings;
  /** Ends waits when the emulator closes. */
  closing: AbortSignal;
}

/** Stands between a request and its answer; may do the work, or not, and answer what it likes. */
export type ExchangeAction = (work: () => Promise<Response>, exchange: Exchange) => Promise<Response>;

/** Asynchronous work that a write sets off. */
export interface Work {
  kind: Kind;
  op: "create" | "update" | "delete";
}

/** How that work ends instead: in this status, or never (`stuck`). */
export type WorkAction = Status | "stuck";

interface Where {
  /** Any method when left out. */
  method?: string;
  /** A prefix or a pattern of the path relative to the front door; any path when left out. */
  path?: string | RegExp;
  /** 1 when left out. */
  times?: number;
}

interface When {
  /** Before the work, which then does not happen, or after it. "before" when left out. */
  when?: "before" | "after";
}

export type AnswerFault = Where & When & { status: number; headers?: Record<string, string>; body?: unknown };
export type DropFault = Where & When;
export type DelayFault = Where & { delayMs: number };
export type WorkFault = Work & { times?: number };

/** Faults to come. The first rule that matches acts, alone; rules are taken in the order in which they were added. */
export class Faults {
  private exchanges: Rule<Exchange, ExchangeAction>[] = [];
  private works: Rule<Work, WorkAction>[] = [];

  /** Adds a rule for requests; returns what takes it out again. */
  onRequest(rule: Rule<Exchange, ExchangeAction>): () => void {
    this.exchanges.push(rule);
    return () => (this.exchanges = this.exchanges.filter((each) => each !== rule));
  }

  /** Adds a rule for provisioning and teardown; returns what takes it out again. */
  onWork(rule: Rule<Work, WorkAction>): () => void {
    this.works.push(rule);
    return () => (this.works = this.works.filter((each) => each !== rule));
  }

  /** Provisioning ends in ERROR. */
  failNext(fault: WorkFault): () => void {
    return this.onWork({ match: sameWork(fault), times: fault.times ?? 1, action: "ERROR" });
  }

  /** Stays in NEW, or in DELETING, for good. */
  stickNext(fault: WorkFault): () => void {
    return this.onWork({ match: sameWork(fault), times: fault.times ?? 1, action: "stuck" });
  }

  /** Answers this instead; a body that is no string is sent as JSON. */
  answerNext(fault: AnswerFault): () => void {
    const action: ExchangeAction = async (work) => {
      if (fault.when === "after") await work();
      return answerOf(fault);
    };
    return this.onRequest({ match: sameRequest(fault), times: fault.times ?? 1, action });
  }

  /** Cuts the connection without an answer. */
  dropNext(fault: DropFault = {}): () => void {
    const action: ExchangeAction = async (work, { wire }) => {
      if (fault.when === "after") await work();
      wire.incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    };
    return this.onRequest({ match: sameRequest(fault), times: fault.times ?? 1, action });
  }

  /** Lets real time pass, whatever the emulator's clock, before the request is worked on. */
  delayNext(fault: DelayFault): () => void {
    const action: ExchangeAction = async (work, { closing }) => {
      await sleep(fault.delayMs, undefined, { signal: closing }).catch(() => undefined);
      return closing.aborted ? RESPONSE_ALREADY_SENT : work();
    };
    return this.onRequest({ match: sameRequest(fault), times: fault.times ?? 1, action });
  }

  /** How many times rules will still act. */
  pending(): number {
    return [...this.exchanges, ...this.works].reduce((sum, { times }) => sum + times, 0);
  }

  clear(): void {
    this.exchanges = [];
    this.works = [];
  }

  /** Lets the rules have a request; for the server. */
  answer(exchange: Exchange, work: () => Promise<Response>): Promise<Response> {
    const action = take(this.exchanges, exchange);
    return action ? action(work, exchange) : work();
  }

  /** How this work ends if a rule has a say; for the service. */
  outcome(work: Work): WorkAction | undefined {
    return take(this.works, work);
  }
}

/** Uses up one turn of the first rule that matches. */
function take<Subject, Action>(rules: Rule<Subject, Action>[], subject: Subject): Action | undefined {
  const rule = rules.find((each) => each.times > 0 && each.match(subject));
  if (!rule) return undefined;
  rule.times -= 1;
  if (rule.times <= 0) rules.splice(rules.indexOf(rule), 1);
  return rule.action;
}

const sameWork = (fault: Work) => (work: Work) => work.kind === fault.kind && work.op === fault.op;

const sameRequest =
  ({ method, path = "" }: Where) =>
  (exchange: Exchange) =>
    (method === undefined || method.toUpperCase() === exchange.method) &&
    (typeof path === "string" ? exchange.path.startsWith(path) : exchange.path.search(path) >= 0);

function answerOf({ status, headers, body }: AnswerFault): Response {
  if (body === undefined) return new Response(null, { status, headers: { ...headers } });
  if (typeof body === "string") return new Response(body, { status, headers: { ...headers } });
  return Response.json(body, { status, headers: { ...headers } });
}
