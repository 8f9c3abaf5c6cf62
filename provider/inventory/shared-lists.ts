import type { Collection } from "../api/collection";
import { batches, type Listed } from "../api/lists";
import type { Clock, Until } from "../time/clock";
import { type Ask, Gatherer } from "./gatherer";
import { WholeList } from "./whole-list";

/** The time in which questions are gathered. Pulumi asks about parallel resources within some milliseconds. */
const gatherMs = 20;

type Property = "id" | "name";

interface Question {
  value: string;
  until: Until;
}

/** Lists that many questions about ids and names share. */
export class SharedLists<Wire extends { id: string; status: string }> {
  private readonly whole: WholeList<Wire>;
  private readonly gatherers: Record<Property, Gatherer<Question, Listed<Wire> | undefined>>;

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "listWhole" | "changes">,
    clock: Clock,
    /** True if the service promises that a repeated filter matches any of its values. Else each list is of one name. */
    private readonly matchesAny: boolean,
  ) {
    this.whole = new WholeList(calls, clock);
    this.gatherers = {
      id: new Gatherer((asks) => this.answer("id", asks), clock),
      name: new Gatherer((asks) => this.answer("name", asks), clock),
    };
  }

  /** Returns a list that shows the entries of this id or name, or undefined if a read by id costs no more. @throws FrontdoorError. */
  async find(property: Property, value: string, until: Until): Promise<Listed<Wire> | undefined> {
    return this.whole.current ?? this.gatherers[property].ask({ value, until }, gatherMs, until.signal);
  }

  private async answer(property: Property, asks: Ask<Question, Listed<Wire> | undefined>[]): Promise<void> {
    const until = { deadlineMs: Math.max(...asks.map(({ question }) => question.until.deadlineMs)) };
    const whole = await this.whole.read(asks.length, until);
    const mostInOne = property === "name" && !this.matchesAny ? 1 : undefined;
    for (const batch of batches(asks, ({ question }) => question.value, mostInOne)) {
      const values = new Set(batch.map(({ question }) => question.value));
      const listed = whole ? Promise.resolve(whole) : this.list(property, [...values], until);
      for (const { answer } of batch) answer(listed);
    }
  }

  private async list(property: Property, values: string[], until: Until): Promise<Listed<Wire> | undefined> {
    const query = values.map((value): [string, string] => [property, value]);
    if (property === "name") return this.calls.listWhole(query, until);
    return values.length > 1 ? this.calls.list(query, until, { isPoll: true, mostPages: values.length }) : undefined;
  }
}
