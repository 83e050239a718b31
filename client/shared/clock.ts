/** The server's clock, and the time that is left on it. Pure, but for the clock that is kept. */
import { signal } from "@preact/signals";
import { language } from "./texts.ts";

/** What an answer says about the server's clock. */
interface Sample {
  /** The header `Date`, whose milliseconds are cut off. Epoch milliseconds. */
  readonly date: number;
  /** When the request was sent and answered, by the device's clock. */
  readonly sent: number;
  readonly answered: number;
}

/** Milliseconds that the server's clock is ahead, and by how much that may be wrong. */
interface Offset {
  readonly ahead: number;
  readonly error: number;
}

/** The server read its clock between the sending and the answer, within the second of `Date`. */
export const offsetOf = ({ date, sent, answered }: Sample): Offset => ({
  ahead: date + 500 - (sent + answered) / 2,
  error: 500 + (answered - sent) / 2,
});

/** The better of two samples. A device's clock may be set while the page is open: then the new one counts. */
export const better = (kept: Offset | undefined, next: Offset): Offset =>
  kept === undefined || next.error <= kept.error || Math.abs(next.ahead - kept.ahead) > next.error + kept.error
    ? next
    : kept;

const kept = signal<Offset | undefined>(undefined);

/** Takes the time from an answer of the API. @param sent when it was asked, epoch milliseconds */
export function readClock({ headers }: Response, sent: number): void {
  const date = Date.parse(headers.get("date") ?? "");
  if (!Number.isNaN(date)) kept.value = better(kept.peek(), offsetOf({ date, sent, answered: Date.now() }));
}

/** Milliseconds. A larger difference is that of a device's clock that was set. */
const largestCorrection = 10_000;
let told = 0;

/**
 * The server's time, epoch milliseconds; the device's before any answer. A better sample does not turn it back: it stands
 * still, so that what has opened stays open.
 */
export function now(): number {
  if (!kept.value) return Date.now();
  const time = Date.now() + kept.value.ahead;
  told = told - time > largestCorrection ? time : Math.max(told, time);
  return told;
}

const second = 1_000;
const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** `2 days 3 hours`, `4 minutes 10 seconds`: the two largest units. @param milliseconds that are left */
export function leftText(milliseconds: number): string {
  const whole = Math.max(0, Math.ceil(milliseconds / second));
  const counts = units.map(([unit, size], index) => {
    const [, larger = Number.POSITIVE_INFINITY] = units[index - 1] ?? [];
    return { unit, count: Math.floor((whole % larger) / size) };
  });
  const first = counts.findIndex(({ count }) => count > 0);
  if (first < 0) return leftTextOf({ unit: "second", count: 0 });
  const shown = counts.slice(first, first + 2).filter(({ count }) => count > 0);
  return shown.map(leftTextOf).join(" ");
}

const leftTextOf = ({ unit, count }: { readonly unit: string; readonly count: number }): string =>
  new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);

/** Milliseconds until a countdown has to be drawn again: each second in the last hour, else each minute. */
export const nextTick = (left: number): number => {
  const step = left <= 3_600 * second ? second : 60 * second;
  return Math.max(50, left % step || step);
};
