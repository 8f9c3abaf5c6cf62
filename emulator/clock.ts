/** A clock in ms since 1970. It runs as real time plus an offset, or stands still until someone advances it. */
export interface Clock {
  now(): number;
  advance(ms: number): void;
  /** Runs a function once this time has passed. A restart forgets the function. */
  after(ms: number, run: () => void): void;
}

/** The part of a clock that a restart keeps. */
export interface ClockMemory {
  read(): number | undefined;
  write(value: number): void;
}

/** Returns a clock of real time plus a remembered offset. Time never goes back, also across a restart. */
export function realClock(memory: ClockMemory): Clock {
  let offset = memory.read() ?? 0;
  const now = () => Date.now() + offset;
  const timers = new Timers();
  return {
    now,
    advance: (ms) => {
      offset += ms;
      memory.write(offset);
      timers.run(now());
    },
    after: (ms, run) => {
      const at = now() + ms;
      timers.add(at, run);
      // A timer may ring up to a millisecond before the time of day says so.
      setTimeout(() => {
        timers.run(Math.max(now(), at));
      }, ms).unref();
    },
  };
}

/** Returns a clock that stands still at `startMs`, or at the time of the last run if that is later. */
export function frozenClock(startMs: number, memory: ClockMemory): Clock {
  let now = Math.max(startMs, memory.read() ?? startMs);
  const timers = new Timers();
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
      memory.write(now);
      timers.run(now);
    },
    after: (ms, run) => {
      timers.add(now + ms, run);
    },
  };
}

/** Functions that run at a time of the emulator's clock. */
class Timers {
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
