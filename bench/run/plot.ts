import { writeFileSync } from "node:fs";
import * as echarts from "echarts";
import type { Comparison } from "./compare";

const kinds = [
  { checkpoints: true, name: "floor", label: "floor, checkpoints" },
  { checkpoints: true, name: "ours", label: "this provider, checkpoints" },
  { checkpoints: false, name: "floor", label: "floor, fast mode" },
  { checkpoints: false, name: "ours", label: "this provider, fast mode" },
] as const;

/** `up` at parallelism 256 by number of shares, both axes logarithmic, as SVG. */
export function plotGrowth(comparisons: Comparison[], file: string): void {
  const series = kinds.map(({ checkpoints, name, label }) => ({
    type: "line" as const,
    name: label,
    color: checkpoints ? "#5470c6" : "#ee6666",
    lineStyle: { type: name === "floor" ? ("dashed" as const) : ("solid" as const) },
    data: comparisons
      .filter(({ case: one }) => one.parallel === 256 && one.checkpoints === checkpoints && one.provisionSeconds === 0)
      .sort((a, b) => a.case.shares - b.case.shares)
      .flatMap(({ case: one, measured }) => {
        const up = measured["up"]?.[name];
        return up ? [[one.shares, Number(up.seconds.median.toFixed(2))]] : [];
      }),
  }));
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 720, height: 440 });
  chart.setOption({
    animation: false,
    backgroundColor: "#fff",
    title: { text: "pulumi up, seconds by number of shares", left: "center" },
    legend: { orient: "vertical", left: 80, top: 60 },
    grid: { left: 60, right: 70, top: 50, bottom: 40 },
    xAxis: { type: "log", name: "shares", min: 10, max: 1000 },
    yAxis: { type: "log", name: "s" },
    series,
  });
  writeFileSync(file, chart.renderToSVGString());
  chart.dispose();
}
