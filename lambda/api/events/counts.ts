/** Makes the counts of an event from its counters. Pure. */

import { noLimit, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { workshopQuestions } from "#domain/events/seat-settings.ts";
import type { Counts } from "./schemas.ts";

/** @param waiting people in line */
export function countsFrom(event: EventRecord, seats: Seats, waiting: number): Counts {
  return {
    registeredCount: seats.registered,
    checkedInCount: seats.checkedIn,
    waitlistCount: waiting,
    applicantCount: seats.applicants,
    incompleteCount: seats.incomplete,
    acceptedCount: seats.accepted,
    partnerCount: seats.partners,
    seatsTaken: seats.seats,
    remaining: seats.capacity >= noLimit ? null : Math.max(0, seats.capacity - seats.seats),
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
