import { PassThrough } from "node:stream";
import type { ConnectionLike } from "@temporalio/client";
import { Lease, type Watchdog } from "../src/lease";
import { runWatchdog } from "../src/watchdog";

const lostAfterSeconds = 60;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe("a lease", () => {
  /** A lease of a worker whose Temporal answers until `end`. */
  const leased = () => {
    let isSilent = false;
    let beats = 0;
    const answer = () => (isSilent ? Promise.reject(new Error("no answer")) : Promise.resolve({}));
    const connection = { withDeadline: answer } as unknown as ConnectionLike;
    const lease = new Lease(connection, { beat: () => (beats += 1) } as unknown as Watchdog);
    const cancellation = new AbortController();
    const ends = lease.interruption(lostAfterSeconds, cancellation.signal);
    const end = () => {
      isSilent = true;
    };
    const close = () => {
      ends.close();
      lease.close();
    };
    return { ends, cancellation, end, close, beats: () => beats };
  };

  it("ends no engine while Temporal answers, and tells the watch of each answer", async () => {
    const { ends, close, beats } = leased();
    await jest.advanceTimersByTimeAsync(10 * lostAfterSeconds * 1000);
    expect(ends.signal.aborted).toBe(false);
    expect(beats()).toBe(300);
    close();
  });

  it("ends an engine in order after half of the time in which Temporal has not answered", async () => {
    const { ends, end, close } = leased();
    await jest.advanceTimersByTimeAsync(10_000);
    end();
    await jest.advanceTimersByTimeAsync(30_000);
    expect(ends.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1000);
    expect(ends.signal.aborted).toBe(true);
    close();
  });

  it("ends an engine in order at once when its operation is cancelled", () => {
    const { ends, cancellation, close } = leased();
    cancellation.abort();
    expect(ends.signal.aborted).toBe(true);
    close();
  });
});

describe("the watch", () => {
  const watched = () => {
    const killed: number[] = [];
    const lines = new PassThrough();
    runWatchdog(lines, (pid) => killed.push(pid));
    return { killed, lines };
  };

  it("kills an engine after three quarters of its time without an answer, and no engine that has ended", async () => {
    const { killed, lines } = watched();
    lines.write(`+1 ${lostAfterSeconds}\n+2 ${2 * lostAfterSeconds}\n+3 ${lostAfterSeconds}\n-3\n`);
    await jest.advanceTimersByTimeAsync(30_000);
    lines.write("beat\n");
    await jest.advanceTimersByTimeAsync(45_000);
    expect(killed).toEqual([]);
    await jest.advanceTimersByTimeAsync(1000);
    expect(killed).toEqual([1]);
    await jest.advanceTimersByTimeAsync(45_000);
    expect(killed).toEqual([1, 2]);
    lines.end();
  });

  it("kills all engines when the worker ends", async () => {
    const { killed, lines } = watched();
    lines.end(`+1 ${lostAfterSeconds}\n+2 ${lostAfterSeconds}\n-1\n`);
    await jest.advanceTimersByTimeAsync(1);
    expect(killed).toEqual([2]);
  });
});
