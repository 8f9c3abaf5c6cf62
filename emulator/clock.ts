/** Time in ms since 1970: real time plus what it was advanced by, or standing still until advanced. */
export interface Clock {
  now(): number;
  advance(ms: number): void;
  /** Runs something once so much time has passed; not after a restart. */
  after(ms: number, run: () => void): void;
}

/** What of a clock outlives a restart. */
export interface ClockMemory {
  read(): number | undefined;
  write(value: number): void;
}

/** Real time shifted by a remembered offset; time never goes back across a restart. */
export function realClock(memory: ClockMemory): Clock {
  let offset = memory.read() ?? 0;
  const now = () => Date.now() + offset;
  const later = new Later();
  return {
    now,
    advance: (ms) => {
      offset += ms;
      memory.write(offset);
      later.run(now());
    },
    after: (ms, run) => {
      const at = now() + ms;
      later.add(at, run);
      // A timer may ring up to a millisecond before the time of day says so.
      setTimeout(() => {
        later.run(Math.max(now(), at));
      }, ms).unref();
    },
  };
}

/** Stands still at `startMs`, or where it stood at the last run if that is later. */
export function frozenClock(startMs: number, memory: ClockMemory): Clock {
  let now = Math.max(startMs, memory.read() ?? startMs);
  const later = new Later();
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
      memory.write(now);
      later.run(now);
    },
    after: (ms, run) => {
      later.add(now + ms, run);
    },
  };
}

/** What is to happen at later times. */
class Later {
  private due: { at: number; run: () => void }[] = [];

  add(at: number, run: () => void): void {
    this.due.push({ at, run });
  }

  run(now: number): void {
    const ready = this.due.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    this.due = this.due.filter(({ at }) => at > now);
    for (const { run } of ready) run();
  }
}
