/** Maps a registration of the previous backend. Pure. */
import { NewRegistration as schema } from "#api/registrations/schemas.ts";
import { noLimit } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { type Attendee, amountOwed, priceFor } from "#domain/events/pricing.ts";
import { isReserved } from "#domain/events/questions.ts";
import { poolFor, seatSettings } from "#domain/events/seat-settings.ts";
import { checkAnswers, maxAnswerBytes, questionsFor } from "#domain/registrations/form/answers.ts";
import type { HoldDurations } from "#domain/registrations/holds/holds.ts";
import { holdUntil } from "#domain/registrations/holds/holds.ts";
import type { NewRegistration } from "#domain/registrations/record/new-registration.ts";
import { holdsSeat, isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { statusOf } from "#domain/registrations/record/statuses.ts";
import { answersSize } from "#domain/registrations/record/stored-form.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/schema/formats.ts";
import type { MappedEvent } from "./event.ts";
import { fitTo } from "./fit.ts";
import { eventKeyOf, eventName, steadyId, steadyUlid } from "./keys.ts";
import { type Mapped, mapped, Reading, Refused, type Row, studentNumber } from "./reading.ts";
import { stateFrom } from "./status.ts";

/** What the mapping of a registration needs in addition to its row. */
export interface RegistrationFacts {
  /** The event by its `<id>;<year>`. */
  readonly eventOf: (name: string) => MappedEvent | undefined;
  /** Canonical emails of the members. */
  readonly isMember: (email: string) => boolean;
  readonly holds: HoldDurations;
  /** Epoch milliseconds of the import. */
  readonly now: number;
  /** Of times without a zone. */
  readonly timeZone: string;
}

/**
 * A registration without fields that depend on the table: versions, generation, ticket. `createdAt` is 0 when the source
 * has no time.
 */
export type MappedRegistration = Omit<
  RegistrationRecord,
  "version" | "noticeVersion" | "generation" | "ticketId" | "holdExpiresAt"
>;

const fit = fitTo<Omit<NewRegistration, "dynamicResponses">>(schema);

/** Identifies the registration of a row. @returns undefined when the row has no person or no event */
export function registrationName(row: Row): { readonly email: string; readonly event: string } | undefined {
  const reading = new Reading(row);
  const email = reading.email("id", "email");
  const joined = row["eventID;year"];
  const key =
    typeof joined === "string"
      ? eventKeyOf(joined)
      : eventKeyOf(`${String(row.eventID ?? "")};${String(row.year ?? row.eventYear ?? "")}`);
  return email === undefined || key === undefined ? undefined : { email, event: eventName(key) };
}

const maxCharacters = 4_000;

type Answer = string | string[];

/** An answer that the event's question would not accept. It is kept unchanged, as a string or a list. */
function asGiven(value: unknown): Answer | undefined {
  if (Array.isArray(value)) {
    const entries = value.filter((one) => one !== null && typeof one !== "object").map((one) => clean(String(one)));
    return entries.length > 0 ? entries.slice(0, 100) : undefined;
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.trim() === "" ? undefined : clean(text);
}

const clean = (text: string): string => {
  const cut = [...text].slice(0, maxCharacters).join("");
  return formats.text.check(cut) ? cut : cut.replaceAll(/[^\P{Cc}\n\t]|\p{Surrogate}|[\u2028\u2029]/gu, "");
};

/** Answers by the new question ids, and the workshops among them. */
function answersOf(reading: Reading, { event, renamed }: MappedEvent, isPartner: boolean) {
  const responses: Record<string, Answer> = {};
  const choices: Record<string, string> = {};
  const given = reading.map("dynamicResponses");
  const questions = [...(event.registrationQuestions ?? []), ...(event.partnerRegistrationQuestions ?? [])];
  const ids =
    questionsFor({ isPartner }, event) === event.partnerRegistrationQuestions ? renamed.partner : renamed.attendee;
  for (const name of given?.names ?? []) {
    const value = given?.raw(name);
    if (value === null || value === undefined || value === "") continue;
    const id = ids.get(name) ?? name;
    if (isReserved(id) || id.length > 100) {
      given?.note("*", "left out: an answer under a reserved or too long id", { [name]: value }, null);
      continue;
    }
    const question = questions.find(({ questionId }) => questionId === id);
    const text = asGiven(value);
    if (text === undefined) continue;
    if (typeof value !== "string" && !Array.isArray(value)) {
      given?.note("*", "text instead of another type", value, text);
    }
    if (question === undefined) {
      const why = "kept: an answer to a question that the event no longer asks";
      given?.note("*", why, { [name]: value }, { [id]: text });
      responses[id] = text;
      continue;
    }
    try {
      const checked = checkAnswers([{ ...question, required: false }], { [id]: text });
      Object.assign(responses, checked.responses);
      Object.assign(choices, checked.choices);
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      const why = `kept: an answer that the question (${question.type}) no longer offers`;
      given?.note("*", why, { [name]: value }, { [id]: text });
      responses[id] = text;
    }
  }
  if (answersSize(responses) <= maxAnswerBytes) return { responses, choices };
  reading.note("dynamicResponses", "left out: all answers together are too large", responses, null);
  return { responses: {}, choices: {} };
}

function basicInformationOf(reading: Reading) {
  const given = reading.map("basicInformation");
  if (given === undefined) return {};
  const names = Object.keys(schema.properties.basicInformation.properties);
  const basic: Partial<Record<string, string>> = Object.fromEntries(names.map((name) => [name, given.text(name)]));
  const firstName = basic.fname ?? given.text("firstName");
  const lastName = basic.lname ?? given.text("lastName");
  given.leftOut(["email"]);
  const all = { ...basic, fname: firstName, lname: lastName };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Whether the event is over, so that unpaid seats are no longer held. */
const isOver = (event: EventRecord, now: number): boolean => {
  const { startsAt, deadline } = seatSettings(event);
  return event.isCompleted || (startsAt === noLimit ? deadline : startsAt) <= now;
};

/**
 * An unpaid seat remains unpaid only if a payment can follow: at a free event it is confirmed, and at an event that is over
 * it is cancelled.
 */
function stateOfUnpaid(
  status: RegistrationRecord["status"],
  event: EventRecord,
  person: Attendee,
  reading: Reading,
  now: number,
): RegistrationRecord["status"] {
  if (!isUnpaid({ status })) return status;
  if (amountOwed(event, person) === 0) {
    const confirmed = status === "incomplete" ? "registered" : "accepted";
    reading.note("registrationStatus", "confirmed: the event costs this person nothing", status, confirmed);
    return confirmed;
  }
  if (!isOver(event, now)) return status;
  reading.note("registrationStatus", "cancelled: never paid, and the event is over", status, "cancelled");
  return "cancelled";
}

/** The earliest time of a place in line: from here on epoch milliseconds have thirteen digits, and sort as strings. */
const earliest = 1e12;

export const mapRegistration = (row: Row, facts: RegistrationFacts): Mapped<MappedRegistration> =>
  mapped(row, (reading) => {
    const name = registrationName(row);
    const email = reading.key();
    for (const one of ["eventID;year", "eventID", "year", "eventYear"]) reading.raw(one);
    if (name === undefined) throw new Refused("the registration names no event");
    const found = facts.eventOf(name.event);
    if (found === undefined) throw new Refused("the event is not among the events");
    const { event } = found;
    const words = {
      registrationStatus: reading.text("registrationStatus") ?? "",
      applicationStatus: reading.text("applicationStatus") ?? "",
    };
    const isApplicationBased = event.isApplicationBased === true;
    const state = stateFrom(words, isApplicationBased);
    if (state === undefined) throw new Refused("the status is unknown");
    const isPartner = reading.flag("isPartner") ?? false;
    const person = { isMember: facts.isMember(email), isPartner };
    const status = stateOfUnpaid(statusOf(state), event, person, reading, facts.now);
    const isApplicant = state === "applicant";
    if (!isApplicant && status === statusOf(state) && status !== words.registrationStatus) {
      reading.note("registrationStatus", "the service's word for the status", words, status);
    }
    const basicInformation = basicInformationOf(reading);
    const { responses, choices } = answersOf(reading, found, isPartner);
    const points = reading.whole("points", 0, 1_000_000_000) ?? 0;
    const studentId = studentNumber(reading, "studentId");
    const fname = reading.text("fname") ?? basicInformation.fname ?? "";
    const { createdAt, updatedAt } = reading.times(facts.timeZone);
    const page = reading.text("checkoutLink", { most: 2_048 });
    if (page !== undefined) reading.note("checkoutLink", "left out: a payment page of the present backend", page, null);
    if (createdAt === 0) {
      if (status === "waitlist" && reading.raw("createdAt")) {
        throw new Refused("createdAt cannot be read, and the place in line depends on it");
      }
      const place = status === "waitlist" ? "first in line" : "the time of the import";
      reading.note("createdAt", `${place}, because the row has no time`);
    }
    reading.leftOut();
    const value = fit(
      { eventID: event.id, year: event.year, email, isPartner, basicInformation, studentId, ...(fname && { fname }) },
      reading,
    );
    const price = priceFor(event, person);
    const wasApplication = isApplicationBased || status.startsWith("accepted") || status === "rejected";
    const arrival = Math.max(createdAt, earliest);
    const steadyName = `${email} ${name.event}`;
    return {
      email,
      eventID: event.id,
      year: event.year,
      status,
      ...(isApplicant && { applicant: true }),
      ...(wasApplication && { applicationBased: true }),
      fname: value.fname ?? "",
      ...(value.studentId !== undefined && { studentId: value.studentId }),
      basicInformation: value.basicInformation ?? {},
      dynamicResponses: responses,
      choices,
      isPartner,
      ...(poolFor(event, isPartner) && { pool: poolFor(event, isPartner) }),
      joined: "admin/import",
      points,
      ...(price !== "members-only" && { entryPrice: price }),
      queueKey: `${arrival}#${steadyUlid(arrival, steadyName)}`,
      calendarUid: steadyId(`calendar ${steadyName}`),
      ...(status === "checkedIn" && {
        cameFrom: !isApplicationBased
          ? ("registered" as const)
          : amountOwed(event, person) > 0
            ? ("acceptedComplete" as const)
            : ("accepted" as const),
        checkedInAt: updatedAt,
      }),
      ...(status === "cancelled" && {
        left: isUnpaid({ status: statusOf(state) }) ? ("clock/import" as const) : ("admin/import" as const),
      }),
      createdAt,
      updatedAt,
    };
  });

/** The event in which a partner's row takes a seat. Undefined for every other row. */
export function partnersSeatIn(row: Row): string | undefined {
  const reading = new Reading(row, []);
  const said = (name: string) => reading.text(name) ?? "";
  const words = { registrationStatus: said("registrationStatus"), applicationStatus: said("applicationStatus") };
  const state = stateFrom(words, words.applicationStatus !== "");
  const takesSeat = state !== undefined && state !== "applicant" && holdsSeat({ status: state });
  return reading.flag("isPartner") && takesSeat ? registrationName(row)?.event : undefined;
}

/** The end of the hold of an imported unpaid seat, epoch milliseconds. */
export const importedHold = (event: EventRecord, { holds, now }: Pick<RegistrationFacts, "holds" | "now">): number =>
  holdUntil(now, holds.acceptance, seatSettings(event).startsAt);
