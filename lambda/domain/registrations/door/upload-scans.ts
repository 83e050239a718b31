/** Scans that devices upload: each is stored, and the check-in follows from all scans of its ticket (`scans.ts`). */

import { type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { NotFound } from "#kit/errors.ts";
import { itemsOf, type Page, type PageRequest, queryPage } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { ttlAfter } from "#kit/table/item.ts";
import { getItem, getNamed, type Item, isAsRead, type Key, putIf, type TransactItem } from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import { ticketIn } from "../links/ticket-code.ts";
import { factOf, type RegistrationRecord } from "../record/registration.ts";
import { stateOf } from "../record/statuses.ts";
import { registrationIn } from "../record/stored-form.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf, moved } from "../store/change.ts";
import { registrationKey } from "../store/store.ts";
import { arrival, bearerAt, bearersOf, comesAlong } from "./bearers.ts";
import { checkInMove, undoMove } from "./check-in.ts";
import { type AtDoor, countUnknownMark, mostUnknownMarks } from "./devices.ts";
import { checkedInBy, doorName, type emailsByMark, markOfCode, markOfTicket } from "./door-list.ts";
import { correctedTime, eveningOf } from "./evening.ts";
import {
  asTheyCount,
  bounded,
  type CheckedInBy,
  entriesOf,
  type NewScan,
  type Reason,
  reasons,
  type Scan,
  type Ticket,
  withScan,
} from "./scans.ts";

const daysKept = 400;

/** A row of a request, by the clock of the device. */
export interface UploadedScan extends Pick<NewScan, "nonce" | "admitted" | "undoes"> {
  /** One of the two. */
  readonly code?: string | undefined;
  readonly mark?: string | undefined;
  readonly scannedAt: number;
  readonly device?: string | undefined;
}

/** The scans of one ticket, as stored. */
export interface TicketScans {
  readonly mark: string;
  /** Absent: the code is not one of the event's tickets. */
  readonly email?: string | undefined;
  /** Of a plus-one. */
  readonly ticketId?: string | undefined;
  readonly scans: readonly Scan[];
  /** Counts the writes, from 1. */
  readonly version: number;
}

/** The scans of an event belong to one generation of it. */
type OfGeneration = Pick<EventRecord, "id" | "year" | "generation">;

const scansKey = ({ id, year, generation }: OfGeneration, mark: string): Key =>
  keyOf("scans of a ticket", { id, year, generation, mark });

/** Replaces the scans of a ticket. Refused when they have changed since they were read. */
export const putScans = (
  event: OfGeneration,
  after: TicketScans,
  read: TicketScans | undefined,
  now: number,
): TransactItem => putIf({ ...scansKey(event, after.mark), ...after, ttl: ttlAfter(now, daysKept) }, isAsRead(read));

/** How the person is in; undefined: they are not. */
const entryOf = (registration: RegistrationRecord | undefined): CheckedInBy | undefined =>
  registration?.status === "checkedIn" ? (registration.checkedInBy ? "scan" : "executive") : undefined;

/** The person's registration for this generation of the event. */
const registrationAt = ({ generation }: OfGeneration, item: Item | undefined) =>
  item?.generation === generation ? registrationIn(item) : undefined;

/** A page of the event's tickets that were scanned, by mark, with the scans as they count now. */
export async function pageOfScans(event: OfGeneration, { limit, after }: PageRequest): Promise<Page<TicketScans>> {
  const page = await queryPage<TicketScans>(itemsOf(partitionOf("scans of a ticket", event), after), {
    limit,
    sortKeyOf: ({ mark }) => mark,
  });
  const named = page.rows.flatMap(({ mark, email }) =>
    email ? [[mark, registrationKey({ email, event })] as const] : [],
  );
  const items = await getNamed<Record<string, Item>>(Object.fromEntries(named), "strong");
  const rows = page.rows.map(({ ticketId, ...ticket }) => {
    const registration = registrationAt(event, items[ticket.mark]);
    const bearers = registration ? bearersOf(registration) : [];
    const bearer = ticketId === undefined ? bearers[0] : bearers.find((one) => one.ticketId === ticketId);
    return { ...ticket, scans: asTheyCount(ticket.scans, entryOf(bearer)) };
  });
  return { ...page, rows };
}

/** The ticket that was scanned. */
interface ScannedTicket {
  readonly mark: string;
  readonly email?: string | undefined;
  /** Why it is none of the event's tickets. */
  readonly reason?: Reason;
}

/** An upload of scans at a door. */
interface Upload extends AtDoor {
  /** When the device sent the request, by its clock. */
  readonly sentAt: number;
  /** Seals ticket codes. */
  readonly key: string;
  readonly emailOf: ReturnType<typeof emailsByMark>;
}

async function scannedBy({ code, mark = "" }: UploadedScan, { event, key, emailOf }: Upload): Promise<ScannedTicket> {
  if (code === undefined) {
    // The list may lack a person who has just registered, and has been scanned.
    const known = await getItem<TicketScans>(scansKey(event, mark), "strong");
    const email = known?.email ?? (await emailOf(mark));
    return email === undefined ? { mark, reason: reasons.unknown } : { mark, email };
  }
  const scanned = { mark: markOfCode(code.trim()) };
  const ticket = ticketIn(code, key);
  if (!ticket) return { ...scanned, reason: reasons.unknown };
  const isOfEvent = ticket.eventID === event.id && ticket.year === event.year;
  return isOfEvent ? { ...scanned, email: ticket.email } : { ...scanned, reason: reasons.otherEvent };
}

/** @param isLetIn a person at the door has decided it */
function ticketOf(
  { mark, reason }: ScannedTicket,
  registration: RegistrationRecord | undefined,
  key: string,
  isLetIn: boolean,
): Ticket {
  const invalid = (why: Reason): Ticket => ({ is: "invalid", reason: why });
  if (reason !== undefined) return invalid(reason);
  if (!registration) return invalid(reasons.unknown);
  if (markOfTicket(registration, key) !== mark) return invalid(reasons.replaced);
  const by = entryOf(registration);
  if (by) return { is: "in", by };
  if (registration.refunded && !isLetIn) return invalid(reasons.refunded);
  if (checkInMove(registration)) return { is: "valid" };
  return invalid(registration.status === "deleted" ? "cancelled" : stateOf(registration));
}

/**
 * The members that make the registration follow the first scan, and the registration then.
 * @param bearer the registration as the door sees the ticket
 */
function followed(
  registration: RegistrationRecord | undefined,
  bearer: RegistrationRecord | undefined,
  ticket: Ticket,
  first: Scan | undefined,
  context: RequestContext,
): { readonly after: RegistrationRecord | undefined; readonly members?: ReturnType<typeof membersOf> } {
  const checkIn = first && { checkedInAt: first.at, checkedInBy: { device: first.device, nonce: first.nonce } };
  const isUnchanged = ticket.is === "in" && (ticket.by === "executive" || first?.nonce === bearer?.checkedInBy?.nonce);
  if (!registration || !bearer || ticket.is === "invalid" || isUnchanged) return { after: registration };
  if (comesAlong(registration, bearer)) {
    const isMoved = ticket.is === "in" || checkIn !== undefined;
    return isMoved ? arrival(registration, bearer, checkIn ?? {}, context) : { after: registration };
  }
  if (ticket.is === "in" && checkIn) {
    const after = { ...registration, ...checkIn, ...rewritten(context, registration) };
    const message = { type: "registration.updated", data: factOf(after) } as const;
    return { after, members: membersOf({ before: registration, after, message, audit: "fields" }, context) };
  }
  const move = ticket.is === "in" ? undoMove(registration) : checkIn && checkInMove(registration);
  if (!move) return { after: registration };
  return moved(registration, move, "recount", registration, context, { audit: "fields", fields: checkIn });
}

/** What the device hears: the check-in is `first`, and `again` another scan with which the ticket entered. */
function resultOf(scan: Scan, scans: readonly Scan[], mark: string, registration?: RegistrationRecord) {
  const { nonce, outcome, reason } = scan;
  const device = registration && checkedInBy(registration);
  const name = registration && doorName(registration);
  const other = outcome === "again" ? scan : entriesOf(scans).find((entry) => entry !== scan);
  const isEntry = outcome === "again" || outcome === "checkedIn";
  return {
    nonce,
    outcome,
    ...(reason !== undefined && { reason }),
    mark,
    // A deleted registration has no name any more.
    ...(name && { name }),
    ...(registration && { state: stateOf(registration) }),
    ...(device !== undefined && { first: { device, at: registration?.checkedInAt } }),
    ...(isEntry && other && { again: { device: other.device, at: other.at } }),
  };
}

type ScanResult = Pick<ReturnType<typeof resultOf>, "nonce" | "outcome" | "mark">;

/**
 * Stores a scan, and checks the person in, or out, as all scans of the ticket require. Repeating it changes nothing. Of
 * marks that are no ticket, only the first of a device are stored; the result of another says so.
 * @throws NotFound the event was deleted
 * @throws Contended nothing was written
 * @throws UnknownOutcome the scan may have been stored
 */
export async function uploadScan(row: UploadedScan, at: Upload, context: RequestContext) {
  const { device, event, sentAt, key } = at;
  const scanned = await scannedBy(row, at);
  const { mark, email } = scanned;
  const added: NewScan = {
    nonce: row.nonce,
    at: correctedTime(row.scannedAt, sentAt, context.now, eveningOf(event)),
    receivedAt: context.now,
    device: row.device ?? device.name,
    deviceId: device.id,
    admitted: row.admitted,
    undoes: row.undoes,
  };
  return execute(
    {
      async read(isFull = (device.unknownMarks ?? 0) >= mostUnknownMarks) {
        const registration = email === undefined ? {} : { registration: registrationKey({ email, event }) };
        const keys = { known: scansKey(event, mark), seats: seatsKey(event), ...registration };
        const found = await getNamed<{ known: TicketScans; seats: Seats; registration: Item }>(keys, "strong");
        return { ...found, isFull };
      },
      decide({ known, seats, registration: item, isFull }): Decision<ScanResult, true | undefined> {
        if (seats?.state === "DELETED" || seats?.generation !== event.generation) throw new NotFound("Event");
        const scans = known?.scans ?? [];
        const registration = registrationAt(event, item);
        const asSeen = (one: RegistrationRecord | undefined) =>
          one && bearerAt(one, mark, (bearer) => markOfTicket(bearer, key));
        const bearer = asSeen(registration);
        const counted = asTheyCount(scans, entryOf(bearer));
        const stored = counted.find(({ nonce }) => nonce === added.nonce);
        if (stored) return answer(resultOf(stored, counted, mark, bearer));
        const ticket = ticketOf(scanned, bearer, key, row.admitted === true);
        const all = withScan(scans, added, ticket);
        const { after, members } = followed(registration, bearer, ticket, entriesOf(all)[0], context);
        const result = resultOf(all.at(-1) as Scan, all, mark, asSeen(after));
        const isUnknown = email === undefined && !known;
        if (isUnknown && isFull) return answer({ ...result, reason: reasons.notStored });
        const isOfPlusOne = registration && bearer && comesAlong(registration, bearer);
        const ticketId = isOfPlusOne ? bearer.ticketId : known?.ticketId;
        const next = {
          ...{ mark, email: email ?? known?.email, scans: bounded(all), version: (known?.version ?? 0) + 1 },
          ...(ticketId !== undefined && { ticketId }),
        };
        const stores = {
          ...members,
          scans: putScans(event, next, known, context.now),
          ...(isUnknown && { device: countUnknownMark(at) }),
        };
        return write(stores, result, (refused) => ("device" in refused ? true : undefined));
      },
    },
    context,
  );
}
