import type { Outage, Service } from "./front-door";
import type { Shape } from "./site";

const minuteMs = 60_000;

/** What goes wrong, by the number of a front door. */
export const scenarios: Record<string, (frontDoor: number) => Outage[]> = {
  "nothing fails": () => [],
  "all front doors are away for 10 minutes": () => [{ fromMs: 15 * minuteMs, toMs: 25 * minuteMs }],
  "one front door after the other is away for 10 minutes": (frontDoor) => {
    const fromMs = 5 * minuteMs + (frontDoor * minuteMs) / 2;
    return [{ fromMs, toMs: fromMs + 10 * minuteMs }];
  },
};

/** Sites and the service as they are thought to be: the specification names no limit and no times. */
export const usual: Shape & Service = {
  shares: 4,
  ceilingPerSecond: 20,
  engineStartMs: 3_000,
  limitPerSecond: 20,
  tunnelSeconds: 120,
  shareSeconds: 20,
  roundTripMs: 50,
};
