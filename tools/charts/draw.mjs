/** Reads a chart as JSON, `{ width, height, option }` with an option of ECharts, from its input, and prints it as SVG. */
import { text } from "node:stream/consumers";
import { init } from "echarts";

const { width, height, option } = JSON.parse(await text(process.stdin));
const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
chart.setOption(option);
process.stdout.write(chart.renderToSVGString());
chart.dispose();
