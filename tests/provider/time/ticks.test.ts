import { type Look, Poller } from "../../../provider/inventory/poller";
import { judgeDeployed } from "../../../provider/resources/judge";
import { Random } from "../../harness/random";
import { VirtualClock } from "../virtual-clock";

const random = new Random(7);
const between = (least: number, most: number) => least + random.next() * (most - least);
const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

/** One process that waits for one operation after the other; how late it finds each, and in how many ticks. */
async function waitFor(secondsOfEach: number[]) {
  const clock = new VirtualClock(() => undefined, random.upTo(2 ** 32 - 1));
  let readyMs = 0;
  let ticks = 0;
  const look: Look<{ status: string }> = (asks) => {
    ticks += 1;
    const status = clock.now() >= readyMs ? "DEPLOYED" : "NEW";
    for (const { tell } of asks) tell({ status });
  };
  const poller = new Poller(look, clock);
  const found = [];
  for (const seconds of secondsOfEach) {
    ticks = 0;
    readyMs = clock.now() + seconds * 1000;
    await poller.wait("shr-1", judgeDeployed, { deadlineMs: clock.now() + 3_600_000 }, "create");
    found.push({ seconds, lag: (clock.now() - readyMs) / 1000, ticks });
  }
  return found;
}

/** One process that waits for many at once, each begun some time after the one before it. */
async function waitTogether(secondsOfEach: number[], apartMs = 1, poller = newPoller()) {
  const { clock, wait, lists } = poller;
  const before = lists.length;
  const found = await Promise.all(
    secondsOfEach.map(async (seconds, n) => {
      await clock.sleep(n * apartMs);
      const readyMs = clock.now() + seconds * 1000;
      await wait(readyMs);
      return { seconds, lag: (clock.now() - readyMs) / 1000 };
    }),
  );
  return { found, ticks: new Set(lists.slice(before)).size };
}

function newPoller() {
  const clock = new VirtualClock(() => undefined, random.upTo(2 ** 32 - 1));
  const readyMs = new Map<string, number>();
  /** When each look was. */
  const lists: number[] = [];
  const look: Look<{ status: string }> = (asks) => {
    lists.push(clock.now());
    for (const { what, tell } of asks)
      tell({ status: clock.now() >= (readyMs.get(what.id) ?? 0) ? "DEPLOYED" : "NEW" });
  };
  const poller = new Poller(look, clock);
  const wait = (atMs: number) => {
    const id = `shr-${readyMs.size}`;
    readyMs.set(id, atMs);
    return poller.wait(id, judgeDeployed, { deadlineMs: clock.now() + 3_600_000 }, "create");
  };
  return { clock, wait, lists };
}

/** Each by a process of its own, which has seen none before. */
const firstSights = async (seconds: number[]) => (await Promise.all(seconds.map((each) => waitFor([each])))).flat();

describe("detection lag", () => {
  it("is half a second for operations of 3 to 20 s", async () => {
    const lags = (await firstSights(Array.from({ length: 300 }, () => between(3, 20)))).map(({ lag }) => lag);
    expect(quantile(lags, 0.5)).toBeLessThanOrEqual(0.7);
    expect(quantile(lags, 0.95)).toBeLessThanOrEqual(2);
  });

  it("is a few percent for operations of minutes on first sight", async () => {
    const shares = (await firstSights(Array.from({ length: 300 }, () => between(120, 900)))).map(
      ({ lag, seconds }) => lag / seconds,
    );
    expect(quantile(shares, 0.5)).toBeLessThanOrEqual(0.04);
    expect(quantile(shares, 0.95)).toBeLessThanOrEqual(0.08);
  });

  it.each([
    [120, 45],
    [900, 100],
  ])("costs few ticks: %d s, at most %d", async (seconds, most) => {
    const ticks = (await firstSights(Array<number>(50).fill(seconds))).map((each) => each.ticks);
    expect(Math.max(...ticks)).toBeLessThanOrEqual(most);
  });

  it.each([2, 20, 120, 400, 900])(
    "is below a second, or a 50th of the time, once five of a kind were seen, ±10 %% around %d s",
    async (middle) => {
      const found = await waitFor(Array.from({ length: 105 }, () => middle * between(0.9, 1.1)));
      const known = found.slice(5);
      expect(
        quantile(
          known.map(({ lag }) => lag),
          0.5,
        ),
      ).toBeLessThanOrEqual(Math.max(1, middle / 50));
      if (middle === 120)
        expect(
          quantile(
            known.map(({ ticks }) => ticks),
            0.95,
          ),
        ).toBeLessThanOrEqual(40);
      // One of 990 s is looked for through the whole of its likely time.
      if (middle === 900)
        expect(
          quantile(
            known.map(({ ticks }) => ticks),
            0.5,
          ),
        ).toBeLessThanOrEqual(90);
    },
  );

  it("falls back to what it does on first sight where durations do not agree", async () => {
    const found = await waitFor([5, 300, 40, 120, 7, 90, ...Array<number>(30).fill(120)]);
    expect(Math.max(...found.slice(6, 8).map(({ ticks }) => ticks))).toBeLessThanOrEqual(40);
  });
});

describe.each([1, 20, 100])("ticks for %d at once", (count) => {
  const many = (secondsOf: () => number) => Array.from({ length: count }, secondsOf);

  it.each([
    ["120 s each", () => 120, 45],
    ["120 s, ±10 %", () => 120 * between(0.9, 1.1), 50],
    ["900 s each", () => 900, 100],
    ["120 to 900 s", () => between(120, 900), 110],
  ])("are few: %s", async (_name, secondsOf, most) => {
    const { ticks, found } = await waitTogether(many(secondsOf));
    expect(ticks).toBeLessThanOrEqual(most);
    const shares = found.map(({ lag, seconds }) => lag / seconds);
    // Those that end together are found together: one lag of up to a pause.
    expect(quantile(shares, 0.5)).toBeLessThanOrEqual(0.11);
  });

  it("find those of 3 to 20 s soon", async () => {
    const runs = await Promise.all(
      Array.from({ length: 1000 / count }, () => waitTogether(many(() => between(3, 20)))),
    );
    const lags = runs.flatMap(({ found }) => found.map(({ lag }) => lag));
    expect(quantile(lags, 0.5)).toBeLessThanOrEqual(0.7);
    expect(quantile(lags, 0.95)).toBeLessThanOrEqual(1.5);
  });

  it.each([20, 120, 900])("find those of a known duration soon, ±10 %% around %d s", async (middle) => {
    const poller = newPoller();
    const around = () => middle * between(0.9, 1.1);
    await waitTogether(Array.from({ length: 100 }, around), 1, poller);
    const lags = [];
    for (let left = 100; left > 0; left -= count)
      lags.push(...(await waitTogether(many(around), 1, poller)).found.map(({ lag }) => lag));
    expect(quantile(lags, 0.5)).toBeLessThanOrEqual(Math.max(1, middle / 40));
    expect(quantile(lags, 0.95)).toBeLessThanOrEqual(Math.max(2, middle / 10));
  });
});

describe("ticks for those that begin one after the other", () => {
  it.each([
    ["0.3 s", 0.3],
    ["5 s", 5],
    ["120 s", 120],
  ])("are shared: a hundred of %s, one each 70 ms", async (_name, seconds) => {
    const { ticks } = await waitTogether(Array<number>(100).fill(seconds), 70);
    expect(ticks).toBeLessThanOrEqual(seconds > 100 ? 60 : 30);
  });
});
