import * as z from "zod";
import { wireTunnelConfig } from "../../api/wire";
import type { WireTunnel } from "../../api/types";
import type { Kind } from "../../service";
import { movingFields } from "../../fields/tunnel-config";
import type { TunnelConfig } from "../../fields/types";
import type { Clock, Until } from "../../time/clock";
import { persist } from "../../time/persist";
import { isHidden, isMisfit, isRefused, isTransient } from "../../errors";
import { pauseAfter } from "../../time/ticks";
import { consistencyMs } from "../../inventory/acceptors";

const moving = new Set<string>(movingFields);

/** Reads details that exist once the tunnel is DEPLOYED. A replica may lack them for 30 s; transient trouble may last five minutes. @throws FrontdoorError. */
const onceDeployed = <T>(clock: Clock, until: Until, read: () => Promise<T>): Promise<T> =>
  persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      const isEarly = error === undefined || isRefused(error, 400, 404, 409) || isHidden(error);
      const limitMs = isEarly ? consistencyMs : isTransient(error) && !isMisfit(error) ? 300_000 : 0;
      return waitedMs < limitMs ? pauseAfter(waitedMs, clock.random()) : undefined;
    },
    read,
  );

/**
 * Returns the stable details of the VPN connection and, if wanted, the sample configuration, which is secret (spec: GET tunnel-config,
 * GET sample-config). @throws FrontdoorError.
 */
export async function detailsOf(
  { calls, clock }: Kind<WireTunnel>,
  id: string,
  isSampleWanted: boolean,
  until: Until,
): Promise<{ tunnelConfig: TunnelConfig; sampleConfig?: string }> {
  const entry = await onceDeployed(clock, until, async () => {
    const { tunnels } = await calls.below(id, "tunnel-config", wireTunnelConfig, { until });
    return tunnels?.[0];
  });
  const tunnelConfig = Object.fromEntries(Object.entries(entry ?? {}).filter(([key]) => !moving.has(key)));
  if (!isSampleWanted) return { tunnelConfig };
  const call = { until, accept: "text/plain" } as const;
  const text = await onceDeployed(clock, until, () => calls.below(id, "sample-config", z.string(), call));
  return { tunnelConfig, sampleConfig: text };
}
