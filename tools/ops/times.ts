/** Times as an operator writes them. Pure. */
import { UsageError } from "../kit/outputs.ts";

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * @returns epoch milliseconds
 * @throws UsageError the text is neither a date with an offset nor a duration before now
 */
export function timeIn(name: string, text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (units[unit] as number);
  const time = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new UsageError(
      `--${name} must be a time with an offset, such as 2030-03-01T18:00Z, or 90m, 12h or 3d before now.`,
    );
  }
  if (time > now) throw new UsageError(`--${name} is in the future.`);
  return time;
}
