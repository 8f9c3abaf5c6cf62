const unitSeconds = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3_600 } as const;

/** Returns the seconds of a duration as `customTimeouts` takes it (`"90s"`, `"1h30m"`), or undefined for any other value. */
export function durationSeconds(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h)){1,7}$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * unitSeconds[unit as keyof typeof unitSeconds],
    0,
  );
}
