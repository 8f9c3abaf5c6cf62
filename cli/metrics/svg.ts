import { LineChart } from "echarts/charts";
import { GridComponent, TitleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { safeText } from "../../provider/errors";
import { type Series, thinned } from "../page/series.js";

use([LineChart, GridComponent, TitleComponent, SVGRenderer]);

const width = 720;
const titleHeight = 40;
const plotHeight = 180;

/** Returns an SVG image with one plot below the other. */
export function svgOf(title: string, series: Series[]): string {
  const chart = init(null, null, {
    renderer: "svg",
    ssr: true,
    width,
    height: titleHeight + plotHeight * series.length,
  });
  const top = (index: number) => titleHeight + index * plotHeight;
  chart.setOption({
    animation: false,
    backgroundColor: "#fff",
    title: [
      { text: title, left: "center" },
      ...series.map(({ name, unit }, index) => ({
        text: safeText(unit === undefined ? name : `${name} (${unit})`, 120),
        textStyle: { fontSize: 13 },
        left: 60,
        top: top(index),
      })),
    ],
    grid: series.map((_, index) => ({ left: 70, right: 30, top: top(index) + 25, height: plotHeight - 65 })),
    xAxis: series.map((_, gridIndex) => ({ type: "time", gridIndex })),
    yAxis: series.map((_, gridIndex) => ({ type: "value", gridIndex })),
    series: series.map(({ points }, index) => ({
      ...{ type: "line", xAxisIndex: index, yAxisIndex: index, showSymbol: false },
      data: thinned(points, 4 * width).map(([ms, value]) => [ms, value ?? null]),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
