import type { Clock, Until } from "../time/clock";
import { batches } from "../api/batches";
import type { Collection } from "../api/collection";
import { present, readOdd } from "../api/named";
import type { Listed, Odd } from "../api/listing";
import type { Recent } from "./recent";
import type { Named } from "../api/types";

const gatherMs = 20;
/** What an interrupted run has left may show later than the rest: that a name is not there is believed for one burst of creates. */
const burstMs = 2_000;

interface Asker<Wire> {
  name: string;
  until: Until;
  /** Asked for before: what was listed since then counts, not what was before. */
  isAgain: boolean;
  resolve: (entries: Promise<Wire[]>) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks resources up by name. All who ask within a moment, or while a look is under way, share one: the list of all entries,
 * which serves who asks soon after as well, or where the front door has too many a list for each fifty names.
 */
export class Names<Wire extends Named> {
  private asking: Asker<Wire>[] = [];
  private isAsking = false;
  private readonly asked = new Set<string>();
  /** When names were asked for, those of the last burst. */
  private askedMs: number[] = [];
  /** What was read by its id since a list did not show it whole: once for all who share the list. */
  private readonly odd = new WeakMap<Odd, Promise<Wire | undefined>>();

  constructor(
    private readonly calls: Pick<Collection<Wire>, "listWhole" | "get">,
    private readonly recent: Recent<Wire>,
    private readonly clock: Clock,
    /** How many names one list may be asked for: one where the service does not promise that a repeated filter matches any of its values. */
    private readonly namesPerList: 1 | 50,
  ) {}

  /** Every resource of this name that is not deleted or being deleted. @throws FrontdoorError. */
  async look(name: string, until: Until): Promise<Wire[]> {
    const isAgain = this.asked.has(name);
    this.asked.add(name);
    const now = this.clock.now();
    this.askedMs = [...this.askedMs.filter((atMs) => atMs > now - burstMs), now];
    const known = isAgain ? undefined : await this.recent.known(burstMs);
    if (known) return this.present(known, name, until);
    return new Promise((resolve, reject) => {
      this.asking.push({ name, until, isAgain, resolve, reject });
      if (!this.isAsking) void this.gather();
    });
  }

  private async gather(): Promise<void> {
    this.isAsking = true;
    while (this.asking.length > 0) {
      await this.clock.sleep(gatherMs);
      await this.answer(this.asking.splice(0));
    }
    this.isAsking = false;
  }

  private async answer(askers: Asker<Wire>[]): Promise<void> {
    try {
      const first = askers.filter(({ isAgain }) => !isAgain);
      const isBurst = first.length > 1 && this.recent.isWorth(this.askedMs.length);
      const all = isBurst ? await this.recent.take(burstMs, untilAll(first)) : undefined;
      if (all) for (const { name, until, resolve } of first) resolve(this.present(all, name, until));
      const others = all ? askers.filter(({ isAgain }) => isAgain) : askers;
      for (const portion of batches(others, ({ name }) => name, this.namesPerList)) {
        const names = [...new Set(portion.map(({ name }) => name))];
        const query = names.map((name): [string, string] => ["name", name]);
        const listed = await this.calls.listWhole(query, untilAll(portion));
        for (const { name, until, resolve } of portion) resolve(this.present(listed, name, until));
      }
    } catch (error) {
      // Those who have their answer are not concerned.
      for (const { reject } of askers) reject(error);
    }
  }

  private present(listed: Listed<Wire>, name: string, until: Until): Promise<Wire[]> {
    return present(listed, name, (odd) => {
      const reading = this.odd.get(odd) ?? readOdd(this.calls, odd, until);
      this.odd.set(odd, reading);
      return reading;
    });
  }
}

const untilAll = (askers: Asker<never>[]): Until => ({
  deadlineMs: Math.max(...askers.map(({ until }) => until.deadlineMs)),
});
