/** Makes the counts of an event from its counters. Pure. */

import { noLimit, poolOf, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { workshopQuestions } from "#domain/events/seat-settings.ts";
import type { Counts } from "./schemas.ts";

const remainingOf = ({ seats, capacity }: Seats): number | null =>
  capacity >= noLimit ? null : Math.max(0, capacity - seats);

/** @param waiting people in the attendees' line, and in that of the partners */
export function countsFrom(event: EventRecord, seats: Seats, [waiting, partners]: readonly [number, number]): Counts {
  return {
    registeredCount: seats.registered,
    checkedInCount: seats.checkedIn,
    waitlistCount: waiting,
    applicantCount: seats.applicants,
    incompleteCount: seats.incomplete,
    acceptedCount: seats.accepted,
    seatsTaken: seats.seats + (seats.allotmentSeats ?? 0),
    remaining: remainingOf(seats),
    partnerCount: seats.partners,
    partnerCheckedInCount: seats.partnersCheckedIn ?? 0,
    partnerWaitlistCount: partners,
    partnerRemaining: event.partnerCapac === undefined ? null : remainingOf(poolOf(seats, "partners")),
    ...(event.allotment !== undefined && { allotmentRemaining: remainingOf(poolOf(seats, "allotment")) ?? 0 }),
    dynamicCounts: workshopQuestions(event).map(({ questionId, choices = [], participantCap }) => ({
      questionId,
      counts: choices.map((label) => ({
        label,
        count: seats.choiceHolders[questionId]?.[label] ?? 0,
        cap: participantCap ?? null,
      })),
    })),
  };
}
