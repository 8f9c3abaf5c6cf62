import { fingerprint } from "./new-tunnel";

/** Spec: window of tunnel metrics. */
export const tunnelWindows = ["30m", "1h", "1d", "7d"];

const points = 30;
const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a window such as 15m; undefined if it is none. */
export function windowMs(window: string): number | undefined {
  const [, count, unit] = /^([1-9][0-9]{0,3})([smhd])$/.exec(window) ?? [];
  return unit === undefined ? undefined : Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** Plausible traffic, the same each time one instant is asked for; the layout is the emulator's own ("not shown"). */
export function metrics(id: string, window: string, spanMs: number, nowMs: number, sinceMs: number): object {
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

/** Busy by day, quiet by night, never even. */
function load(key: string, time: number): number {
  const day = 0.6 - 0.4 * Math.cos((2 * Math.PI * time) / unitMs.d);
  return day * (0.7 + (0.6 * fingerprint(`${key}@${time}`).readUInt8(0)) / 255);
}
