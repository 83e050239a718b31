import type { AttributeValue } from "./protocol.ts";

/** Items that expired longer ago than this are left alone, as in AWS. */
const fiveYears = 5 * 365 * 86_400;

/** Whether a time-to-live attribute, a number of epoch seconds, is past. */
export function isExpired(attribute: AttributeValue | undefined, nowMilliseconds: number): boolean {
  const seconds = Number(attribute?.N);
  const now = nowMilliseconds / 1000;
  return Number.isFinite(seconds) && seconds < now && seconds > now - fiveYears;
}
