/** Who is at an event, who is still to come, and what the devices at its door have said. Pure. */
import { localTime, shortMoment } from "../../shared/dates.ts";

export interface Visitor {
  readonly email: string;
  readonly fname: string;
  readonly basicInformation: { readonly lname?: string };
  readonly registrationStatus: string;
  readonly checkedInAt?: number;
  readonly updatedAt: number;
}

/** All rows once, the newer of two about a person. */
export function merged<V extends Visitor>(rows: readonly V[], newer: readonly V[]): readonly V[] {
  const byEmail = new Map(rows.map((row) => [row.email, row]));
  for (const row of newer) {
    const kept = byEmail.get(row.email);
    if (!kept || kept.updatedAt <= row.updatedAt) byEmail.set(row.email, row);
  }
  return [...byEmail.values()];
}

/** A change can appear minutes late in a list. */
const late = 5 * 60_000;

/** From when on changes are asked for; undefined: all rows. */
export const changesSince = (rows: readonly Visitor[]): number | undefined =>
  rows.length === 0 ? undefined : Math.max(...rows.map(({ updatedAt }) => updatedAt)) - late;

/** Whether a person with this status is let in. On events with applications, `registered` is not decided yet. */
export const mayEnter = (status: string, takesApplications: boolean): boolean =>
  ["accepted", "acceptedComplete"].includes(status) || (status === "registered" && !takesApplications);

export interface Counted {
  readonly inside: number;
  readonly toCome: number;
  /** Both. */
  readonly expected: number;
  readonly waiting: number;
  /** Holds a seat that is not paid. */
  readonly unpaid: number;
}

export function countedOf(rows: readonly Visitor[], takesApplications: boolean): Counted {
  const of = (fits: (status: string) => boolean) => rows.filter((row) => fits(row.registrationStatus)).length;
  const inside = of((status) => status === "checkedIn");
  const toCome = of((status) => mayEnter(status, takesApplications));
  return {
    ...{ inside, toCome, expected: inside + toCome, waiting: of((status) => status === "waitlist") },
    unpaid: of((status) => status === "incomplete" || status === "acceptedPending"),
  };
}

const words: Readonly<Record<string, string>> = {
  registered: "Registered",
  waitlist: "Waits in line",
  checkedIn: "Inside",
  incomplete: "Has not paid",
  cancelled: "Cancelled",
  accepted: "Accepted, not confirmed",
  acceptedPending: "Accepted, has not paid",
  acceptedComplete: "Accepted and confirmed",
  rejected: "Rejected",
};

export const statusText = (status: string, takesApplications: boolean): string =>
  status === "registered" && takesApplications ? "Application not decided" : (words[status] ?? status);

export const nameOf = ({ fname, basicInformation: { lname = "" }, email }: Visitor): string =>
  `${fname} ${lname}`.trim() || email;

/** For comparing: case and accents do not count. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Whose names or emails begin with each of the typed words, by name. */
export function found<V extends Visitor>(rows: readonly V[], typed: string): readonly V[] {
  const parts = plain(typed).split(/\s+/).filter(Boolean);
  if (parts.length === 0) return [];
  const fits = (row: V) => {
    const begun = [...plain(nameOf(row)).split(/[\s-]+/), plain(nameOf(row)), row.email];
    return parts.every((part) => begun.some((word) => word.startsWith(part)));
  };
  return rows.filter(fits).toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

export type Bar = readonly [label: string, value: number];

const minute = 60_000;
const steps = [5, 10, 15, 30, 60];
/** Bars of a plot at most, as far as the steps allow. */
const mostBars = 24;

/** Arrivals by steps of minutes, none left out between the first and the last. */
export function arrivalsOf(
  counts: readonly (readonly [at: number, count: number])[],
  timeZone: string,
): { readonly minutes: number; readonly bars: readonly Bar[] } {
  const times = counts.map(([at]) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const minutes = steps.find((step) => (last - first) / (step * minute) < mostBars) ?? 60;
  const beginning = (at: number) => Math.floor(at / (minutes * minute)) * minutes * minute;
  const sums = new Map<number, number>();
  if (times.length > 0 && last - first < mostBars * 60 * minute)
    for (let at = beginning(first); at <= last; at += minutes * minute) sums.set(at, 0);
  for (const [at, count] of counts) sums.set(beginning(at), (sums.get(beginning(at)) ?? 0) + count);
  const dayOf = (at: number) => localTime(new Date(at).toISOString(), timeZone).slice(5, 10);
  const isOneDay = times.length === 0 || dayOf(first) === dayOf(last);
  // The plot's title says the zone.
  const label = (at: number) =>
    `${isOneDay ? "" : `${dayOf(at)} `}${shortMoment(at, timeZone, at).replace(/ \S+$/, "")}`;
  return { minutes, bars: [...sums].toSorted(([one], [other]) => one - other).map(([at, sum]) => [label(at), sum]) };
}

interface Scan {
  readonly device: string;
  readonly at: number;
  readonly outcome: string;
  readonly reason?: string;
  readonly nonce: string;
}
interface ScannedTicket {
  readonly email?: string;
  readonly scans: readonly Scan[];
}

const outcomes: Readonly<Record<string, string>> = {
  admitted: "Let in without a valid ticket",
  refused: "Refused",
  turnedAway: "Turned away",
  again: "Scanned again",
  undone: "Taken back",
};
const reasons: Readonly<Record<string, string>> = {
  refunded: "The payment has gone back",
  unknown: "The code is no ticket",
  "too many unknown": "Too many codes that are no ticket",
  replaced: "The ticket was replaced",
  "other event": "A ticket of another event",
};

export interface NotedScan {
  readonly key: string;
  readonly at: number;
  readonly device: string;
  readonly email: string;
  readonly outcome: string;
  readonly reason: string;
}

/** The scans that were no ordinary check-in, the newest first. */
export const notedScans = (tickets: readonly ScannedTicket[], takesApplications: boolean): readonly NotedScan[] =>
  tickets
    .flatMap(({ email = "", scans }) =>
      scans.flatMap(({ nonce, at, device, outcome, reason = "" }) => {
        const said = outcomes[outcome];
        const why = reasons[reason] ?? statusText(reason, takesApplications);
        return said ? [{ ...{ key: nonce, at, device, email }, outcome: said, reason: why }] : [];
      }),
    )
    .toSorted((one, other) => other.at - one.at);
