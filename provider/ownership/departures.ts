import { type Clock, isOver, type Until } from "../time/clock";
import { failed } from "../errors";
import { Ending } from "./ending";

interface Leaver {
  name: string;
  /** For whose sake it is deleted. */
  tunnelId: string;
  ending: Ending;
}

/**
 * Shares that the engine deletes before it replaces their tunnel, since their diff with an unknown tunnel was answered "replace".
 * It does so whatever the program says of them now, and may create the same one anew before the old one is gone.
 */
export class Departures {
  private readonly looks = new Map<string, Promise<void>>();
  private readonly leaving = new Map<string, Leaver>();

  constructor(private readonly clock: Clock) {}

  expect(id: string, name: string, tunnelId: string): void {
    if (!this.leaving.has(id)) this.leaving.set(id, { name, tunnelId, ending: new Ending() });
  }

  isExpected(id: string): boolean {
    return this.leaving.has(id);
  }

  /** Ids that leave under this name. */
  idsOf(name: string): string[] {
    return [...this.leaving].flatMap(([id, leaver]) => (leaver.name === name ? id : []));
  }

  /** The tunnel for whose sake it is deleted. */
  tunnelOf(id: string): string | undefined {
    return this.leaving.get(id)?.tunnelId;
  }

  /** Makes one look for all that leave for the sake of this tunnel. */
  once(tunnelId: string, look: () => Promise<void>): Promise<void> {
    const known = this.looks.get(tunnelId) ?? look();
    this.looks.set(tunnelId, known);
    return known;
  }

  /** Deletes it, and tells those who wait for that how it ended. Where one fails, the engine begins none of those behind it. */
  async during(id: string, leave: () => Promise<void>): Promise<void> {
    const leaver = this.leaving.get(id);
    await (leaver?.ending.during(leave) ?? leave()).catch((error: unknown) => {
      if (leaver) for (const { ending } of this.leaving.values()) ending.end(error as Error);
      throw error;
    });
  }

  /** Returns once what leaves under this name is gone. @throws FrontdoorError `failed` where it stays, or its delete does not begin. */
  async awaitGone(name: string, until: Until): Promise<void> {
    for (const [id, leaver] of this.leaving) {
      if (leaver.name !== name) continue;
      const error = await this.awaitEnd(leaver, until);
      if (!error) continue;
      const what = `"${name}": ${id} of this name has to be deleted first, and was not: ${error.message}`;
      throw failed(`${what}; nothing was created, run "pulumi up" again`);
    }
  }

  /** The engine deletes what leaves for the sake of one tunnel one after the other. */
  private async awaitEnd({ tunnelId, ending }: Leaver, until: Until): Promise<Error | undefined> {
    for (;;) {
      const error = await ending.within(this.clock, until);
      const isNext = [...this.leaving.values()].some((each) => each.tunnelId === tunnelId && each.ending.isUnderWay);
      if (!error || ending.hasBegun || !isNext || isOver(this.clock, until)) return error;
    }
  }
}
