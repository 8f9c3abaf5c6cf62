import type { Clock, Until } from "../clock";
import type { Collection } from "./collection";
import type { Named } from "./types";

const gatherMs = 20;

interface Asker<Wire> {
  name: string;
  until: Until;
  resolve: (entries: Wire[]) => void;
  reject: (error: unknown) => void;
}

/** Looks resources up by name; all who ask within a moment share one list request for each fifty names. */
export class Names<Wire extends Named> {
  private asking: Asker<Wire>[] = [];

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list">,
    private readonly clock: Clock,
    /** How many names one list may be asked for: one where the service does not promise that a repeated filter matches any of its values. */
    private readonly namesPerList: 1 | 50,
  ) {}

  /** Every resource of this name that is not deleted or being deleted. @throws FrontdoorError. */
  look(name: string, until: Until): Promise<Wire[]> {
    return new Promise((resolve, reject) => {
      this.asking.push({ name, until, resolve, reject });
      if (this.asking.length === 1) void this.gather();
    });
  }

  private async gather(): Promise<void> {
    await this.clock.sleep(gatherMs);
    const askers = this.asking;
    this.asking = [];
    for (let from = 0; from < askers.length; from += this.namesPerList) {
      await this.answer(askers.slice(from, from + this.namesPerList));
    }
  }

  private async answer(askers: Asker<Wire>[]): Promise<void> {
    const until = { deadlineMs: Math.max(...askers.map((asker) => asker.until.deadlineMs)) };
    try {
      const names = [...new Set(askers.map((asker) => asker.name))];
      const { entries } = await this.calls.list(
        names.map((name) => ["name", name]),
        until,
      );
      const present = entries.filter(({ status }) => status !== "DELETING" && status !== "DELETED");
      for (const { name, resolve } of askers) resolve(present.filter((entry) => entry.name === name));
    } catch (error) {
      for (const { reject } of askers) reject(error);
    }
  }
}
