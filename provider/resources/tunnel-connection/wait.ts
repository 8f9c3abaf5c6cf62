import { wireTunnelConfig } from "../../api/wire";
import type { WireTunnel } from "../../api/types";
import { failed, FrontdoorError, isConflict, isHidden, isMisfit, isRefused, isTransient } from "../../errors";
import type { TunnelConfigEntry } from "../../fields/types";
import { acceptUp, type SeenConnection } from "../../inventory/acceptors";
import { lastPollMs } from "../../inventory/poll";
import { type Acceptor, type Found, Poller } from "../../inventory/poller";
import { connectionDown, tunnelEnded, waitStopped } from "../../messages/messages";
import { find, type Subject } from "../../operations/find";
import type { Until } from "../../time/clock";

/** Returns the connection as the service shows it now, or undefined if the tunnel is proved to be gone. @throws FrontdoorError. */
export async function readConnection(
  subject: Subject<WireTunnel>,
  until: Until,
  isPoll?: true,
): Promise<SeenConnection | undefined> {
  const { kind, id } = subject;
  try {
    const call = { until, ...(isPoll && { isPoll }) };
    const { tunnels } = await kind.calls.below(id, "tunnel-config", wireTunnelConfig, call);
    return { status: "DEPLOYED", entries: tunnels ?? [] };
  } catch (error) {
    // The service refuses this read unless the tunnel is DEPLOYED (spec: Tunnel rule).
    if (!isConflict(error) && !isRefused(error, 404, 410, 422) && !isHidden(error)) throw error;
    const tunnel = await find(subject, until);
    if (tunnel && isHidden(error)) throw error;
    return tunnel && { status: tunnel.status, entries: [] };
  }
}

/** The status that the polls of a wait have shown. */
interface ShownStatus {
  /** The status that was shown last, and the time waited when it was shown first and last. */
  status: string;
  fromMs: number;
  toMs: number;
  /** The error of the last poll, if it can end the wait. */
  refusal?: Error | undefined;
}

/**
 * Waits until the connection is UP, and returns its entries. @throws FrontdoorError that says for how long the service has shown the last
 * status, or that the tunnel has ended.
 */
export async function awaitUp(subject: Subject<WireTunnel>, until: Until): Promise<TunnelConfigEntry[]> {
  const { kind, id, label } = subject;
  const { clock } = kind;
  const shown: ShownStatus = { status: "", fromMs: 0, toMs: 0 };
  const poll = async (): Promise<Found<SeenConnection>> => {
    const deadlineMs = Math.max(until.deadlineMs, clock.now() + lastPollMs);
    shown.refusal = undefined;
    try {
      return (await readConnection(subject, { ...until, deadlineMs }, true)) ?? "absent";
    } catch (error) {
      // The service contradicts itself about the tunnel, so the wait goes on.
      if ((error as FrontdoorError).code === "not-proved-gone") return "unlisted";
      if (!isTransient(error) || isMisfit(error)) shown.refusal = error as Error;
      throw error;
    }
  };
  const acceptor: Acceptor<SeenConnection, TunnelConfigEntry[]> = (seen, { waitedMs }) => {
    const status = seen?.entries[0]?.status ?? "";
    Object.assign(shown, { status, toMs: waitedMs, ...(status !== shown.status && { fromMs: waitedMs }) });
    return acceptUp(seen);
  };
  const poller = new Poller<SeenConnection>((asks) => {
    for (const { answer } of asks) answer(poll());
  }, clock);
  const ended = await poller.wait(id, acceptor, until);
  if (ended.now === "done") return ended.value;
  const timedOut = (message: string) => new FrontdoorError(message, { kind: "timed-out" });
  const { status, fromMs, toMs, refusal } = shown;
  if (until.signal?.aborted) throw timedOut(waitStopped(label, ended.reason));
  if (ended.why === "failed") throw refusal ?? failed(tunnelEnded(label, ended.reason));
  throw timedOut(connectionDown(label, ended.reason, status, toMs - fromMs));
}
