/** The request and result of an admission, and the records that it depends on. */

import type { PlaceInLine } from "#domain/capacity/place-in-line.ts";
import { type Seats, seatsKey } from "#domain/capacity/seats.ts";
import { type CodeRecord, codeIdOf } from "#domain/codes/code.ts";
import { readCode } from "#domain/codes/store.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import { type UserRecord, userKey } from "#domain/people/users/store.ts";
import { type Consistency, getNamed, type Item, recordOf } from "#kit/table/table.ts";
import type { AskedCode } from "./form/eligibility.ts";
import type { EntryOrigin } from "./record/acts.ts";
import type { NewRegistration } from "./record/new-registration.ts";
import { codeInUse, type RegistrationRecord, type RegistrationStatus } from "./record/registration.ts";
import { registrationIn } from "./record/stored-form.ts";
import { registrationKey } from "./store/store.ts";

export interface EntryRequest {
  readonly form: NewRegistration;
  readonly origin: EntryOrigin;
  /** Who may register without an account, where the event does not say. */
  readonly guests?: GuestsAllowed;
  /** The person registers again by the link to the registration whose ticket has this hash, having seen this status of it. */
  readonly linked?: {
    readonly ticketHash: string;
    readonly seenStatus?: RegistrationStatus | undefined;
    readonly hasAccount: boolean;
  };
  /** The person's registration before, whose code counts again if the form has none. */
  readonly former?: Pick<RegistrationRecord, "code" | "generation"> | undefined;
  /** Points that an admin assigns with the registration. */
  readonly points?: number | undefined;
}

export const eventAskedFor = ({ form }: EntryRequest): EventKey => ({ id: form.eventID, year: form.year });

export interface Admission {
  readonly registration: RegistrationRecord;
  /** The place in line, if the person waits and it is known. */
  readonly place?: PlaceInLine | undefined;
}

type AdmissionItems = { event: EventRecord; seats: Seats; user: UserRecord; registration: Item };

/** Reads event, seats, account and registration of a person in one batch. */
export async function readAdmissionFacts(
  { eventID, year, email }: { eventID: string; year: number; email: string },
  consistency: Consistency,
) {
  const eventKey: EventKey = { id: eventID, year };
  const keys = {
    event: eventKeyOf(eventKey),
    seats: seatsKey(eventKey),
    user: userKey(email),
    registration: registrationKey({ email, event: eventKey }),
  };
  const { event, seats, user, registration } = await getNamed<AdmissionItems>(keys, consistency);
  return {
    event: event && recordOf<EventRecord>(event),
    seats,
    user,
    registration: registration && registrationIn(registration),
  };
}

/** Reads the code that a request asks for. Undefined without one, and without a read. */
export async function readAskedCode(
  { form: { code }, former }: Pick<EntryRequest, "form" | "former">,
  event: EventRecord | undefined,
): Promise<AskedCode | undefined> {
  if (!event) return undefined;
  if (code !== undefined) return { found: await readCode(event, codeIdOf(event.generation, code)), isFormer: false };
  if (!former?.code || former.generation !== event.generation) return undefined;
  return { found: await readCode(event, former.code.id), isFormer: true };
}

/** Reads the code of which a registration would take a use again. Undefined where it has none, or has the use. */
export async function readLostCode(
  registration: RegistrationRecord | undefined,
): Promise<CodeRecord | "gone" | undefined> {
  if (!registration?.code || codeInUse(registration)) return undefined;
  const { eventID: id, year, generation, code } = registration;
  return (await readCode({ id, year, generation }, code.id)) ?? "gone";
}
