import { type RequestFault, ruleOf } from "./catalogue";
import type { Exchange, ExchangeAction, Rule, When, Where } from "./exchange";
import type { Kind, Status } from "../records";

/** Asynchronous work that a write sets off. */
export interface Work {
  kind: Kind;
  op: "create" | "update" | "delete";
}

/** How that work ends instead: in this status, or never (`stuck`). */
export type WorkAction = Status | "stuck";

export type AnswerFault = Where & When & { status: number; headers?: Record<string, string>; body?: unknown };
export type DropFault = Where & When;
export type DelayFault = Where & { delayMs: number };
export type WorkFault = Work & { times?: number | undefined };

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

  /** Adds a fault of the catalogue; returns what takes it out again. */
  add(fault: RequestFault): () => void {
    return this.onRequest(ruleOf(fault));
  }

  /** Provisioning ends in ERROR. */
  failNext(fault: WorkFault): () => void {
    return this.onWork(workRuleOf(fault, "ERROR"));
  }

  /** Stays in NEW, or in DELETING, for good. */
  stickNext(fault: WorkFault): () => void {
    return this.onWork(workRuleOf(fault, "stuck"));
  }

  /** Answers this instead; a body that is no string is sent as JSON. */
  answerNext(fault: AnswerFault): () => void {
    return this.add({ fault: "answer", ...fault });
  }

  /** Cuts the connection without an answer. */
  dropNext(fault: DropFault = {}): () => void {
    return this.add({ fault: "drop", ...fault });
  }

  /** Lets real time pass, whatever the emulator's clock, before the request is worked on. */
  delayNext(fault: DelayFault): () => void {
    return this.add({ fault: "delay", ...fault });
  }

  /** How many times rules will still act; lasting ones are not counted. */
  pending(): number {
    return [...this.exchanges, ...this.works].reduce((sum, { times }) => sum + (times === Infinity ? 0 : times), 0);
  }

  /** Whether a rule will still act. */
  has(rule: Rule<never, unknown>): boolean {
    return [...this.exchanges, ...this.works].some((each) => each === rule);
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

export const workRuleOf = (fault: WorkFault, action: WorkAction): Rule<Work, WorkAction> => ({
  match: (work) => work.kind === fault.kind && work.op === fault.op,
  times: fault.times ?? 1,
  action,
});
