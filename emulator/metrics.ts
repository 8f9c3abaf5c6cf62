import { fingerprint } from "./new-tunnel";

/** Spec: window of tunnel metrics. */
export const tunnelWindows = ["30m", "1h", "1d", "7d"];

const points = 30;
const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of a window such as 15m; undefined for any other text. */
export function windowMs(window: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,3})([smhd])$/.exec(window) ?? [];
  return unit === undefined ? undefined : Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** Returns the traffic as samples of `timestamp`, `rx` and `tx`. */
export function samples({ series }: ReturnType<typeof metrics>): object {
  const valuesOf = (name: string) => series.find((each) => each.name === name)?.points ?? [];
  const sent = valuesOf("bytesOut");
  return {
    samples: valuesOf("bytesIn").map(({ timestamp, value }, index) => ({
      timestamp,
      rx: value,
      tx: sent[index]?.value,
    })),
  };
}

/** Returns plausible traffic, always the same for the same time. The spec does not show the form, so the emulator chooses it. */
export function metrics(id: string, window: string, spanMs: number, nowMs: number, sinceMs: number) {
  const stepMs = Math.ceil(spanMs / points);
  const end = Math.floor(nowMs / stepMs) * stepMs;
  const times = Array.from({ length: points }, (_, index) => end - (points - 1 - index) * stepMs);
  const series = (name: string, unit: string, level: number) => ({
    name,
    unit,
    points: times.map((time) => ({
      timestamp: new Date(time).toISOString(),
      value:
        time < sinceMs ? 0 : Math.round(level * load(`${id}/${name}`, time) * (unit === "bytes" ? stepMs / 1000 : 1)),
    })),
  });
  return {
    id,
    window,
    stepSeconds: stepMs / 1000,
    series: [
      series("bytesIn", "bytes", 40_000),
      series("bytesOut", "bytes", 90_000),
      series("activeConnections", "count", 12),
    ],
  };
}

/** Returns a load that is high by day and low by night, with variations. */
function load(key: string, time: number): number {
  const day = 0.6 - 0.4 * Math.cos((2 * Math.PI * time) / unitMs.d);
  return day * (0.7 + (0.6 * fingerprint(`${key}@${time}`).readUInt8(0)) / 255);
}
