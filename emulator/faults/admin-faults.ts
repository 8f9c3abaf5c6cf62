import type * as z from "zod";
import { type Faults, workRuleOf } from ".";
import type { Rule } from "./actions";
import { type requestFaultSchema, ruleOf, type workFaultSchema } from "./catalogue";

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
