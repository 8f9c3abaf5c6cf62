import { persist } from "../../../provider/time/persist";
import { VirtualClock } from "../virtual-clock";

describe("persist", () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock(() => undefined);
  });
  const until = (deadlineMs: number, signal?: AbortSignal) => ({ deadlineMs, ...(signal && { signal }) });

  it("tries until there is an answer, and tells its patience of each failure", async () => {
    const told: unknown[] = [];
    let tries = 0;
    const answer = await persist(
      clock,
      until(60_000),
      (failure) => told.push(failure) * 1000,
      () => (++tries === 2 ? Promise.reject(new Error("no")) : Promise.resolve(tries === 3 ? "yes" : undefined)),
    );
    expect([answer, clock.now()]).toEqual(["yes", 3000]);
    expect(told).toEqual([
      { error: undefined, tries: 1, waitedMs: 0 },
      { error: new Error("no"), tries: 2, waitedMs: 1000 },
    ]);
  });

  it.each([
    ["throws what the last attempt threw", () => Promise.reject(new Error("no")), "no"],
    ["answers undefined where it threw nothing", () => Promise.resolve(undefined), undefined],
  ])("%s, when its patience is at an end", async (_what, attempt, message) => {
    const patience = jest.fn(({ tries }: { tries: number }) => Promise.resolve(tries < 3 ? 10 : undefined));
    const end = await persist<unknown>(clock, until(60_000), patience, attempt).catch(
      (error: unknown) => (error as Error).message,
    );
    expect([end, clock.now(), patience.mock.calls.length]).toEqual([message, 20, 3]);
  });

  it("tries a last time at the deadline", async () => {
    const atMs: number[] = [];
    const attempt = () => Promise.resolve(void atMs.push(clock.now()));
    await persist(clock, until(25), () => 10, attempt);
    expect(atMs).toEqual([0, 10, 20, 25]);
  });

  it("ends a pause and tries no more when it is stopped", async () => {
    const stopping = new AbortController();
    const attempt = jest.fn(() => Promise.reject(new Error("no")));
    const ended = persist(clock, until(60_000, stopping.signal), () => 1000, attempt);
    void clock.sleep(1500).then(() => {
      stopping.abort();
    });
    await expect(ended).rejects.toThrow("no");
    expect([clock.now(), attempt.mock.calls.length]).toEqual([1500, 2]);
  });
});
