/** Complete, valid records for unit tests. A test changes the fields that it is about. */

import type { Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { storedForm } from "#domain/registrations/record/stored-form.ts";

/** A published event, free for all and without a limit. */
export const eventRecord = (changes: Partial<EventRecord> = {}): EventRecord => ({
  id: "gala",
  year: 2030,
  ename: "Gala",
  isPublished: true,
  isCompleted: false,
  generation: "i",
  version: 1,
  termsVersion: 1,
  scheduleVersion: 0,
  createdAt: 1,
  updatedAt: 1,
  ...changes,
});

/** The registration of Ada, who has a seat at the event of `eventRecord`. */
export const registrationRecord = (changes: Partial<RegistrationRecord> = {}): RegistrationRecord => ({
  email: "ada@unit.example",
  eventID: "gala",
  year: 2030,
  status: "registered",
  fname: "Ada",
  basicInformation: {},
  dynamicResponses: {},
  choices: {},
  isPartner: false,
  points: 0,
  queueKey: "w",
  generation: "i",
  version: 1,
  noticeVersion: 1,
  ticketId: "t",
  calendarUid: "c",
  createdAt: 1,
  updatedAt: 1,
  ...changes,
});

/** @returns the event as an item of the table */
export function eventItem(changes: Partial<EventRecord> = {}) {
  const event = eventRecord(changes);
  return { PK: `EVENT#${event.id}#${event.year}`, SK: "META", ...event };
}

/** @returns the registration as an item of the table */
export function registrationItem(changes: Partial<RegistrationRecord> = {}) {
  const registration = registrationRecord(changes);
  const { email, eventID, year } = registration;
  return { PK: `USER#${email}`, SK: `REG#${eventID}#${year}`, ...storedForm(registration) };
}

/** @returns the counters of a new event as an item of the table */
export const seatsItem = (event: EventRecord, changes: Partial<Seats> = {}) => ({
  PK: `SEAT#${event.id}#${event.year}#00`,
  SK: "POOL",
  ...newSeats(event, false),
  ...changes,
});
