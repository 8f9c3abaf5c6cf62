import { Poller } from "../../provider/wait";
import { judgeDeployed } from "../../provider/resources/judge";
import { Random } from "../chaos/random";
import { VirtualClock } from "./virtual-clock";

const random = new Random(7);
const between = (least: number, most: number) => least + random.next() * (most - least);
const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

/** One process that waits for one operation after the other; how late it finds each, and in how many ticks. */
async function waitFor(secondsOfEach: number[]) {
  const clock = new VirtualClock(() => undefined);
  let readyMs = 0;
  let ticks = 0;
  const look = (ids: string[]) => {
    ticks += 1;
    const status = clock.now() >= readyMs ? "DEPLOYED" : "NEW";
    return [Promise.resolve(new Map(ids.map((id) => [id, { status }])))];
  };
  const poller = new Poller(look, clock, () => random.next());
  const found = [];
  for (const seconds of secondsOfEach) {
    ticks = 0;
    readyMs = clock.now() + seconds * 1000;
    await poller.wait("shr-1", judgeDeployed, { deadlineMs: clock.now() + 3_600_000 }, "create");
    found.push({ seconds, lag: (clock.now() - readyMs) / 1000, ticks });
  }
  return found;
}

/** Each by a process of its own, which has seen none before. */
const firstSights = async (seconds: number[]) => (await Promise.all(seconds.map((each) => waitFor([each])))).flat();

describe("detection lag", () => {
  it("is half a second for operations of 3 to 20 s", async () => {
    const lags = (await firstSights(Array.from({ length: 300 }, () => between(3, 20)))).map(({ lag }) => lag);
    expect(quantile(lags, 0.5)).toBeLessThanOrEqual(0.7);
    expect(quantile(lags, 0.95)).toBeLessThanOrEqual(1.5);
  });

  it("is a few percent for operations of minutes on first sight", async () => {
    const shares = (await firstSights(Array.from({ length: 300 }, () => between(120, 900)))).map(
      ({ lag, seconds }) => lag / seconds,
    );
    expect(quantile(shares, 0.5)).toBeLessThanOrEqual(0.04);
    expect(quantile(shares, 0.95)).toBeLessThanOrEqual(0.08);
  });

  it.each([
    [120, 40],
    [900, 90],
  ])("costs few ticks: %d s, at most %d", async (seconds, most) => {
    const ticks = (await firstSights(Array<number>(50).fill(seconds))).map((each) => each.ticks);
    expect(Math.max(...ticks)).toBeLessThanOrEqual(most);
  });

  it.each([2, 20, 120, 400, 900])(
    "is below a second once five of a kind were seen, ±10 %% around %d s",
    async (middle) => {
      const found = await waitFor(Array.from({ length: 105 }, () => middle * between(0.9, 1.1)));
      const known = found.slice(5);
      expect(
        quantile(
          known.map(({ lag }) => lag),
          0.5,
        ),
      ).toBeLessThanOrEqual(1);
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
