/** Time in ms since 1970: real time plus what it was advanced by, or standing still until advanced. */
export interface Clock {
  now(): number;
  advance(ms: number): void;
}

/** What of a clock outlives a restart. */
export interface ClockMemory {
  read(): number | undefined;
  write(value: number): void;
}

/** Real time shifted by a remembered offset; time never goes back across a restart. */
export function realClock(memory: ClockMemory): Clock {
  let offset = memory.read() ?? 0;
  return {
    now: () => Date.now() + offset,
    advance: (ms) => {
      offset += ms;
      memory.write(offset);
    },
  };
}

/** Stands still at `startMs`, or where it stood at the last run if that is later. */
export function frozenClock(startMs: number, memory: ClockMemory): Clock {
  let now = Math.max(startMs, memory.read() ?? startMs);
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
      memory.write(now);
    },
  };
}
