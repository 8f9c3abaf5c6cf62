import { createHmac } from "node:crypto";
import { isSafeAddress } from "../../provider/config";
import type { Send } from "../../provider/http/send";
import type { Clock } from "../../provider/time/clock";
import { Misuse } from "../outcome";
import type { Alert, Alerts } from "./alerts";

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

/** Delivers the alerts in order until the signal aborts. It tries each alert until the receiver takes it. */
export async function deliver(
  alerts: Pick<Alerts, "queue" | "delivered">,
  webhook: Webhook,
  { send, clock, say, signal }: { send: Send; clock: Clock; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  let tries = 0;
  while (!signal.aborted) {
    const [alert] = alerts.queue;
    const problem = alert && (await attempt(alert, webhook, send, clock));
    if (alert && problem === undefined) {
      // The queue may have dropped this alert meanwhile.
      if (alerts.queue[0] === alert) alerts.delivered();
      if (tries > 0) say("frontdoor: the webhook takes alerts again.");
      tries = 0;
      continue;
    }
    if (problem !== undefined && tries === 0)
      say(
        `frontdoor: the webhook ${problem}. The command keeps the alert and tries again. Check the receiver. [webhook-failed]`,
      );
    if (problem !== undefined) tries += 1;
    await clock.sleep(Math.min(longestPauseMs, 1000 * 2 ** Math.max(0, tries - 1)), signal);
  }
}

/** Sends once. Returns the problem, without the address: it can hold a secret. */
async function attempt(alert: Alert, { url, secret }: Webhook, send: Send, clock: Clock): Promise<string | undefined> {
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
    return status >= 200 && status < 300 ? undefined : `answered ${status}`;
  } catch {
    return "did not answer";
  }
}
