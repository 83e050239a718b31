/**
 * EventBridge's cron expressions: minutes, hours, day of month, month, day of week (1 is Sunday), year. Each is a number, `*`
 * or `?`.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */

/** The least and the greatest number of each field. */
const limits = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [1, 7],
  [1970, 2199],
] as const;

/** Undefined when every number is due. */
function numberIn(part: string, [least, most]: readonly [number, number]): number | undefined {
  if (part === "*" || part === "?") return undefined;
  const number = /^\d+$/.test(part) ? Number(part) : Number.NaN;
  if (!(number >= least && number <= most)) throw new Error(`The local stage does not understand ${part} in cron.`);
  return number;
}

/**
 * Creates the predicate whether an expression like `17 10 * * ? *` is due in the minute of a time (epoch milliseconds).
 * @throws Error for unsupported parts, such as `MON-FRI`, `0/15` and `L`
 */
export function cronTest(expression: string): (time: number) => boolean {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== limits.length) throw new Error(`cron(${expression}) has not six fields.`);
  const wanted = limits.map((limit, index) => numberIn(parts[index] as string, limit));
  return (time) => {
    const date = new Date(time);
    const values = [
      date.getUTCMinutes(),
      date.getUTCHours(),
      date.getUTCDate(),
      date.getUTCMonth() + 1,
      date.getUTCDay() + 1,
      date.getUTCFullYear(),
    ];
    return values.every((value, index) => wanted[index] === undefined || wanted[index] === value);
  };
}
