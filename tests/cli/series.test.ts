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
  it.each([
    [
      "points with a date and a value, below a name",
      { series: [{ name: "in", unit: "bytes", points: [0, 1, 2].map((i) => ({ timestamp: iso(i), value: i + 1 })) }] },
      ["in"],
    ],
    ["pairs of a moment in milliseconds and a value", { data: { in: [0, 1, 2].map((i) => [ms(i), i + 1]) } }, ["in"]],
    [
      "pairs in seconds with values as text, below labels",
      { data: { result: [{ metric: { __name__: "in" }, values: [0, 1, 2].map((i) => [seconds(i), String(i + 1)]) }] } },
      ["in"],
    ],
    [
      "a list of moments beside one of values",
      [{ label: "in", timestamps: [0, 1, 2].map(iso), values: [1, 2, 3] }],
      ["in"],
    ],
    ["lists by name", { times: [0, 1, 2].map(ms), in: [1, 2, 3] }, ["in"]],
    ["rows with several numbers", [0, 1, 2].map((i) => ({ time: iso(i), in: i + 1, host: "a" })), ["in"]],
    ["an object whose keys are moments", { in: Object.fromEntries([0, 1, 2].map((i) => [iso(i), i + 1])) }, ["in"]],
    ["in the wrong order", { in: [2, 0, 1].map((i) => ({ at: seconds(i), value: i + 1 })) }, ["in"]],
  ])("%s", (_, body, names) => {
    const found = seriesIn(body);
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(found[0]?.points).toEqual(points);
  });

  it("several numbers of one moment are several series", () => {
    const rows = [0, 1].map((i) => ({ time: iso(i), in: i, out: 2 * i }));
    expect(seriesIn({ content: rows }).map(({ name }) => name)).toEqual(["in", "out"]);
    expect(seriesIn({ time: [iso(0), iso(1)], in: [1, 2], out: [3, 4] }).map(({ name }) => name)).toEqual([
      "in",
      "out",
    ]);
  });

  it("the unit goes with it, and a point without a value stays a gap", () => {
    const body = {
      name: "load",
      unit: "percent",
      points: [
        { time: iso(0), value: 1 },
        { time: iso(1), value: null },
      ],
    };
    expect(seriesIn(body)).toEqual([
      {
        name: "load",
        unit: "percent",
        points: [
          [ms(0), 1],
          // As JSON says it.
          [ms(1), null],
        ],
      },
    ]);
  });

  it("two of one name can be told apart", () => {
    const one = [
      [ms(0), 1],
      [ms(1), 2],
    ];
    expect(
      seriesIn([
        { name: "in", data: one },
        { name: "in", data: one },
      ]).map(({ name }) => name),
    ).toEqual(["in", "in (2)"]);
  });

  it.each([
    [null],
    ["text"],
    [{}],
    [[]],
    [{ total: 3 }],
    [[1, 2, 3]],
    [{ id: "tnl-1", window: "1h", total: 12, list: [1, 2], text: "2030", deep: { none: null } }],
    [{ points: [{ time: iso(0), value: 1 }] }],
    [[{ a: "b" }, { a: "c" }]],
    [{ start: iso(0), end: iso(1) }],
  ])("none in %j", (body) => {
    expect(seriesIn(body)).toEqual([]);
  });
});
