import type * as z from "zod";
import { type RequestFault, type requestFaultSchema, ruleOf, type workFaultSchema } from "./catalogue";
import type { Exchange, ExchangeAction, Rule, Timing, RequestFilter } from "./actions";
import type { Kind, Status } from "../records";

/** Asynchronous work that a write starts. */
export interface Work {
  kind: Kind;
  op: "create" | "update" | "delete";
}

/** The end of such work: this status, or no end (`stuck`). */
export type WorkAction = Status | "stuck";

export type AnswerFault = RequestFilter & Timing & { status: number; headers?: Record<string, string>; body?: unknown };
export type DropFault = RequestFilter & Timing;
export type DelayFault = RequestFilter & { delayMs: number };
export type WorkFault = Work & { times?: number | undefined };

/** The rules for faults, in the order of their addition. Only the first matching rule acts. */
export class Faults {
  private exchanges: Rule<Exchange, ExchangeAction>[] = [];
  private works: Rule<Work, WorkAction>[] = [];

  /** Adds a rule for requests. Returns a function that removes the rule. */
  onRequest(rule: Rule<Exchange, ExchangeAction>): () => void {
    this.exchanges.push(rule);
    return () => (this.exchanges = this.exchanges.filter((each) => each !== rule));
  }

  /** Adds a rule for provisioning and teardown. Returns a function that removes the rule. */
  onWork(rule: Rule<Work, WorkAction>): () => void {
    this.works.push(rule);
    return () => (this.works = this.works.filter((each) => each !== rule));
  }

  /** Adds a fault of the catalogue. Returns a function that removes the fault. */
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

  /** Waits in real time before the work. The emulator's clock does not matter. */
  delayNext(fault: DelayFault): () => void {
    return this.add({ fault: "delay", ...fault });
  }

  /** Returns how many times the rules will still act, without lasting rules. */
  pending(): number {
    return [...this.exchanges, ...this.works].reduce((sum, { times }) => sum + (times === Infinity ? 0 : times), 0);
  }

  /** True if a rule will still act. */
  has(rule: Rule<never, unknown>): boolean {
    return [...this.exchanges, ...this.works].some((each) => each === rule);
  }

  clear(): void {
    this.exchanges = [];
    this.works = [];
  }

  /** Applies the rules to a request. For the server. */
  answer(exchange: Exchange, work: () => Promise<Response>): Promise<Response> {
    const action = take(this.exchanges, exchange);
    return action ? action(work, exchange) : work();
  }

  /** Returns the end of this work if a rule matches. For the service. */
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

/** A fault as JSON. */
type FaultJson = z.infer<typeof requestFaultSchema> | z.infer<typeof workFaultSchema>;

interface AdminFault {
  id: number;
  fault: FaultJson;
  rule: Rule<never, unknown>;
  removeRule: () => void;
}

/** The faults of the admin endpoints, by number. */
export class AdminFaults {
  private all: AdminFault[] = [];
  private lastId = 0;

  constructor(private readonly faults: Faults) {}

  add(fault: FaultJson): number {
    const id = (this.lastId += 1);
    this.all.push({ id, fault, ...this.addRule(fault) });
    return id;
  }

  /** Returns the faults that will still act, with the number of times; null for a lasting fault. */
  list(): { id: number; fault: FaultJson; left: number | null }[] {
    this.all = this.all.filter(({ rule }) => this.faults.has(rule));
    return this.all.map(({ id, fault, rule }) => ({ id, fault, left: rule.times === Infinity ? null : rule.times }));
  }

  /** Removes a fault. Returns false if no fault has this number. */
  remove(id: number): boolean {
    const switched = this.all.find((each) => each.id === id);
    switched?.removeRule();
    return switched !== undefined;
  }

  private addRule(fault: FaultJson): Pick<AdminFault, "rule" | "removeRule"> {
    if (fault.fault !== "fail" && fault.fault !== "stick") {
      const rule = ruleOf(fault);
      return { rule, removeRule: this.faults.onRequest(rule) };
    }
    const rule = workRuleOf(fault, fault.fault === "fail" ? "ERROR" : "stuck");
    return { rule, removeRule: this.faults.onWork(rule) };
  }
}
