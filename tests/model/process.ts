import type { Emulator } from "../../emulator";
import { readConfig } from "../../provider/config";
import { type Send, unanswered } from "../../provider/http/send";
import type { RecordStore } from "../../provider/run/creation-records";
import { openService, type Service } from "../../provider/run/service";
import type { Clock } from "../../provider/time";
import type { Adapter, OpenAdapter } from "./program";

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

/** The machine of a provider process, and the service that the process asks. */
export interface Machine {
  clock: Clock;
  records: RecordStore;
  settings: Readonly<Record<string, string>>;
  send: (process: ModelProcess) => Send;
  open: OpenAdapter;
  /** The lines that the provider has shown. */
  said: string[];
}

/** One provider process with its memory. After a kill, nothing that it was doing ever ends. */
export class ModelProcess {
  readonly adapter: Adapter;
  readonly service: Service;
  private isOrphaned = false;
  private isDead = false;
  private lose: (error: Error) => void = () => undefined;
  /** Rejects at a kill: a living engine sees it, and the run of a killed one ends too. */
  private readonly gone = new Promise<never>((_, reject) => (this.lose = reject));

  constructor(private readonly machine: Machine) {
    this.gone.catch(() => undefined);
    const { clock, records, settings, open, said } = machine;
    const send = machine.send(this);
    const mortalSend: Send = async (request) => {
      if (this.isOver()) return never;
      const received = await send(request).catch((error: unknown) => error as Error);
      if (this.isOver()) return never;
      if (received instanceof Error) throw received;
      return received;
    };
    const mortalSleep: Clock["sleep"] = async (ms, signal) => {
      await clock.sleep(ms, signal);
      return this.isDead ? never : undefined;
    };
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
    const setting = (key: string) => settings[key];
    this.service = openService({
      config: readConfig(setting, {}),
      clock: { now: () => clock.now(), wall: () => clock.wall(), random: () => clock.random(), sleep: mortalSleep },
      transport: { send: mortalSend, close: () => Promise.resolve() },
      say: (line) => said.push(line),
      records: mortalRecords,
    });
    this.adapter = open(this.service, setting);
  }

  /** A call as the engine sees it. @throws killed, or the call's own error. */
  run<T>(call: () => Promise<T>): Promise<T> {
    return Promise.race([this.gone, call()]);
  }

  /** The run has ended, and its engine ends the process in order. */
  saved(): void {
    if (!this.isDead && !this.isOrphaned) this.service.endRun();
  }

  /** A method, because TypeScript assumes that a field does not change between two reads. */
  private isOver(): boolean {
    return this.isDead;
  }

  /** Kills the engine, which the provider outlives for a while, or the provider alone. */
  kill(who: "engine" | "provider"): void {
    if (who === "engine") {
      this.isOrphaned = true;
      this.service.stop();
      void this.machine.clock.sleep(orphanMs).then(() => (this.isDead = true));
    } else this.isDead = true;
    this.lose(killed);
  }

  /** Ends the process, whatever it was doing. */
  end(): void {
    this.isDead = true;
  }
}
