/**
 * Writes registrations with the service's own transaction members: place in line, hold and points. The event's counts
 * change in the same transaction. There are no messages, so no person is notified.
 */

import type { Seats } from "#domain/capacity/seats.ts";
import { seatsKey } from "#domain/capacity/seats.ts";
import { newTicketId } from "#domain/registrations/links/ticket-code.ts";
import { holderOf, isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Transaction } from "#kit/table/table.ts";
import type { MappedEvent } from "../map/event.ts";
import { eventKeyOf as eventIn, eventName } from "../map/keys.ts";
import { importedHold, type MappedRegistration } from "../map/registration.ts";
import type { Mapping, Taken } from "../source/survey.ts";
import type { Decided, Find, Plan } from "./batches.ts";
import { noteKey, putNote } from "./notes.ts";
import { countsAfter, replaceCounts, type TakenOver } from "./taken-over.ts";
import { type Verdict, verdictOn } from "./verdict.ts";

const keyOf = ({ email, eventID, year }: MappedRegistration) =>
  registrationKey({ email, event: { id: eventID, year } });

/** The members of a change without its messages, so that no notices are sent. */
function silent(change: Parameters<typeof membersOf>[0], context: RequestContext): Transaction {
  const { message: _message, refund: _refund, ...members } = membersOf(change, context);
  return members;
}

interface Change extends Decided {
  readonly seats?: TakenOver;
}

const untouched = (verdict: Verdict): Change => ({ verdict, members: {} });

function decideRegistration(
  { record: mapped, name }: Taken<MappedRegistration>,
  { event }: MappedEvent,
  { values, now }: Pick<Mapping, "values" | "now">,
  context: RequestContext,
  find: Find,
): Change {
  const item = find(keyOf(mapped));
  const stored = item && registrationIn(item);
  if (stored?.status === "deleted") return untouched("deleted here");
  const verdict = verdictOn(find(noteKey("registrations", name)), stored);
  if (verdict !== "new") return untouched(verdict);
  const after: RegistrationRecord = {
    ...mapped,
    createdAt: mapped.createdAt || now,
    updatedAt: mapped.updatedAt || now,
    ticketId: newTicketId(),
    generation: event.generation,
    version: 1,
    noticeVersion: 1,
    ...(isUnpaid(mapped) && { holdExpiresAt: importedHold(event, { ...values, now }) }),
  };
  // A required argument; the message is removed again.
  const message = { type: "user.created", data: { email: after.email } } as const;
  return {
    verdict,
    seats: { after: holderOf(after), waits: after.status === "waitlist", pool: after.pool },
    members: {
      ...silent({ before: undefined, after, message, audit: "nothing" }, context),
      note: putNote("registrations", name, now),
    },
  };
}

export function registrationPlan(mapping: Mapping, context: RequestContext): Plan<MappedRegistration> {
  const eventOf = (name: string): MappedEvent | undefined => mapping.events.get(name);
  return {
    // At most five members per registration, and one for the seats: less than 100.
    most: 16,
    keysOf: ({ record, name }) => [keyOf(record), noteKey("registrations", name)],
    decide: () => untouched("deleted here"),
    together: {
      laneOf: ({ record: { eventID, year } }) => eventName({ id: eventID, year }),
      keysOf(lane) {
        const key = eventIn(lane);
        return key ? [seatsKey(key)] : [];
      },
      decide(lane, batch, find) {
        const mapped = eventOf(lane);
        const seats = mapped && (find(seatsKey(mapped.event)) as unknown as Seats | undefined);
        // In a dry run the event may not exist yet.
        const isNew = mapped !== undefined && seats === undefined && mapped.event.generation === "";
        const isHere = seats !== undefined && seats.state !== "DELETED";
        if (!mapped || !(isNew || (isHere && seats.generation === mapped.event.generation))) {
          return { members: {}, each: batch.map(() => untouched("deleted here")) };
        }
        const each = batch.map((taken) => decideRegistration(taken, mapped, mapping, context, find));
        const changes = each.flatMap(({ seats: change }) => (change ? [change] : []));
        if (!seats || changes.length === 0) return { members: {}, each };
        return { members: { seats: replaceCounts(mapped.event, countsAfter(seats, changes), seats) }, each };
      },
    },
  };
}
