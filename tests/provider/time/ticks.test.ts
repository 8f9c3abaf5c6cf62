import { type Poll, Poller } from "../../../provider/waiting/poller";
import { acceptDeployed } from "../../../provider/waiting/acceptors";
import { Random } from "../../harness/random";
import { VirtualClock } from "../virtual-clock";

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
