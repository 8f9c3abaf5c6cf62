import { getEventListeners } from "node:events";
import { systemClock } from "../../provider/time";
import { type Poll, Poller } from "../../provider/waiting/poller";
import { acceptDeployed } from "../../provider/waiting/acceptors";
import { Random } from "../harness/random";
import { VirtualClock } from "./virtual-clock";
import { type Emulator, startEmulator } from "../../emulator";
import { readConfig } from "../../provider/config";
import { openPool } from "../../provider/http/send";
import { tunnelLifecycle } from "../../provider/resources/tunnel";
import { Resource } from "../../provider/lifecycle/lifecycle";
import { openService } from "../../provider/operations/service";
import { memoryRecords, tunnelInputs } from "./world";

const hourMs = 3_600_000;

test("a sleep that ends with its time leaves nothing on its signal", async () => {
  const { signal } = new AbortController();
  const startedMs = performance.now();
  await systemClock.sleep(20, signal);
  expect(performance.now() - startedMs).toBeGreaterThan(18);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

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

test("a sleep needs no signal", async () => {
  await expect(systemClock.sleep(1)).resolves.toBeUndefined();
});

const random = new Random(7);

const between = (least: number, most: number) => least + random.next() * (most - least);

const around = (middle: number) => between(0.9 * middle, 1.1 * middle);

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

/** One process and its polls. */
function newPoller() {
  const clock = new VirtualClock(() => undefined, random.upTo(2 ** 32 - 1));
  const readyMs = new Map<string, number>();
  const polledMs: number[] = [];
  const poll: Poll<{ status: string }> = (asks) => {
    polledMs.push(clock.now());
    for (const { question, answer } of asks)
      answer({ status: clock.now() >= (readyMs.get(question.id) ?? 0) ? "DEPLOYED" : "NEW" });
  };
  const poller = new Poller(poll, clock);
  const wait = (atMs: number) => {
    const id = `shr-${readyMs.size}`;
    readyMs.set(id, atMs);
    return poller.wait(id, acceptDeployed, { deadlineMs: clock.now() + 3_600_000 }, "create");
  };
  return { clock, wait, polledMs };
}

/** Waits for many operations, each begun some time after the one before it; how late each is found, and after how many polls. */
async function waitTogether(secondsOfEach: number[], apartMs = 1, { clock, wait, polledMs } = newPoller()) {
  const before = polledMs.length;
  const found = await Promise.all(
    secondsOfEach.map(async (seconds, n) => {
      await clock.sleep(n * apartMs);
      const endMs = clock.now() + seconds * 1000;
      await wait(endMs);
      return { seconds, lag: (clock.now() - endMs) / 1000 };
    }),
  );
  return { found, ticks: new Set(polledMs.slice(before)).size };
}

describe.each([1, 20, 100])("%d operations at once", (count) => {
  const many = (secondsOf: () => number) => Array.from({ length: count }, secondsOf);

  it.each([
    ["120 s each", () => 120, 45],
    ["120 s, ±10 %", () => around(120), 50],
    ["900 s each", () => 900, 100],
    ["120 to 900 s", () => between(120, 900), 110],
  ])("are found after few polls: %s", async (_name, secondsOf, most) => {
    const { ticks, found } = await waitTogether(many(secondsOf));
    expect(ticks).toBeLessThanOrEqual(most);
    const shares = found.map(({ lag, seconds }) => lag / seconds);
    // Those that end together are found together: one lag of up to a pause.
    expect(quantile(shares, 0.5)).toBeLessThanOrEqual(0.11);
  });

  it("of 3 to 20 s are found soon", async () => {
    const runs = await Promise.all(
      Array.from({ length: 1000 / count }, () => waitTogether(many(() => between(3, 20)))),
    );
    const lags = runs.flatMap(({ found }) => found.map(({ lag }) => lag));
    expect(quantile(lags, 0.5)).toBeLessThanOrEqual(0.7);
    expect(quantile(lags, 0.95)).toBeLessThanOrEqual(1.5);
  });
});

it.each([0.3, 5, 120])("a hundred operations of %d s, one each 70 ms, share their polls", async (seconds) => {
  const { ticks } = await waitTogether(Array<number>(100).fill(seconds), 70);
  expect(ticks).toBeLessThanOrEqual(seconds > 100 ? 60 : 30);
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
      one.tunnels.create(tunnelInputs),
      other.tunnels.create({ ...tunnelInputs, frontdoorId: "fd-2" }),
    ]);
    expect(made.map(({ outputs }) => [outputs.frontdoorId, outputs.status])).toEqual([
      ["fd-1", "DEPLOYED"],
      ["fd-2", "DEPLOYED"],
    ]);
    for (const { requests } of emulators) expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);

    await one.service.close();
    expect(connections()).toBeGreaterThan(others);
    expect([one.close, other.close].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    await expect(one.tunnels.read("tnl-1", made[0].outputs)).rejects.toMatchObject({
      message: expect.stringContaining("[closed]") as string,
      trouble: { kind: "failed" },
    });
    expect(await other.tunnels.read(made[1].id, made[1].outputs)).toMatchObject({ outputs: { status: "DEPLOYED" } });

    await other.service.close();
    await eventually(() => connections() === others);
    expect(connections()).toBe(others);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("end what waits: it is told with its id, and no timer is left", async () => {
    const emulator = await startEmulator({ provisionMs: 600_000 });
    emulators.push(emulator);
    const [before, others] = [timers(), connections()];
    const { service, tunnels } = opened(emulator, "fd-1");
    const making = tunnels.create(tunnelInputs);
    const isWaiting = () => emulator.requests.findLast(({ method }) => method === "POST") !== emulator.requests.at(-1);
    await eventually(() => emulator.tunnels().length > 0 && isWaiting());
    await service.close();
    const { id, unfinished } = await making;
    expect(id).toMatch(/^tnl-/);
    expect(unfinished?.trouble.kind).toBe("timed-out");
    await eventually(() => connections() === others);
    expect(connections()).toBe(others);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
