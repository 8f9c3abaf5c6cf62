import { type Seen, gone, keyOf } from "./changes";
import { createHmac, randomUUID } from "node:crypto";
import * as z from "zod";
import { isFailed } from "../../provider/api/wire";
import { isSafeAddress } from "../../provider/config";
import { safeText } from "../../provider/errors";
import type { Send } from "../../provider/http/send";
import type { Clock } from "../../provider/time";
import { Misuse } from "../outcome";
import type { KnownConnection } from "./monitor";

/** A connection is flapping if it goes DOWN so often within this time. */
const flaps = { times: 3, withinMs: 30 * 60_000 };
/** If the receiver is away for long, the oldest alerts are dropped. */
const mostQueued = 1_000;

/** The JSON body of the webhook. */
const alert = z.object({
  /** The same at each delivery of this alert. */
  id: z.string(),
  at: z.string(),
  event: z.enum(["DOWN", "UP", "ERROR", "DEPLOYED", "FLAPPING", "GONE"]),
  frontdoorId: z.string(),
  kind: z.enum(["tunnel", "share"]),
  resourceId: z.string(),
  name: z.string(),
  text: z.string(),
});
export type Alert = z.output<typeof alert>;

/** The knowledge of the receiver about one tunnel or share. */
const reported = z.object({
  /** The name at the alert. A file of an earlier version has none. */
  name: z.string().optional(),
  /** True from an alert of ERROR until one of DEPLOYED. */
  isError: z.boolean(),
  isDown: z.boolean(),
  isFlapping: z.boolean(),
  /** The times of the last changes to DOWN. Wall-clock milliseconds. */
  downsMs: z.array(z.number()),
  /** The time of the last change of the connection. */
  changedMs: z.number(),
  /** The time of the read that first showed the connection DOWN, if the receiver does not know it yet. */
  untoldSinceMs: z.number().optional(),
});
type Reported = z.output<typeof reported>;

const state = z.object({ reported: z.record(z.string(), reported), queue: z.array(alert) });

/** The file of the alerts. */
export interface AlertFile {
  read(): string | undefined;
  write(text: string): void;
}

const isThere = ({ status }: Seen) => status !== "DELETED" && status !== gone;

/** Decides which alerts are due. The knowledge of the receiver and the queue survive a restart. */
export class Alerts {
  /** The alerts that wait for delivery, the oldest first. */
  readonly queue: Alert[];
  private readonly reported: Map<string, Reported>;

  /** @throws an error if the file holds something else. */
  constructor(
    private readonly frontdoorId: string,
    private readonly file: AlertFile,
    private readonly wall: () => number,
    /** A shorter DOWN is normal, for example while the service is maintained. */
    private readonly downAfterMs: number,
  ) {
    const text = file.read();
    const before = text === undefined ? { reported: {}, queue: [] } : state.parse(JSON.parse(text));
    this.queue = before.queue;
    this.reported = new Map(Object.entries(before.reported));
  }

  /**
   * Alerts once for each status that becomes ERROR, and once when it is DEPLOYED again: until then the service tries again. A resource
   * that is gone closes its open alert. Only a whole list shows that a resource is missing.
   */
  listed(seen: Seen[], isWhole: boolean): void {
    let isChanged = false;
    for (const each of seen.filter(isThere)) {
      const known = this.knownOf(each);
      const isError = isFailed(each) || (known.isError && each.status !== "DEPLOYED");
      if (known.isError === isError) continue;
      this.note(each, { ...known, isError });
      this.add(isError ? "ERROR" : "DEPLOYED", each, "");
      isChanged = true;
    }
    const there = new Set(seen.filter(isThere).map(keyOf));
    const deleted = new Set(seen.filter((each) => !isThere(each)).map(keyOf));
    for (const key of [...this.reported.keys()])
      if (deleted.has(key) || (isWhole && !there.has(key))) {
        this.close(key);
        isChanged = true;
      }
    if (isChanged) this.save();
  }

  /** Forgets a resource that is gone, and closes its alert if one is open. */
  private close(key: string): void {
    const { name, isError, isDown, isFlapping, untoldSinceMs } = this.reported.get(key) ?? {};
    this.reported.delete(key);
    const [, kind, id = ""] = /^(tunnel|share) (.*)$/s.exec(key) ?? [];
    if (!kind || (!isError && !(isDown && untoldSinceMs === undefined) && !isFlapping)) return;
    this.add("GONE", { kind: kind as Seen["kind"], id, name: name ?? id }, "");
  }

  /** Alerts once for each change of a connection that lasts, and once for all while it is flapping. */
  connected({ tunnel, status, message }: Pick<KnownConnection, "tunnel" | "status" | "message">): void {
    const known = this.knownOf(tunnel);
    const now = this.wall();
    const isDown = status === "DOWN";
    const downsMs = known.downsMs.filter((ms) => ms > now - flaps.withinMs);
    if (isDown !== known.isDown) {
      if (isDown) downsMs.push(now);
      const isFlapping = known.isFlapping || downsMs.length >= flaps.times;
      const waits = isDown && !isFlapping && this.downAfterMs > 0;
      const isUntold = waits || (!isFlapping && known.untoldSinceMs !== undefined);
      if (!known.isFlapping && !isUntold) this.add(isFlapping ? "FLAPPING" : status, tunnel, message);
      const untoldSinceMs = waits ? now : undefined;
      const lastDownsMs = downsMs.slice(-flaps.times);
      this.note(tunnel, { ...known, isDown, isFlapping, downsMs: lastDownsMs, changedMs: now, untoldSinceMs });
    } else if (known.untoldSinceMs !== undefined && known.untoldSinceMs <= now - this.downAfterMs) {
      this.add(status, tunnel, message);
      this.note(tunnel, { ...known, downsMs, untoldSinceMs: undefined });
    } else if (known.isFlapping && known.changedMs <= now - flaps.withinMs) {
      this.add(status, tunnel, message);
      this.note(tunnel, { ...known, isFlapping: false, downsMs: [] });
    } else if (downsMs.length < known.downsMs.length) this.note(tunnel, { ...known, downsMs });
    else return;
    this.save();
  }

