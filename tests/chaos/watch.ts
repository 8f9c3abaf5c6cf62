import type { Emulator } from "../../emulator";

/** Looks after every request for what must never be: two of the same, too many requests at a time. */
export class Watch {
  readonly problems = new Set<string>();

  /** A stranger is an object that is not the program's, whatever its name; `onAnswer` looks at each request besides. */
  constructor(
    private readonly emulator: Emulator,
    private readonly isStranger: (id: string) => boolean = () => false,
    onAnswer: (entry: { method: string; path: string }) => void = () => undefined,
  ) {
    emulator.settings.onAnswer = (entry) => {
      onAnswer(entry);
      this.findDuplicates();
    };
  }

  /** Shares by name, tunnels by name and place: a tunnel that moves may be in two places for a while. */
  findDuplicates(): void {
    const living = ({ id, status }: { id: string; status: string }) =>
      !["DELETING", "DELETED"].includes(status) && !this.isStranger(id);
    const shares = this.emulator.shares().filter(living);
    const tunnels = this.emulator.tunnels().filter(living);
    for (const keys of [
      shares.map(({ name }) => `share ${name}`),
      tunnels.map(({ name, locationId }) => `tunnel ${name} at ${locationId ?? "no place"}`),
    ]) {
      for (const key of keys) {
        if (keys.filter((each) => each === key).length > 1) this.problems.add(`duplicate: ${key}`);
      }
    }
  }

  /** The most requests on the service that came within one second since the log was emptied. */
  peakPerSecond(): number {
    const times = this.emulator.requests.filter(({ path }) => !path.startsWith("/oauth")).map(({ at }) => at);
    return times.reduce(
      (most, at, index) => Math.max(most, times.slice(index).filter((later) => later < at + 1000).length),
      0,
    );
  }
}
