import { type Emulator, startEmulator } from "../../emulator";
import { FrontdoorError } from "../../provider/errors";
import type { Send } from "../../provider/http/send";
import type { VirtualClock } from "../../tests/provider/virtual-clock";

/** When nobody reaches it. It begins with half a minute in which all is still done, and every second answer is lost. */
export interface Outage {
  fromMs: number;
  toMs: number;
}

export interface Service {
  /** What it lets through in any second; above that it answers 429 with `Retry-After: 1`. Null for no limit. */
  limitPerSecond: number | null;
  /** From NEW to DEPLOYED, each time from 0.75 to 1.25 of it. */
  tunnelSeconds: number;
  shareSeconds: number;
  /** There and back; each request takes from half of it to one and a half. */
  roundTripMs: number;
}

const losingMs = 30_000;

/** One front door: the emulator without a connection, by the simulation's clock. */
export class FrontDoor {
  /** Requests that arrived, by the second of their arrival. */
  readonly perSecond: number[] = [];
  refused = 0;
  /** Writes that were done while nobody learned of it. */
  lostWrites = 0;
  private askedAtMs: number;

  private constructor(
    readonly id: string,
    readonly emulator: Emulator,
    private readonly service: Service,
    private readonly outages: Outage[],
    private readonly clock: VirtualClock,
  ) {
    this.askedAtMs = clock.now();
  }

  static async open(id: string, service: Service, outages: Outage[], clock: VirtualClock): Promise<FrontDoor> {
    const emulator = await startEmulator({ frontdoorId: id, frozenAtMs: clock.wall(), requestLogLimit: 1 });
    if (service.limitPerSecond !== null)
      emulator.faults.add({ fault: "limit", perSecond: service.limitPerSecond, retryAfter: "1" });
    return new FrontDoor(id, emulator, service, outages, clock);
  }

  /** As the provider's transport sends. */
  send: Send = async ({ method, url, headers, body, label }) => {
    await this.travel();
    if (this.isDown(losingMs)) throw unreachable(`${label}: connection refused`, false);
    const answer = await this.clock.during(async () => {
      this.emulator.clock.advance(this.clock.now() - this.askedAtMs);
      this.askedAtMs = this.clock.now();
      this.count();
      // Its own chance is not the seed's.
      const { tunnelSeconds, shareSeconds } = this.service;
      const ms = 1000 * (0.75 + this.clock.random() / 2);
      this.emulator.settings.provisionMs = { tunnel: tunnelSeconds * ms, share: shareSeconds * ms };
      const response = await this.emulator.ask(new Request(url, { method, headers, body: body ?? null }));
      if (!response) throw unreachable(`${label}: cut`, true);
      const { status } = response;
      return { status, headers: Object.fromEntries(response.headers), text: await response.text() };
    });
    if (answer.status === 429) this.refused += 1;
    await this.travel();
    if (!this.isDown() || (!this.isDown(losingMs) && this.clock.random() < 0.5)) return answer;
    if (method !== "GET" && answer.status === 202) this.lostWrites += 1;
    throw unreachable(`${label}: connection reset`, true);
  };

  get requests(): number {
    return this.perSecond.reduce((sum, count) => sum + count, 0);
  }

  private count(): void {
    const second = Math.floor(this.clock.now() / 1000);
    this.perSecond[second] = (this.perSecond[second] ?? 0) + 1;
  }

  /** Whether an outage lasts so long already. */
  private isDown(sinceMs = 0): boolean {
    const now = this.clock.now();
    return this.outages.some(({ fromMs, toMs }) => now >= fromMs + sinceMs && now < toMs);
  }

  private travel(): Promise<void> {
    return this.clock.sleep((this.service.roundTripMs / 2) * (0.5 + this.clock.random()));
  }
}

const unreachable = (message: string, mayHaveRun: boolean) =>
  new FrontdoorError(message, { kind: "unreachable", mayHaveRun });