  /** Removes the oldest alert, which was delivered or refused. */
  done(): void {
    this.queue.shift();
    this.save();
  }

  private knownOf(each: Seen): Reported {
    return (
      this.reported.get(keyOf(each)) ?? { isError: false, isDown: false, isFlapping: false, downsMs: [], changedMs: 0 }
    );
  }

  /** Remembers this, unless it is the same as for a resource that no alert was about. */
  private note(each: Seen, known: Reported): void {
    const { isError, isDown, isFlapping, downsMs } = known;
    const { name } = each;
    if (isError || isDown || isFlapping || downsMs.length > 0) this.reported.set(keyOf(each), { ...known, name });
    else this.reported.delete(keyOf(each));
  }

  private add(event: Alert["event"], of: Pick<Seen, "kind" | "id" | "name">, message: string): void {
    const { kind, id: resourceId, name } = of;
    const { frontdoorId } = this;
    const words = `${kind} ${safeText(name, 80)} (${resourceId}) of front door ${frontdoorId} is ${event}`;
    const text = message === "" ? words : `${words}: ${message}`;
    const at = new Date(this.wall()).toISOString();
    this.queue.push({ id: randomUUID(), at, event, frontdoorId, kind, resourceId, name: safeText(name, 80), text });
    this.queue.splice(0, this.queue.length - mostQueued);
  }

  private save(): void {
    this.file.write(JSON.stringify({ reported: Object.fromEntries(this.reported), queue: this.queue }));
  }
}

const timeoutMs = 10_000;
const longestPauseMs = 60_000;

/** The receiver of the alerts. */
export interface Webhook {
  url: string;
  secret: string;
}

/** Returns the receiver. @throws Misuse if the address or the secret cannot be used. */
export function webhookOf(text: string, { FRONTDOOR_WEBHOOK_SECRET: secret }: NodeJS.ProcessEnv): Webhook {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !isSafeAddress(url))
    throw new Misuse(
      "--webhook must begin with https:// (plain http only to a loopback address such as http://127.0.0.1:8080). [invalid-option]",
    );
  if (!secret)
    throw new Misuse(
      "--webhook needs a secret that signs the alerts. Set FRONTDOOR_WEBHOOK_SECRET. [webhook-secret-missing]",
    );
  return { url: url.href, secret };
}

/** Refusals of every alert: the receiver's address or secret is wrong, or it is busy. */
const ofReceiver = [401, 403, 404, 408, 425, 429];
/** An alert that is refused so often blocks the later ones no longer. */
const mostRefusals = 5;

/** Delivers the alerts in order until the signal aborts. It tries each alert until the receiver takes it, or has refused it five times. */
export async function deliver(
  alerts: Pick<Alerts, "queue" | "done">,
  webhook: Webhook,
  { send, clock, say, signal }: { send: Send; clock: Clock; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  let tries = 0;
  let refusals = 0;
  while (!signal.aborted) {
    const [alert] = alerts.queue;
    const problem = alert && (await attempt(alert, webhook, send, clock));
    const { status = 0 } = problem ?? {};
    const isRefused = status >= 400 && status < 500 && !ofReceiver.includes(status);
    refusals = isRefused ? refusals + 1 : 0;
    if (alert && (problem === undefined || refusals === mostRefusals)) {
      // The queue may have dropped this alert meanwhile.
      if (alerts.queue[0] === alert) alerts.done();
      if (problem)
        say(
          `frontdoor: the webhook ${problem.says} ${mostRefusals} times, so it never gets this alert: ${alert.text}. Check the receiver. [webhook-failed]`,
        );
      else if (tries > 0) say("frontdoor: the webhook takes alerts again.");
      tries = 0;
      refusals = 0;
      continue;
    }
    if (problem !== undefined && tries === 0)
      say(
        `frontdoor: the webhook ${problem.says}. The command keeps the alert and tries again. Check the receiver. [webhook-failed]`,
      );
    if (problem !== undefined) tries += 1;
    await clock.sleep(Math.min(longestPauseMs, 1000 * 2 ** Math.max(0, tries - 1)), signal);
  }
}

interface Problem {
  says: string;
  status?: number;
}

/** Sends once. Returns the problem, without the address: it can hold a secret. */
async function attempt(alert: Alert, { url, secret }: Webhook, send: Send, clock: Clock): Promise<Problem | undefined> {
  const body = JSON.stringify(alert);
  const timestamp = String(Math.floor(clock.wall() / 1000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-frontdoor-timestamp": timestamp,
    "x-frontdoor-signature": `sha256=${signature}`,
  };
  try {
    const { status } = await send({ method: "POST", url, headers, body, timeoutMs, label: "POST webhook" });
    return status >= 200 && status < 300 ? undefined : { says: `answered ${status}`, status };
  } catch {
    return { says: "did not answer" };
  }
}
