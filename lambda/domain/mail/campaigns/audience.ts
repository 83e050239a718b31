/** The audience of a campaign: the people who get its mail. */

import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import type { MemberRecord } from "#domain/people/members/member.ts";
import { isCurrent } from "#domain/people/members/terms.ts";
import { allErasures, type Erasure, isPseudonym } from "#domain/people/users/erasures.ts";
import { allMembers } from "#domain/people/users/person-records.ts";
import { holdsSeat, isUnpaid } from "#domain/registrations/record/registration.ts";
import type { RegistrationStatus, Stated } from "#domain/registrations/record/statuses.ts";
import { registrationsOf } from "#domain/registrations/store/store.ts";
import { type Issue, NotFound, ValidationFailed } from "#kit/errors.ts";
import { allOf, queryItems } from "#kit/lists/pages.ts";
import { timeOf } from "#kit/request/context.ts";
import { distinct, eventText, named, type OpenAudience, type Recipient } from "./campaign.ts";

/** The audience of a request: exactly one of the three kinds. */
export interface AskedAudience {
  readonly eventID?: string;
  readonly year?: number;
  readonly status?: readonly RegistrationStatus[];
  readonly members?: boolean;
  readonly emails?: readonly string[];
}

/** The audience of a campaign, one of three kinds. */
export type Audience =
  | { readonly kind: "event"; readonly event: EventKey; readonly status?: readonly RegistrationStatus[] }
  | { readonly kind: "members" }
  | { readonly kind: "emails"; readonly emails: readonly string[] };

/** @throws ValidationFailed the request names none of the three kinds, or several */
export function audienceFrom({ eventID, year, status, members, emails }: AskedAudience): Audience {
  const refuse = (path: string, message: string): never => {
    throw new ValidationFailed([{ path: `/audience${path}`, message } satisfies Issue]);
  };
  const namesEvent = eventID !== undefined || year !== undefined || status !== undefined;
  if ([namesEvent, members !== undefined, emails !== undefined].filter(Boolean).length !== 1) {
    return refuse("", 'must be one of { eventID, year, status? }, { "members": true }, { emails }');
  }
  if (emails !== undefined)
    return emails.length > 0 ? { kind: "emails", emails } : refuse("/emails", "must have at least one address");
  if (members !== undefined) return members ? { kind: "members" } : refuse("/members", "must be true");
  if (eventID === undefined) return refuse("/eventID", "is required");
  if (year === undefined) return refuse("/year", "is required");
  // An empty list would otherwise mean all people with a seat.
  if (status?.length === 0) return refuse("/status", "must have at least one status, or be absent");
  return { kind: "event", event: { id: eventID, year }, ...(status && { status }) };
}

/** A confirmed seat admits at the door: no payment or decision is pending. */
const isConfirmed = (registration: Stated): boolean => holdsSeat(registration) && !isUnpaid(registration);

/** Whether a registration belongs to the audience; without `status`, the one with a confirmed seat. Pure. */
export const isMeant = (registration: Stated, status?: readonly RegistrationStatus[]): boolean =>
  status ? (status as readonly string[]).includes(registration.status) : isConfirmed(registration);

async function registered({ id, year, generation }: EventRecord, status?: readonly RegistrationStatus[]) {
  const [rows, erasures] = await Promise.all([
    allOf(registrationsOf({ id, year })),
    allOf(queryItems<Erasure>(allErasures())),
  ]);
  const deletedAt = new Map(erasures.map((erasure) => [erasure.email, erasure.deletedAt]));
  const isDeleted = ({ email, queueKey }: Pick<(typeof rows)[number], "email" | "queueKey">) =>
    isPseudonym(email) || timeOf(queueKey) <= (deletedAt.get(email) ?? 0);
  return rows
    .filter((row) => row.generation === generation && isMeant(row, status) && !isDeleted(row))
    .map((row) => named(row.email, row.fname || row.basicInformation.fname, row.basicInformation.lname));
}

async function members(now: number) {
  const all = await allOf(queryItems<MemberRecord>(allMembers()));
  const current = all.filter((member) => isCurrent(member, now));
  return current.map(({ email, firstName, lastName }) => named(email, firstName, lastName));
}

/** A list has addresses only. send-campaign reads the names from the accounts. */
const listed = (emails: readonly string[]): Recipient[] => distinct(emails.map((email) => ({ email })));

/** The event of an audience; undefined where it has none. @throws NotFound no such event */
export async function eventOf(audience: Audience): Promise<EventRecord | undefined> {
  if (audience.kind !== "event") return undefined;
  const event = await readEvent(audience.event);
  if (!event) throw new NotFound("Event");
  return event;
}

/**
 * Each person of an audience once.
 * @param event of the audience
 * @param now epoch milliseconds
 */
export async function peopleOf(audience: Audience, event: EventRecord | undefined, now: number): Promise<Recipient[]> {
  if (audience.kind === "emails") return listed(audience.emails);
  return distinct(event && audience.kind === "event" ? await registered(event, audience.status) : await members(now));
}

/** The audience of a campaign at a time, as it is stored until then. A list is stored as batches. */
export function openAudience(audience: Audience, event: EventRecord | undefined): OpenAudience {
  if (!event || audience.kind !== "event") return { kind: audience.kind === "members" ? "members" : "emails" };
  const { id, year, generation } = event;
  return { kind: "event", event: { id, year, generation }, ...(audience.status && { status: audience.status }) };
}

/** The audience as a campaign stores it: without addresses. */
export const audienceText = (audience: Audience): string =>
  audience.kind === "event" ? eventText(audience.event) : audience.kind;
