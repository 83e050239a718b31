/** Months and days of the stage's zone. Pure. */
import { localTime } from "../../shared/dates.ts";

/** The month of a time in the stage's zone: `2030-01`. @param at epoch milliseconds */
export const monthAt = (at: number, timeZone: string): string =>
  localTime(new Date(at).toISOString(), timeZone).slice(0, 7);

/** @param by months */
export function monthBeside(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}

/** The next day: until then, the day itself counts. @param day `yyyy-mm-dd`; empty: undefined */
export function dayAfter(day: string): string | undefined {
  const at = Date.parse(day);
  return Number.isNaN(at) ? undefined : new Date(at + 86_400_000).toISOString().slice(0, 10);
}

const longest = 399 * 86_400_000;

/** A time that the API sums up: both days are known, and at most a year and a month lie between them. @param today `yyyy-mm-dd` */
export function yearUntil(from: string, to: string, today: string): { readonly from: string; readonly to: string } {
  const until = dayAfter(to || today) ?? today;
  const earliest = new Date(Date.parse(until) - longest).toISOString().slice(0, 10);
  return { from: from > earliest ? from : earliest, to: until };
}
