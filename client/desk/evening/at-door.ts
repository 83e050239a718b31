/** Who is at an event, who is still to come, and what the devices at its door have said. Pure. */
import type { components } from "../../paths.ts";
import { localTime, shortMoment } from "../../shared/dates.ts";
import type { Registration } from "../../shared/types.ts";
import { type State, states } from "../registrations/moves.ts";
import { finder, nameOf } from "../registrations/people.ts";

/** What is read of a registration. */
export type Visitor = Pick<Registration, "email" | "fname" | "basicInformation" | "registrationStatus" | "updatedAt">;

/** Whether a person with this status is let in. On events with applications, `registered` is not decided yet. */
export const mayEnter = (status: string, takesApplications: boolean): boolean =>
  ["accepted", "acceptedComplete"].includes(status) || (status === "registered" && !takesApplications);

/** How many are inside, still to come, wait in line, and hold a seat that is not paid. */
export function countedOf(rows: readonly Visitor[], takesApplications: boolean) {
  const of = (...statuses: string[]) => rows.filter((row) => statuses.includes(row.registrationStatus)).length;
  const toCome = rows.filter((row) => mayEnter(row.registrationStatus, takesApplications)).length;
  return { inside: of("checkedIn"), toCome, waiting: of("waitlist"), unpaid: of("incomplete", "acceptedPending") };
}

/** A status in words, or the state that a device has noted. */
export const statusText = (status: string, takesApplications: boolean): string =>
  states[(status === "registered" && takesApplications ? "applicant" : status) as State]?.[0] ?? status;

/** Whose names or emails begin with each of the typed words, by name. */
export function found<V extends Visitor>(rows: readonly V[], typed: string): readonly V[] {
  if (typed.trim() === "") return [];
  return rows.filter(finder(typed)).toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

export type Bar = readonly [label: string, value: number];

const minute = 60_000;
/** Bars of a plot at most, as far as steps of an hour allow. */
const mostBars = 24;

/** Arrivals by steps of minutes, none left out between the first and the last of a day. */
export function arrivalsOf(counts: readonly (readonly [at: number, count: number])[], timeZone: string) {
  const times = counts.map(([at]) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const beginning = (at: number, step: number = minutes) => Math.floor(at / (step * minute)) * step * minute;
  const isEnough = (step: number) => beginning(last, step) - beginning(first, step) < mostBars * step * minute;
  const minutes = [5, 10, 15, 30].find(isEnough) ?? 60;
  const isShort = last - first < mostBars * 60 * minute;
  const sums = new Map<number, number>();
  for (let at = beginning(first); isShort && at <= last; at += minutes * minute) sums.set(at, 0);
  for (const [at, count] of counts) sums.set(beginning(at), (sums.get(beginning(at)) ?? 0) + count);
  const dayOf = (at: number) => localTime(new Date(at).toISOString(), timeZone).slice(5, 10);
  const label = (at: number) => {
    const time = shortMoment(at, timeZone, at).replace(/ \S+$/, "");
    return dayOf(first) === dayOf(last) ? time : `${dayOf(at)} ${time}`;
  };
  const bars = [...sums].toSorted(([one], [other]) => one - other).map(([at, sum]): Bar => [label(at), sum]);
  return { minutes, bars };
}

const outcomes: Readonly<Record<string, string>> = {
  ...{ admitted: "Let in without a valid ticket", refused: "Refused", turnedAway: "Turned away" },
  ...{ again: "Scanned again", undone: "Taken back" },
};
const reasons: Readonly<Record<string, string>> = {
  ...{ refunded: "The payment has gone back", unknown: "The code is no ticket", replaced: "The ticket was replaced" },
  ...{ "too many unknown": "Too many codes that are no ticket", "other event": "A ticket of another event" },
};

export type ScannedTicket = components["schemas"]["ScannedTickets"]["tickets"][number];

export type NotedScan = ReturnType<typeof notedScans>[number];

/** The scans that were no ordinary check-in, the newest first. */
export const notedScans = (tickets: readonly ScannedTicket[], takesApplications: boolean) =>
  tickets
    .flatMap(({ email = "", scans }) => scans.map((scan) => ({ ...scan, email })))
    .flatMap(({ nonce, at, device, email, outcome: code, reason = "" }) => {
      const outcome = outcomes[code];
      const why = reasons[reason] ?? statusText(reason, takesApplications);
      return outcome ? [{ nonce, at, device, email, outcome, why }] : [];
    })
    .toSorted((one, other) => other.at - one.at);
