import * as z from "zod";
import type { Collection } from "../api/collection";
import { wireTunnelConfig } from "../api/tunnels";
import type { WireTunnel } from "../api/types";
import { movingFields, type TunnelConfig } from "../fields/tunnel-config";
import type { Clock, Until } from "../time/clock";
import { persist } from "../time/persist";
import { isRefused, isTransient } from "../errors";
import { pauseAfter } from "../time/ticks";
import { settledMs } from "./judge";
import { differInStampsOnly } from "./time-stamps";

const moving = new Set<string>(movingFields);

/** How long transient trouble is borne here, beyond what each call bears by itself. */
const troubleMs = 300_000;

/** Reads what a tunnel has once it is DEPLOYED; right after that some replica may still refuse. @throws FrontdoorError. */
const onceDeployed = <T>(read: () => Promise<T>, clock: Clock, until: Until): Promise<T> =>
  persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      const patienceMs = isRefused(error, 400, 404, 409) ? settledMs : isTransient(error) ? troubleMs : 0;
      return waitedMs < patienceMs ? pauseAfter(waitedMs, clock.random()) : undefined;
    },
    read,
  );

/** The stable details of a deployed tunnel's connection (spec: GET tunnel-config). @throws FrontdoorError. */
export async function readTunnelConfig(
  calls: Collection<WireTunnel>,
  id: string,
  clock: Clock,
  until: Until,
): Promise<TunnelConfig> {
  const config = await onceDeployed(() => calls.below(id, "tunnel-config", wireTunnelConfig, { until }), clock, until);
  const entries = Object.entries(config.tunnels?.[0] ?? {});
  return Object.fromEntries(entries.filter(([key]) => !moving.has(key)));
}

/**
 * The generated configuration for the remote site, secret (spec: GET sample-config), as the service shows it; the old text where
 * nothing but the time of its making has moved. @throws FrontdoorError.
 */
export async function readSample(
  calls: Collection<WireTunnel>,
  id: string,
  old: string,
  clock: Clock,
  until: Until,
): Promise<string> {
  const text = await onceDeployed(
    () => calls.below(id, "sample-config", z.string(), { until, accept: "text/plain" }),
    clock,
    until,
  );
  return differInStampsOnly(text, old) ? old : text;
}
