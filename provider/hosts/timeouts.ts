const unitsMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of a duration as `customTimeouts` takes it (`"90s"`, `"1h30m"`); undefined where it is none. */
export function durationMs(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h)){1,7}$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * unitsMs[unit as keyof typeof unitsMs], 0);
}
