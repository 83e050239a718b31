/**
 * EventBridge's cron expressions: minutes, hours, day of month, month, day of week (1 is Sunday), year.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
import { TZDate } from "@date-fns/tz";
import { zoneAt } from "#kit/text/time-zone.ts";

interface Field {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const fields: readonly Field[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 1, most: 7, names: days },
  { least: 1970, most: 2199 },
];

function numberIn(text: string, { least, most, names }: Field): number {
  const index = names?.indexOf(text.toUpperCase()) ?? -1;
  const number = index >= 0 ? index + 1 : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most)) throw new Error(`The local stage does not understand ${text} in cron.`);
  return number;
}

/** `5`, `MON-FRI`, `*`, each with or without a step as in `0/15`. */
function valuesOf(part: string, field: Field): number[] {
  const [range = "", step] = part.split("/");
  const width = step === undefined ? 1 : Number(step);
  if (!(width >= 1)) throw new Error(`The local stage does not understand ${part} in cron.`);
  const [from = "", to] = range.split("-");
  const isAll = range === "*" || range === "?";
  const first = isAll ? field.least : numberIn(from, field);
  const last = isAll ? field.most : to !== undefined ? numberIn(to, field) : step !== undefined ? field.most : first;
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / width) + 1) },
    (_, index) => first + index * width,
  );
}

/**
 * Creates the predicate whether an expression like `0 12 ? * MON *` is due in the minute of a time (epoch
 * milliseconds).
 * @throws Error for unsupported parts, for example `L`, `W` and `#`
 */
export function cronTest(expression: string, timeZone = "UTC"): (time: number) => boolean {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== fields.length) throw new Error(`cron(${expression}) has not six fields.`);
  const wanted = fields.map(
    (field, index) => new Set((parts[index] as string).split(",").flatMap((part) => valuesOf(part, field))),
  );
  return (time) => {
    const date = new TZDate(time, zoneAt(time, timeZone));
    const values = [
      date.getMinutes(),
      date.getHours(),
      date.getDate(),
      date.getMonth() + 1,
      date.getDay() + 1,
      date.getFullYear(),
    ];
    return values.every((value, index) => wanted[index]?.has(value));
  };
}
