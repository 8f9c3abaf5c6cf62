import type { Emulator } from "../../emulator";
import { openService, type Service } from "../../provider/run/service";
import type { Clock } from "../../provider/time";
import { readConfig } from "../../provider/config";
import { type Send, unanswered } from "../../provider/http/send";
import type { RecordStore } from "../../provider/run/creation-records";
import type { VirtualClock } from "../provider/virtual-clock";
import type { Adapter, OpenAdapter } from "./program";
import { testSettings } from "../harness/things";

const killed = new Error("killed");

/** How long a provider whose engine is gone lives on. */
const orphanMs = 2_000;

const never = new Promise<never>(() => undefined);

/** Sends to an emulator in the same process, without sockets. An answer has the form in which the pool of connections returns it. */
export const sendTo =
  (emulator: Emulator): Send =>
  async (request) => {
    const { method, url, headers, body } = request;
    const answer = await emulator.ask(new Request(url, { method, headers, body: body ?? null }));
    if (!answer) throw unanswered(reset, request);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  };

const reset = Object.assign(new Error("cut"), { code: "ECONNRESET" });

/** What the engine has of a provider process. */
export type ProviderProcess = Pick<ModelProcess, "adapter" | "run" | "saved">;

/** One provider process with what is in its memory; a kill leaves everything it was doing unfinished for ever. */
export class ModelProcess {
  readonly adapter: Adapter;
  /** The lines that the provider has shown. */
  readonly said: string[] = [];
  private readonly service: Service;
  private isOrphaned = false;
  private isDead = false;
  private lose: (error: Error) => void = () => undefined;
  /** What the engine, if it lives, sees of a kill; if it does not, its run ends all the same. */
  private readonly gone = new Promise<never>((_, reject) => (this.lose = reject));

  constructor(
    emulator: Emulator,
    private readonly clock: VirtualClock,
    records: RecordStore,
    open: OpenAdapter,
    baseUrl = emulator.baseUrl,
  ) {
    this.gone.catch(() => undefined);
    const given: Record<string, string> = { ...testSettings(emulator), "frontdoor:baseUrl": baseUrl };
    const mortal: Clock = {
      now: clock.now,
      wall: clock.wall,
      random: clock.random,
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        return this.isDead ? never : undefined;
      },
    };
    const send = sendTo(emulator);
    const mortalSend: Send = async (request) => {
      if (this.isOver()) return never;
      const received = await clock.during(() => send(request).catch((error: unknown) => error as Error));
      if (this.isOver()) return never;
      if (received instanceof Error) throw received;
      return received;
    };
    const config = readConfig((key) => given[key], {});
    // The dead write no records either.
    const mortalRecords: RecordStore = {
      read: () => records.read(),
      write: (key, text) => {
        if (!this.isDead) records.write(key, text);
      },
      remove: (key) => {
        if (!this.isDead) records.remove(key);
      },
    };
    this.service = openService({
      config,
      clock: mortal,
      transport: { send: mortalSend, close: () => Promise.resolve() },
      say: (line) => {
        this.said.push(line);
      },
      records: mortalRecords,
    });
    this.adapter = open(this.service, (key) => given[key]);
  }

  /** A call as the engine sees it. @throws killed, or the call's own error. */
  run<T>(call: () => Promise<T>): Promise<T> {
    return Promise.race([this.gone, call()]);
  }

  /** The run has ended, and its engine ends the process in order. */
  saved(): void {
    if (!this.isDead && !this.isOrphaned) this.service.endRun();
  }

  /** A method, since a field is not expected to change between two looks at it. */
  private isOver(): boolean {
    return this.isDead;
  }

  /** Kills the engine, which the provider outlives for a while, or the provider alone. */
  kill(who: "engine" | "provider"): void {
    if (who === "engine") {
      this.isOrphaned = true;
      this.service.stop();
      void this.clock.sleep(orphanMs).then(() => (this.isDead = true));
    } else this.isDead = true;
    this.lose(killed);
  }

  /** Nothing of it goes on, whatever it was doing. */
  end(): void {
    this.isDead = true;
  }
}
