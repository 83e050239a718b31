/** The settings that the seats item copies from the event. Pure. */
import {
  emptySeats,
  noLimit,
  type Pool,
  type SeatMode,
  type SeatSettings,
  type Seats,
} from "#domain/capacity/seats.ts";
import { type EventRecord, registrationEnd } from "./event.ts";
import { amountOwed, isPriced, priceFor } from "./pricing.ts";

const modeOf = (event: EventRecord): SeatMode => {
  if (event.isApplicationBased) return "application";
  return isPriced(event) ? "priced" : "free";
};

const milliseconds = (date: string | undefined): number => (date === undefined ? noLimit : Date.parse(date));

/** The workshop questions. Choices are counted even without a limit, because an admin may set one later. */
export const workshopQuestions = ({ registrationQuestions = [], partnerRegistrationQuestions = [] }: EventRecord) =>
  [...registrationQuestions, ...partnerRegistrationQuestions].filter(({ type }) => type === "WORKSHOP_SELECTION");

/** Whether members, others and partners must pay, according to `amountOwed`. */
function payersOf(event: EventRecord): Seats["mustPay"] {
  const member = amountOwed(event, { isMember: true }) > 0;
  const others = priceFor(event, { isMember: false });
  if (others !== "members-only") return { member, nonMember: others > 0 };
  const partners = priceFor(event, { isMember: false, isPartner: true });
  return partners === "members-only" ? { member } : { member, partner: partners > 0 };
}

/**
 * The seats that a person takes, or waits for: partners have their own where the event has a number of them.
 * @param present those that the person has: a seat of the allotment stays one
 */
export function poolFor({ partnerCapac }: Pick<EventRecord, "partnerCapac">, isPartner: boolean, present?: Pool): Pool {
  if (isPartner && partnerCapac !== undefined) return "partners";
  return present === "allotment" ? present : undefined;
}

/** The settings that the seats of an event copy from it. */
export const seatSettings = (event: EventRecord): SeatSettings => ({
  generation: event.generation,
  termsVersion: event.termsVersion,
  capacity: event.capac === undefined ? noLimit : event.capac - (event.allotment ?? 0),
  allotmentCapacity: event.allotment,
  partnerCapacity: event.partnerCapac ?? 0,
  state: event.isCompleted || event.calledOff !== undefined ? "CLOSED" : "OPEN",
  mode: modeOf(event),
  mustPay: payersOf(event),
  deadline: milliseconds(registrationEnd(event)),
  opensAt: event.opensAt === undefined ? 0 : Date.parse(event.opensAt),
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

/** The seats of a new event. @param recreated the line may contain places of an earlier generation */
export const newSeats = (event: EventRecord, recreated: boolean): Seats =>
  emptySeats(seatSettings(event), countedQuestions(event), recreated);
