/** What an event's seats take from the event. Pure. */
import { emptySeats, noLimit, type SeatMode, type SeatSettings, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "./event.ts";
import { amountOwed, isPriced, priceFor } from "./pricing.ts";

const modeOf = (event: EventRecord): SeatMode => {
  if (event.isApplicationBased) return "application";
  return isPriced(event) ? "priced" : "free";
};

const milliseconds = (date: string | undefined): number => (date === undefined ? noLimit : Date.parse(date));

/** The workshop questions. Their choices are counted also without a limit, because an admin may set one later. */
export const workshopQuestions = ({ registrationQuestions = [], partnerRegistrationQuestions = [] }: EventRecord) =>
  [...registrationQuestions, ...partnerRegistrationQuestions].filter(({ type }) => type === "WORKSHOP_SELECTION");

/** Whether members and others pay, by the rule of `amountOwed`. */
function payersOf(event: EventRecord): Seats["mustPay"] {
  const others = priceFor(event, false);
  return {
    member: amountOwed(event, true, undefined) > 0,
    ...(others !== "members-only" && { nonMember: others > 0 }),
  };
}

/**
 * The settings that the seats take from an event. Without `deadline` registration ends at `endDate`, without that at
 * `startDate`, and without both never (`docs/contract.md`, "Registrations").
 */
export const seatSettings = (event: EventRecord): SeatSettings => ({
  generation: event.generation,
  termsVersion: event.termsVersion,
  capacity: event.capac ?? noLimit,
  state: event.isCompleted ? "CLOSED" : "OPEN",
  mode: modeOf(event),
  mustPay: payersOf(event),
  deadline: milliseconds(event.deadline ?? event.endDate ?? event.startDate),
  startsAt: milliseconds(event.startDate),
  choiceLimits: Object.fromEntries(
    workshopQuestions(event).flatMap(({ questionId, participantCap }) =>
      participantCap === undefined ? [] : [[questionId, participantCap]],
    ),
  ),
});

/** The ids of the workshop questions. A removed question keeps its counters, because an admin may add it again. */
export const countedQuestions = (event: EventRecord): string[] =>
  workshopQuestions(event).map(({ questionId }) => questionId);

/** The seats of a new event. @param recreated the line may still hold places of an earlier generation */
export const newSeats = (event: EventRecord, recreated: boolean): Seats =>
  emptySeats(seatSettings(event), countedQuestions(event), recreated);
