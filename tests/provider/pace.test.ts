import { getEventListeners } from "node:events";
import { type Emulator, startEmulator } from "../../emulator";
import { readConfig } from "../../provider/config";
import { type FrontdoorError, troubleOf } from "../../provider/errors";
import { RateLimiter, type QueuedRequest } from "../../provider/http/pace";
import { openPool, type Received } from "../../provider/http/send";
import { Resource } from "../../provider/lifecycle/lifecycle";
import { openService } from "../../provider/run/service";
import { tunnelLifecycle } from "../../provider/resources/tunnel";
import { systemClock } from "../../provider/time";
import { VirtualClock } from "../harness/virtual-clock";
import { memoryRecords, tunnelInputs } from "../harness/world";

/** The most that fell into any one second. */
const busiest = (atMs: number[]) => {
  const inOrder = [...atMs].sort((a, b) => a - b);
  let from = 0;
  return inOrder.reduce((most, at, index) => {
    while (at - (inOrder[from] ?? at) >= 1000) from += 1;
    return Math.max(most, index - from + 1);
  }, 0);
};

const late = { deadlineMs: Infinity };

const write = { label: "POST /x", isRead: false, until: late };

const read = { label: "GET /x", isRead: true, until: late };

const done = { status: 200, headers: {}, text: "" };

const tooFast = (retryAfterMs?: number) => ({
  status: 429,
  headers: retryAfterMs === undefined ? {} : { "retry-after": String(retryAfterMs / 1000) },
  text: "",
});

/** Sends as the client does. */
async function sendBy(limiter: RateLimiter, turn: QueuedRequest, send: () => Promise<Received>): Promise<Received> {
  await limiter.admit(turn);
  const received = await send();
  limiter.heed(received, turn.until);
  return received;
}

describe("pace", () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock(() => undefined);
  });
  /** When so many calls arrive, each of which takes so long on its way and is answered then. */
  const sendMany = async (limiter: RateLimiter, count: number, wayMs: () => number = () => 0) => {
    const atMs: number[] = [];
    const send = async () => {
      const ms = wayMs();
      if (ms > 0) await clock.sleep(ms);
      atMs.push(clock.now());
      return done;
    };
    await Promise.all(Array.from({ length: count }, () => sendBy(limiter, write, send)));
    return atMs;
  };
  /** The service asks for a pause. */
  const pausedFor = (limiter: RateLimiter, ms: number) => sendBy(limiter, write, () => Promise.resolve(tooFast(ms)));

  it.each([0.5, 1, 2.5, 5, 20, 100])("sends %d a second, and once half as many more", async (perSecond) => {
    const atMs = await sendMany(new RateLimiter(perSecond, clock), Math.max(60, 5 * perSecond));
    const burst = Math.max(1, perSecond / 2);
    for (const secondsOfAll of [1, 2, 4, 10])
      expect(atMs.filter((at) => at < secondsOfAll * 1000).length).toBeLessThanOrEqual(
        burst + secondsOfAll * perSecond,
      );
    expect(clock.now()).toBeLessThanOrEqual((atMs.length / perSecond) * 1050);
  });

  it("lets none through in a pause, and no burst after it", async () => {
    const limiter = new RateLimiter(5, clock);
    await pausedFor(limiter, 10_000);
    const atMs = await sendMany(limiter, 30);
    expect(Math.min(...atMs)).toBeGreaterThanOrEqual(10_000);
    expect(busiest(atMs)).toBe(5);
  });

  it("sends nothing that waits once it is stopped, and leaves no timer behind", async () => {
    const limiter = new RateLimiter(20, clock);
    const stop = new AbortController();
    void clock.sleep(2000).then(() => {
      stop.abort();
    });
    const ends = await Promise.allSettled(
      Array.from({ length: 200 }, () =>
        sendBy(limiter, { ...write, until: { ...late, signal: stop.signal } }, () => Promise.resolve(done)),
      ),
    );
    const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
    expect(clock.now()).toBe(2000);
    expect(errors.length).toBeGreaterThanOrEqual(150);
    expect(new Set(errors.map((error) => (error as { code?: string }).code))).toEqual(new Set(["stopped"]));
    expect(troubleOf(errors[0])).toEqual({ kind: "unreachable", mayHaveRun: false });
    const stopped = { ...read, until: { ...late, signal: stop.signal } };
    await expect(sendBy(limiter, stopped, () => Promise.resolve(done))).rejects.toThrow("stopped");
    await sendMany(limiter, 1);
    expect(clock.now()).toBeLessThanOrEqual(3000);
  });

  it("sends no write after its deadline, but a read: it can end a wait", async () => {
    const limiter = new RateLimiter(1, clock);
    const ends = [write, write, write, read, read].map((turn) =>
      sendBy(limiter, { ...turn, until: { deadlineMs: 1500 } }, () => Promise.resolve(done)).then(
        () => "sent",
        (error: unknown) => [(error as FrontdoorError).code, troubleOf(error)],
      ),
    );
    const notSent = ["not-sent", { kind: "unreachable", mayHaveRun: false }];
    expect(await Promise.all(ends)).toEqual(["sent", "sent", notSent, "sent", "sent"]);
    expect(clock.now()).toBe(3000);
  });
});

