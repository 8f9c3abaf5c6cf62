import type * as z from "zod";
import { type Faults, workRuleOf } from ".";
import type { Rule } from "./actions";
import { type requestFaultSchema, ruleOf, type workFaultSchema } from "./catalogue";

/** A fault as JSON. */
type SwitchedFault = z.infer<typeof requestFaultSchema> | z.infer<typeof workFaultSchema>;

interface Switched {
  id: number;
  fault: SwitchedFault;
  rule: Rule<never, unknown>;
  takeBack: () => void;
}

/** The faults of the admin endpoints, by number. */
export class Switches {
  private all: Switched[] = [];
  private lastId = 0;

  constructor(private readonly faults: Faults) {}

  add(fault: SwitchedFault): number {
    const id = (this.lastId += 1);
    this.all.push({ id, fault, ...this.turnOn(fault) });
    return id;
  }

  /** Returns the faults that will still act, with the number of times; null for a lasting fault. */
  list(): { id: number; fault: SwitchedFault; left: number | null }[] {
    this.all = this.all.filter(({ rule }) => this.faults.has(rule));
    return this.all.map(({ id, fault, rule }) => ({ id, fault, left: rule.times === Infinity ? null : rule.times }));
  }

  /** Removes a fault. Returns false if no fault has this number. */
  remove(id: number): boolean {
    const switched = this.all.find((each) => each.id === id);
    switched?.takeBack();
    return switched !== undefined;
  }

  private turnOn(fault: SwitchedFault): Pick<Switched, "rule" | "takeBack"> {
    if (fault.fault !== "fail" && fault.fault !== "stick") {
      const rule = ruleOf(fault);
      return { rule, takeBack: this.faults.onRequest(rule) };
    }
    const rule = workRuleOf(fault, fault.fault === "fail" ? "ERROR" : "stuck");
    return { rule, takeBack: this.faults.onWork(rule) };
  }
}
