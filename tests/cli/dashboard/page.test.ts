import { execFileSync } from "node:child_process";
import { pageFolder } from "../../../cli/page-folder";

/** What a script of the page's modules comes to; browsers' modules run in Node as they are. */
function evaluate(script: string): unknown {
  const options = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module"];
  const text = execFileSync(process.execPath, [...options, "-e", script], { cwd: pageFolder, encoding: "utf8" });
  return JSON.parse(text) as unknown;
}

const at = (minute: number) => `2030-01-01T00:0${minute}:00Z`;
const ms = (minute: number) => Date.parse(at(minute));
const points = [
  { ms: ms(0), value: 1 },
  { ms: ms(1), value: 2.5 },
];

/** Layouts of metrics, as services have them. */
const layouts: [string, unknown, unknown][] = [
  [
    "named series of points",
    {
      series: [
        {
          name: "bytesIn",
          unit: "bytes",
          points: [
            { timestamp: at(0), value: 1 },
            { timestamp: at(1), value: 2.5 },
          ],
        },
      ],
    },
    [{ name: "bytesIn", unit: "bytes", points }],
  ],
  [
    "rows with a number a column",
    [
      { time: at(1), up: 2.5, down: 4 },
      { time: at(0), up: 1, down: 3 },
    ],
    [
      { name: "up", unit: "", points },
      {
        name: "down",
        unit: "",
        points: [
          { ms: ms(0), value: 3 },
          { ms: ms(1), value: 4 },
        ],
      },
    ],
  ],
  [
    "pairs of seconds and text",
    {
      data: {
        result: [
          {
            metric: "packets",
            values: [
              [ms(0) / 1000, "1"],
              [ms(1) / 1000, "2.5"],
            ],
          },
        ],
      },
    },
    [{ name: "packets", unit: "", points }],
  ],
  [
    "lists beside each other",
    { label: "state", timestamps: [at(0), at(1)], values: [1, 2.5] },
    [{ name: "state", unit: "", points }],
  ],
  ["lists by name", { times: [ms(0), ms(1)], tunnelUp: [1, 2.5] }, [{ name: "tunnelUp", unit: "", points }]],
  ["no series", { id: "tnl-1", window: "1h", total: 12, list: [1, 2], text: "2030", deep: { none: null } }, []],
  ["nothing", null, []],
];

it("finds the series of metrics by their shape", () => {
  const bodies = JSON.stringify(layouts.map(([, body]) => body));
  const found = evaluate(
    `import { seriesIn } from "./series.js"; console.log(JSON.stringify(${bodies}.map((body) => seriesIn(body))));`,
  ) as unknown[];
  expect(layouts.map(([name], index) => [name, found[index]])).toEqual(
    layouts.map(([name, , series]) => [name, series]),
  );
});

it("tells what changed between two lists", () => {
  const before = [
    { id: "1", frontdoorId: "fd", name: "a", status: "NEW" },
    { id: "2", frontdoorId: "fd", name: "b", status: "DEPLOYED" },
    { id: "3", frontdoorId: "fd", name: "c", status: "DEPLOYED", ingressPort: 1 },
  ];
  const after = [
    { id: "1", frontdoorId: "fd", name: "a", status: "DEPLOYED" },
    { id: "3", frontdoorId: "fd", name: "c", status: "NEW", ingressPort: 2 },
    { id: "4", frontdoorId: "fd", name: "d", status: "NEW" },
  ];
  const script = `
    import { changesBetween, connectionChanges } from "./changes.js";
    import { connectionWord } from "./words.js";
    const changes = changesBetween("share", ${JSON.stringify(before)}, ${JSON.stringify(after)});
    const connections = [{ a: { status: "UP" } }, { a: { status: "DOWN" }, b: { status: "UP" } }];
    console.log(JSON.stringify([...changes, ...connectionChanges(...connections, connectionWord)]));`;
  expect((evaluate(script) as { key: string; text: string }[]).map(({ key, text }) => [key, text])).toEqual([
    ["share/fd/1", "NEW → DEPLOYED"],
    ["share/fd/3", "DEPLOYED → NEW, ingressPort 1 → 2"],
    ["share/fd/4", "new, NEW"],
    ["share/fd/2", "gone"],
    ["a", "connection UP → DOWN"],
  ]);
});

it("puts shares under their tunnels by port, and those of no tunnel under what they name", () => {
  const tunnels = [
    { id: "t2", frontdoorId: "fd", name: "site 10" },
    { id: "t1", frontdoorId: "fd", name: "site 9" },
  ];
  const share = (id: string, ipsecTunnelId: string, ingressPort: number) => ({
    id,
    frontdoorId: "fd",
    name: id,
    ipsecTunnelId,
    ingressPort,
  });
  const shares = [share("c", "t1", 443), share("b", "t1", 80), share("a", "gone", 22)];
  const script = `
    globalThis.document = {};
    const { topologyOf } = await import("./topology.js");
    const topology = topologyOf(${JSON.stringify({ tunnels, shares })}, ({ id }) => id !== "t2");
    console.log(JSON.stringify(topology.map(([id, tunnels]) => [id, tunnels.map(({ name, isMissing, shares }) => [name, isMissing ?? false, shares.map(({ id }) => id)])])));`;
  expect(evaluate(script)).toEqual([
    [
      "fd",
      [
        ["gone", true, ["a"]],
        ["site 9", false, ["b", "c"]],
      ],
    ],
  ]);
});
