/** The charts of the page, as SVG. The same figures give the same text. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sizes } from "./dataset.ts";
import type { Figures, Measured } from "./measure.ts";

/** Readable on a light and on a dark page. */
const ink = "#7a828c";
const grid = "rgba(122, 130, 140, 0.35)";
const colors = ["#3d85c6", "#d07a1f", "#2f9a6c", "#b062b8", "#cc5555", "#8a8a2f", "#5f8ea0", "#a0714f", "#7a6fd0"];

const canvas = { width: 860, height: 460 };

/** The endpoints in a chart: single items, whose cost is constant, and lists, whose cost grows with their length. */
const shown: Readonly<Record<string, string>> = {
  "GET /events/{id}/{year}": "an event",
  "GET /events/{id}/{year}?count=true": "an event with its counts",
  "GET /events/{id}/{year}?users=true": "an event with its users",
  "GET /registrations of an event": "all registrations of an event",
  "GET /registrations of an event, 50 of them": "50 registrations",
  "GET /registrations, the last in line": "a place in line",
  "POST /registrations, a seat is free": "registering",
  "POST /registrations, joining the line": "joining the line",
  "POST /registrations/check-in": "checking in",
};

/**
 * Draws a line for each endpoint, over the number of registrations. Both axes are logarithmic.
 * @param heightOf is above 0
 */
export function growthChart(
  measured: readonly Measured[],
  title: string,
  heightOf: (figures: Figures) => number,
): string {
  const columns = sizes.flatMap((size) => measured.find((one) => one.share === "fifth" && one.size === size) ?? []);
  const series = Object.entries(shown).map(([endpoint, name], index) => ({
    name,
    type: "line",
    data: columns.map(({ figures }) => (figures[endpoint] ? round(heightOf(figures[endpoint])) : null)),
    symbol: "circle",
    symbolSize: 7,
    // Lines that lie on each other are told apart by their dashes.
    lineStyle: { width: 2, type: index % 2 === 0 ? "solid" : "dashed" },
  }));
  const categories = columns.map(({ size }) => size.toLocaleString("en"));
  return draw({ title, over: "registrations", categories, heights: "log", series });
}

/** A rush and the p99 of its answers under each rule, in milliseconds. */
interface RushBars {
  readonly name: string;
  readonly alone: number | undefined;
  readonly crowd: number;
}

/** Draws two bars for each rush. */
export function rushChart(rushes: readonly RushBars[]): string {
  const bars = (name: string, of: (rush: RushBars) => number | undefined) => ({
    name,
    type: "bar",
    data: rushes.map((rush) => Math.round(of(rush) ?? 0)),
    label: { show: true, position: "top", color: ink },
  });
  return draw({
    title: "Milliseconds of the slowest of a hundred answers, in AWS-like time",
    over: "people for seats",
    categories: rushes.map(({ name }) => name),
    heights: "value",
    series: [bars("each their own seat", ({ alone }) => alone), bars("a crowd joins the line", ({ crowd }) => crowd)],
  });
}

const round = (value: number): number => Number(value.toPrecision(3));

/** What differs between the charts of the page. */
interface Chart {
  readonly title: string;
  /** The name of the horizontal axis. */
  readonly over: string;
  /** The values on the horizontal axis. */
  readonly categories: string[];
  readonly heights: "log" | "value";
  /** As ECharts takes them. */
  readonly series: readonly object[];
}

const drawing = fileURLToPath(new URL("../charts/draw.mjs", import.meta.url));

/** The library stands in `tools/charts`, with packages of its own: `npm run upkeep -- bench` installs them. */
function draw({ title, over, categories, heights, series }: Chart): string {
  const text = { color: ink, fontFamily: "sans-serif", fontSize: 13 };
  const option = {
    animation: false,
    color: colors,
    textStyle: text,
    title: { text: title, left: 0, textStyle: { ...text, fontSize: 15, fontWeight: "normal" } },
    legend: { orient: "vertical", right: 0, top: 40, textStyle: text, itemGap: 12 },
    grid: { left: 60, right: 240, top: 50, bottom: 50 },
    xAxis: {
      type: "category",
      data: categories,
      name: over,
      nameLocation: "middle",
      nameGap: 32,
      nameTextStyle: text,
      axisLabel: text,
      axisLine: { lineStyle: { color: ink } },
    },
    yAxis: { type: heights, axisLabel: text, splitLine: { lineStyle: { color: grid } } },
    series,
  };
  const input = JSON.stringify({ ...canvas, option });
  const svg = execFileSync(process.execPath, [drawing], { input, encoding: "utf8" });
  // Parts have names of the library, which an update may change. Here they are counted.
  const names = new Map<string, string>();
  const named = (name: string): string => {
    names.set(name, names.get(name) ?? `part-${names.size}`);
    return names.get(name) as string;
  };
  return `${svg.replaceAll(/\bzr\d+-[a-z]+-?\d+/g, named)}\n`;
}
