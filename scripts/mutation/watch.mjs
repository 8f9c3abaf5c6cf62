import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { clearInterval, setInterval } from "node:timers";

/** What the first run has counted, for the other processes: each works in the same copy of the project. */
const countsFile = "usual-sleeps.json";
const never = new Promise(() => undefined);
const tickMs = 500;
const idleCpuMicros = 20_000;
const idleTicks = 5;

/** Ends a test that would go on for ever: it sleeps far more often than without a mutant, or nothing happens any more. */
export class Watch {
  /** How often each test sleeps without a mutant. */
  #usual = existsSync(countsFile) ? JSON.parse(readFileSync(countsFile, "utf8")) : {};
  #runs = 0;
  #sleeps = 0;
  #id = undefined;
  #end = () => undefined;

  begin(id) {
    this.#id = id;
    this.#sleeps = 0;
  }

  note(id) {
    this.#usual[id] = this.#sleeps;
  }

  save() {
    writeFileSync(countsFile, JSON.stringify(this.#usual));
  }

  /** What earlier runs have left sleeps for ever from now on. */
  nextRun() {
    this.#runs += 1;
  }

  guardClock(clockClass) {
    const { prototype } = clockClass;
    const { sleep } = prototype;
    const runs = new WeakMap();
    const watch = this;
    prototype.sleep = function (ms, signal) {
      if (!runs.has(this)) runs.set(this, watch.#runs);
      if (runs.get(this) !== watch.#runs) return never;
      watch.#sleeps += 1;
      if (watch.#sleeps <= watch.#limit()) return sleep.call(this, ms, signal);
      watch.#end(new Error("hung: sleeps without an end"));
      return never;
    };
  }

  #limit() {
    const usual = this.#usual[this.#id];
    return usual === undefined ? Infinity : 5 * usual + 2_000;
  }

  /** What the work comes to. @throws if it hangs. */
  async during(work) {
    const hung = new Promise((_, reject) => (this.#end = reject));
    let cpu = process.cpuUsage();
    let idle = 0;
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(cpu);
      idle = user + system < idleCpuMicros ? idle + 1 : 0;
      cpu = process.cpuUsage();
      if (idle >= idleTicks) this.#end(new Error("hung: nothing happens"));
    }, tickMs);
    try {
      return await Promise.race([work(), hung]);
    } finally {
      clearInterval(timer);
    }
  }
}
