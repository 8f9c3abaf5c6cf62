import { writeFileSync } from "node:fs";
import * as echarts from "echarts";

export interface Line {
  name: string;
  points: [x: number, y: number][];
}

interface Plot {
  title: string;
  x: { name: string; type?: "log" };
  y: string;
  lines: Line[];
}

/** Lines as SVG. */
export function plot(file: string, { title, x, y, lines }: Plot): void {
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 720, height: 400 });
  chart.setOption({
    animation: false,
    backgroundColor: "#fff",
    title: { text: title, left: "center", textStyle: { fontSize: 15 } },
    legend: { top: 32 },
    grid: { left: 60, right: 80, top: 85, bottom: 40 },
    xAxis: { type: x.type ?? "value", name: x.name, max: "dataMax" },
    yAxis: { type: "value", name: y },
    series: lines.map(({ name, points }) => ({ type: "line", name, data: points, showSymbol: false })),
  });
  writeFileSync(file, chart.renderToSVGString());
  chart.dispose();
}

/** Rows as CSV, whose cells hold no comma. */
export const csv = (rows: (string | number)[][]): string => `${rows.map((row) => row.join(",")).join("\n")}\n`;
