import type { Series } from "../../cli/page/series.js";
import { evaluate } from "./page-modules";

const seriesIn = (body: unknown) =>
  evaluate(
    `import { seriesIn } from "./series.js"; console.log(JSON.stringify(seriesIn(${JSON.stringify(body)})));`,
  ) as Series[];

const first = Date.UTC(2030, 0, 1);
const minute = 60_000;
const iso = (index: number) => new Date(first + index * minute).toISOString();
const ms = (index: number) => first + index * minute;
const seconds = (index: number) => ms(index) / 1000;

const points = [1, 2, 3].map((value, index) => [ms(index), value]);

describe("time series are found by their shape", () => {
  const at3 = <T>(of: (index: number) => T) => [0, 1, 2].map(of);
  const named = { series: [{ name: "in", unit: "bytes", points: at3((i) => ({ timestamp: iso(i), value: i + 1 })) }] };
  const labelled = { result: [{ metric: { __name__: "in" }, values: at3((i) => [seconds(i), String(i + 1)]) }] };
  it.each([
    ["points with a date and a value, below a name", named],
    ["pairs of a moment in milliseconds and a value", { data: { in: at3((i) => [ms(i), i + 1]) } }],
    ["pairs in seconds with values as text, below labels", { data: labelled }],
    ["a list of moments beside one of values", [{ label: "in", timestamps: at3(iso), values: [1, 2, 3] }]],
    ["lists by name", { times: at3(ms), in: [1, 2, 3] }],
    ["rows with several numbers", at3((i) => ({ time: iso(i), in: i + 1, host: "a" }))],
    ["an object whose keys are moments", { in: Object.fromEntries(at3((i) => [iso(i), i + 1])) }],
    ["in the wrong order", { in: [2, 0, 1].map((i) => ({ at: seconds(i), value: i + 1 })) }],
  ])("%s", (_, body) => {
    const found = seriesIn(body);
    expect(found.map(({ name }) => name)).toEqual(["in"]);
    expect(found[0]?.points).toEqual(points);
  });

  it("several numbers of one moment are several series", () => {
    const rows = [0, 1].map((i) => ({ time: iso(i), in: i, out: 2 * i }));
    expect(seriesIn({ content: rows }).map(({ name }) => name)).toEqual(["in", "out"]);
    const lists = { time: [iso(0), iso(1)], in: [1, 2], out: [3, 4] };
    expect(seriesIn(lists).map(({ name }) => name)).toEqual(["in", "out"]);
  });

  it("the unit goes with it, a point without a value stays a gap, and two of one name can be told apart", () => {
    const points = [1, null].map((value, index) => ({ time: iso(index), value }));
    const load = { name: "load", unit: "percent" };
    expect(seriesIn({ ...load, points })[0]?.points).toEqual([1, null].map((value, index) => [ms(index), value]));
    expect(seriesIn({ ...load, points })).toMatchObject([load]);
    const two = [0, 1].map(() => ({ name: "in", data: [0, 1].map((index) => [ms(index), 1]) }));
    expect(seriesIn(two).map(({ name }) => name)).toEqual(["in", "in (2)"]);
  });

  it("none in other answers", () => {
    const other = { id: "tnl-1", window: "1h", total: 12, list: [1, 2], text: "2030", deep: { none: null } };
    const onePoint = { points: [{ time: iso(0), value: 1 }] };
    for (const body of [null, "text", other, onePoint, [{ a: "b" }, { a: "c" }], { start: iso(0), end: iso(1) }])
      expect([body, seriesIn(body)]).toEqual([body, []]);
  });
});
