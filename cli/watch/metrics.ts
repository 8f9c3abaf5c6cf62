import { Counter, Gauge, Registry } from "prom-client";
import { safeText } from "../../provider/errors";
import type { Send } from "../../provider/http/send";
import type { Clock } from "../../provider/time";
import { type Alerts } from "./alerts";
import { keyOf, type Seen } from "./changes";
import type { Monitor } from "./monitor";

/** Counts the requests of the command. */
export class RequestCounts {
  readonly registry = new Registry();
  private readonly requests = new Counter({
    name: "frontdoor_requests_total",
    help: "Requests to the service.",
    registers: [this.registry],
  });
  private readonly errors = new Counter({
    name: "frontdoor_request_errors_total",
    help: "Requests without an answer (status none), or with a status of 300 or more.",
    labelNames: ["status"],
    registers: [this.registry],
  });

  /** Returns a sender that counts. */
  counting(send: Send): Send {
    return async (request) => {
      this.requests.inc();
      try {
        const answer = await send(request);
        if (answer.status >= 300) this.errors.inc({ status: answer.status });
        return answer;
      } catch (error) {
        this.errors.inc({ status: "none" });
        throw error;
      }
    };
  }
}

const labelsOf = ({ kind, id, name }: Seen) => ({ kind, id, name: safeText(name, 80) });

type Rows = [labels: Record<string, string>, value: number][];

/** Adds the metrics of the tunnels and shares, as they are at each scrape. */
export function addMetrics(
  registry: Registry,
  monitor: Monitor,
  clock: Clock,
  alerts: Pick<Alerts, "queue"> | undefined,
): void {
  const gauge = (name: string, help: string, labelNames: string[], rows: () => Rows) =>
    new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      collect() {
        this.reset();
        for (const [labels, value] of rows()) this.set(labels, value);
      },
    });
  const resource = ["kind", "id", "name"];
  const secondsSince = (ms: number) => (clock.now() - ms) / 1000;
  const connections = () => [...monitor.connections.values()].filter(({ status }) => status !== undefined);

  gauge("frontdoor_status", "1 for the present status of a tunnel or share.", [...resource, "status"], () =>
    monitor.seen.map((each) => [{ ...labelsOf(each), status: safeText(each.status, 30) }, 1]),
  );
  gauge(
    "frontdoor_status_age_seconds",
    "Time since the command first saw the present status of a tunnel or share.",
    resource,
    () => monitor.seen.map((each) => [labelsOf(each), secondsSince(each.sinceMs)]),
  );
  gauge(
    "frontdoor_deploy_seconds",
    "Last time from NEW to DEPLOYED that the command saw. It is accurate to the pause between two lists.",
    resource,
    () =>
      monitor.seen.flatMap((each) => {
        const seconds = monitor.deploySeconds.get(keyOf(each));
        return seconds === undefined ? [] : [[labelsOf(each), seconds] as [Record<string, string>, number]];
      }),
  );
  gauge("frontdoor_connection_up", "1 if the connection of a tunnel is UP, 0 if it is DOWN.", resource, () =>
    connections().map(({ tunnel, status }) => [labelsOf(tunnel), status === "UP" ? 1 : 0]),
  );
  gauge(
    "frontdoor_connection_age_seconds",
    "Time for which the connection of a tunnel has been UP or DOWN, as far as the command and its last run saw.",
    resource,
    () =>
      connections().map(({ tunnel, since }) => [
        labelsOf(tunnel),
        Math.max(0, clock.wall() - (since?.sinceMs ?? clock.wall())) / 1000,
      ]),
  );
  gauge("frontdoor_connection_read_timestamp_seconds", "Time of the last read of a connection.", resource, () =>
    connections().map(({ tunnel, readAtMs }) => [labelsOf(tunnel), readAtMs / 1000]),
  );
  gauge("frontdoor_list_timestamp_seconds", "Time of the last read of the lists.", [], () =>
    monitor.listedAtMs === undefined ? [] : [[{}, monitor.listedAtMs / 1000]],
  );
  if (alerts)
    gauge("frontdoor_alerts_waiting", "Alerts that the webhook has not taken yet.", [], () => [
      [{}, alerts.queue.length],
    ]);
}