const hourMs = 3_600_000;

test("a sleep is woken by its signal, and has no timer then", async () => {
  const waker = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
  const before = timers();
  const slept = systemClock.sleep(hourMs, waker.signal);
  expect(timers()).toBe(before + 1);
  waker.abort("woken");
  await slept;
  expect(timers()).toBe(before);
  expect(getEventListeners(waker.signal, "abort")).toEqual([]);
  await systemClock.sleep(hourMs, waker.signal);
});

/** A service of its own, and whether its connections are closed. */
function opened(emulator: Emulator, frontdoorId: string) {
  const environment = { FRONTDOOR_BASE_URL: emulator.baseUrl, FRONTDOOR_TOKEN: emulator.token };
  const config = readConfig(() => undefined, { ...environment, FRONTDOOR_ID: frontdoorId });
  const pool = openPool();
  const close = jest.fn(pool.close);
  const transport = { send: pool.send, close };
  const service = openService({
    config,
    clock: systemClock,
    transport,
    say: () => undefined,
    records: memoryRecords(),
  });
  return { service, close, tunnels: new Resource(tunnelLifecycle(service), service) };
}

/** What keeps this process alive: timers, and connections (those that the servers here have accepted included). */
const timers = () => process.getActiveResourcesInfo().filter((what) => what === "Timeout").length;

const connections = () => process.getActiveResourcesInfo().filter((what) => /^(TCPSocket|TLS)/.test(what)).length;

/** Waits for it, for five seconds at most. */
async function eventually(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await systemClock.sleep(10);
}

describe("two services in one process", () => {
  const emulators: Emulator[] = [];
  afterAll(() => Promise.all(emulators.map((emulator) => emulator.close())));

  it("work side by side, each by its own configuration, and hold nothing once they are closed", async () => {
    for (const settings of [{}, { token: "another-token", frontdoorId: "fd-2" }])
      emulators.push(await startEmulator({ provisionMs: 0, ...settings }));
    const [before, others] = [timers(), connections()];
    const [one, other] = emulators.map((emulator) => opened(emulator, emulator.frontdoorId));
    if (!one || !other) throw new Error("two are opened");
    const made = await Promise.all([
      one.tunnels.create({ inputs: tunnelInputs }),
      other.tunnels.create({ inputs: { ...tunnelInputs, frontdoorId: "fd-2" } }),
    ]);
    expect(made.map(({ outputs }) => [outputs.frontdoorId, outputs.status])).toEqual([
      ["fd-1", "DEPLOYED"],
      ["fd-2", "DEPLOYED"],
    ]);
    for (const { requests } of emulators) expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);

    await one.service.close();
    expect(connections()).toBeGreaterThan(others);
    expect([one.close, other.close].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    await expect(one.tunnels.read({ id: "tnl-1", state: made[0].outputs })).rejects.toMatchObject({
      message: expect.stringContaining("[closed]") as string,
      trouble: { kind: "failed" },
    });
    expect(await other.tunnels.read({ id: made[1].id, state: made[1].outputs })).toMatchObject({
      outputs: { status: "DEPLOYED" },
    });

    await other.service.close();
    await eventually(() => connections() === others && timers() <= before);
    expect(connections()).toBe(others);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
