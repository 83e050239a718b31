/**
 * A person's new email (`docs/contract.md`, "A person's data"). When both addresses have confirmed, one transaction moves
 * account, membership, registrations with their places in line, points and games, and puts a note under the former address,
 * by which a consumer moves the rest (`follow.ts`). Seats and counts are not touched, so they cannot change. A registration
 * that changes meanwhile refuses the transaction, which then decides again.
 */

import { isOver } from "#domain/events/dates.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import { heldForSession, type LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import { latestCheckoutKey } from "#domain/payments/checkout/store.ts";
import { EmailNotChangeable } from "#domain/people/refusals.ts";
import { admitFormMail } from "#domain/people/sign-ups/admit.ts";
import type { CodeMailLimits } from "#domain/people/sign-ups/limits.ts";
import { allErasures, beginErasure, type Erasure, isPseudonym } from "#domain/people/users/erasures.ts";
import {
  isOpen,
  type NewEmail,
  putConfirmed,
  putMoved,
  putRequest,
  readNewEmail,
} from "#domain/people/users/new-email.ts";
import { noticeOf } from "#domain/registrations/amend/resend-ticket.ts";
import { linkNotValid } from "#domain/registrations/links/link.ts";
import type { NewEmailLink } from "#domain/registrations/links/new-email-link.ts";
import { newTicketId } from "#domain/registrations/links/ticket-code.ts";
import {
  factOf,
  isLive,
  type RegistrationRecord,
  registeredAtOf,
  tombstoneOf,
} from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { registrationItem } from "#domain/registrations/store/store.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import { inAdminDomain } from "#kit/request/caller.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, readAgain, write, writeOnce } from "#kit/table/execute.ts";
import { valueSize } from "#kit/table/item-size.ts";
import { retried } from "#kit/table/retry.ts";
import {
  checkIf,
  deleteIf,
  getItems,
  type Item,
  isAbsent,
  type Key,
  putIf,
  putNew,
  type TransactItem,
  type Transaction,
} from "#kit/table/table.ts";
import { outboxRow } from "#outbox/store.ts";
import { partitionOf, storedKindOf } from "#outbox/stored-kinds.ts";
import { leadsTo } from "./find.ts";
import { fateOf, renamed, unchanged } from "./renamed.ts";

const sentences = {
  admins: "Addresses of the club say who is an executive: they cannot be changed, and no other address can become one.",
  moving: "This email is being changed already. Please wait a minute.",
  deleted: "One of the addresses was deleted, or given up, in the last sixty days. Please take another one.",
  taken: "Something is stored about this address already. Delete it first, or take another address.",
  unpaid: "A payment is open. Please pay, or cancel what it is for, and wait until its page has ended.",
  refund: "A refund is on its way. Please wait until it has arrived.",
} as const;

const tooMany = "Too many mails were sent to this address. Please try again later.";

export interface NewEmailSettings {
  readonly adminDomain: string;
  readonly mails: CodeMailLimits;
}

/** What is stored in the partition of a person. */
export const recordsIn = (email: string): Promise<Item[]> =>
  allOf(queryItems<Item>(itemsOf(partitionOf("account", { email }))));

/**
 * Stores the request and mails the links. It reads nothing about the new address, so neither its answer nor its time says
 * whether that is known.
 * @throws ValidationFailed NotFound EmailNotChangeable TooOften
 */
export async function askForNewEmail(
  { email, to }: Pick<NewEmail, "email" | "to">,
  { adminDomain, mails }: NewEmailSettings,
  context: RequestContext,
): Promise<void> {
  const { now, actor } = context;
  if (to === email) throw new ValidationFailed([{ path: "/email", message: "is the present email" }]);
  if (isPseudonym(to)) throw new ValidationFailed([{ path: "/email", message: "is not an address" }]);
  if ([email, to].some((one) => inAdminDomain(one, adminDomain))) throw new EmailNotChangeable(sentences.admins);
  const own = await retried(() => recordsIn(email), context);
  if (!own.some((item) => fateOf(item) === "moves")) throw new NotFound("User");
  await admitFormMail("changed email", to, mails, tooMany, context);
  const isByOther = actor !== email;
  const request: NewEmail = {
    ...{ email, to, requestId: newTicketId() },
    confirmed: isByOther ? { former: now } : {},
    ...(isByOther && { by: actor }),
  };
  // The message's row is the audit's, too.
  const members = {
    request: putRequest(request, now),
    message: outboxRow({ type: "email.requested", data: { email } }, context),
  };
  if (await writeOnce(members, context)) throw new EmailNotChangeable(sentences.moving);
}

interface Facts {
  readonly request: NewEmail | undefined;
  /** The partition of the former address. */
  readonly own: readonly Item[];
  /** What it leads to elsewhere, and moves with it. */
  readonly led: readonly Item[];
  /** Something is stored in the partition of the new address. */
  readonly isTaken: boolean;
  /** Which of the addresses have a deletion under way. */
  readonly deleted: readonly string[];
  readonly events: readonly EventRecord[];
}

const registrationsIn = (items: readonly Item[]): Item[] =>
  items.filter((item) => storedKindOf(item) === "registration").sort(byTime);

/** The latest first. */
const byTime = (one: Item, other: Item): number =>
  registeredAtOf(registrationIn(other)) - registeredAtOf(registrationIn(one));

/** The events of registrations that a mail may be about. */
export const eventsOf = (registrations: readonly Item[]): Promise<EventRecord[]> =>
  getItems<EventRecord>(
    registrations
      .filter(({ status }) => status !== "deleted" && status !== "cancelled")
      .map(registrationIn)
      .map(({ eventID: id, year }) => eventKeyOf({ id, year })),
    "strong",
  );

async function read({ email }: NewEmailLink): Promise<Facts> {
  const [request, own] = await Promise.all([readNewEmail(email), recordsIn(email)]);
  const to = request?.to ?? email;
  const [led, taken, notes, events] = await Promise.all([
    getItems<Item>(
      own.filter((item) => fateOf(item) === "moves").flatMap((item) => leadsTo(item, email)),
      "strong",
    ),
    recordsIn(to),
    allOf(queryItems<Erasure & Item>(allErasures())),
    eventsOf(registrationsIn(own)),
  ]);
  const deleted = notes.map((note) => note.email).filter((one) => one === email || one === to);
  return { request, own, led, isTaken: taken.length > 0, deleted, events };
}

/** Whether the provider may still take money for it. */
const isPayable = ({ closed, expiresAt, ...latest }: LatestCheckout, now: number): boolean =>
  !closed && heldForSession({ ...latest, expiresAt }) > now;

/**
 * Why the email cannot be changed now, if it cannot.
 * @param mayKnow the new address has confirmed: until then no other person hears whether it is known
 * @param now epoch milliseconds
 */
function reasonAgainst({ request, own, isTaken, deleted }: Facts, mayKnow: boolean, now: number): string | undefined {
  const of = (...kinds: string[]) => own.filter((item) => kinds.includes(storedKindOf(item) ?? ""));
  if (isTaken && mayKnow) return sentences.taken;
  if (deleted.some((one) => mayKnow || one !== request?.to)) return sentences.deleted;
  if (of("registration").some(({ holdExpiresAt }) => holdExpiresAt !== undefined)) return sentences.unpaid;
  const latest = of("latest checkout of an event", "latest checkout of the membership") as unknown as LatestCheckout[];
  if (latest.some((checkout) => isPayable(checkout, now))) return sentences.unpaid;
  const refunds = of("own refund");
  return refunds.some(({ state }) => state !== "succeeded" && state !== "failed") ? sentences.refund : undefined;
}

/** The mail with the new ticket and link of a registration, if there is one: those of before contain the former email. */
function newTicket(registration: RegistrationRecord, events: readonly EventRecord[], context: RequestContext) {
  const { eventID, year, status, ofDeletedAccount } = registration;
  const event = events.find((one) => one.id === eventID && one.year === year);
  const isPast = !event || !isLive(registration, event.generation) || isOver(event, context.now);
  if (isPast || status === "rejected" || ofDeletedAccount) return undefined;
  const data = { ...factOf(registration), notice: noticeOf(registration) };
  return outboxRow({ type: "registration.updated", data }, context);
}

const isSame = (one: Key, other: Key): boolean => one.PK === other.PK && one.SK === other.SK;

/**
 * What stays of a registration under the former email: a tombstone, as mails were sent about it. It has no id and no time of
 * the one that has moved.
 */
const givenUp = (registration: RegistrationRecord, { now, queueKey }: RequestContext): RegistrationRecord => {
  const {
    again: _again,
    amended: _amended,
    gave: _gave,
    held: _held,
    ...tombstone
  } = tombstoneOf(registration, { now }, { quietly: true });
  const ids = { ticketId: newTicketId(), calendarUid: newTicketId() };
  return { ...tombstone, ...ids, queueKey, createdAt: now, noticeVersion: tombstone.version };
};

/**
 * The members that put an item, with what it leads to, under the new email. `item` is refused when there is one already.
 * Undefined when a place in line is missing: it was read in the middle of a change.
 * @param led items elsewhere, perhaps also of others
 */
export function membersFor(
  item: Item,
  { email, to, led, events }: Pick<NewEmail, "email" | "to"> & Pick<Facts, "led" | "events">,
  context: RequestContext,
): Transaction | undefined {
  const other = renamed(item, email, to);
  const pointers = leadsTo(item, email).flatMap((key) => led.filter((one) => isSame(one, key)));
  const registration = storedKindOf(item) === "registration" ? registrationIn(item) : undefined;
  const isWaiting = registration?.status === "waitlist";
  if (isWaiting && pointers.length === 0) return undefined;
  const moved = pointers.flatMap((pointer, at) => {
    const next = renamed(pointer, email, to);
    if (isSame(next, pointer)) return [[`pointer${at}`, putIf(next, unchanged(pointer))] as const];
    return [[`pointer${at}`, deleteIf(pointer, unchanged(pointer))] as const, [`next${at}`, putNew(next)] as const];
  });
  return {
    former: registration
      ? putIf(registrationItem(givenUp(registration, context)), unchanged(item))
      : deleteIf(item, unchanged(item)),
    item: putNew(other),
    ...Object.fromEntries(moved),
    ticket: registration && newTicket({ ...registration, email: to }, events, context),
  };
}

/**
 * DynamoDB's limits of a transaction are a hundred members and 4 MB. Both the former items and the new ones count here, and
 * half a megabyte is left for keys, tickets and messages.
 */
const most = { members: 100, bytes: 3_500_000 };

const isGame = (item: Item): boolean => storedKindOf(item) === "account in the game";

/** The condition that no payment for a membership has begun since the read. */
function noNewCheckout(email: string, own: readonly Item[]): TransactItem {
  const key = latestCheckoutKey(email, undefined);
  const read = own.find((item) => isSame(item, key));
  if (!read) return checkIf(key, isAbsent);
  return checkIf(key, { ConditionExpression: "id = :id", ExpressionAttributeValues: { ":id": read.id } });
}

/** Everything that moves at once; the oldest registrations follow when it is more than one transaction takes. */
function moveMembers(
  request: NewEmail,
  confirmed: NewEmail["confirmed"],
  facts: Facts,
  context: RequestContext,
): Transaction | undefined {
  const { email, to } = request;
  const { own } = facts;
  const members: Record<string, Transaction[string]> = {
    request: putMoved(request, confirmed, context.now),
    erasure: beginErasure(email, "self/account", context).erasure,
    message: outboxRow({ type: "user.emailChanged", data: { email } }, context),
    unpaid: noNewCheckout(email, own),
  };
  const moving = own.filter((item) => fateOf(item) === "moves");
  const [registrations, games] = [registrationsIn(moving), moving.filter(isGame)];
  const others = moving.filter((item) => !(registrations.includes(item) || isGame(item)));
  let bytes = 0;
  for (const [at, item] of [...others, ...registrations, ...games].entries()) {
    const more = membersFor(item, { email, to, ...facts }, context);
    if (!more) return undefined;
    const named = Object.entries(more).filter(([, member]) => member !== undefined);
    bytes += 2 * valueSize(item);
    if (Object.keys(members).length + named.length > most.members || bytes > most.bytes) break;
    for (const [name, member] of named) members[`${name} of ${at}`] = member;
  }
  return members;
}

function decide(link: NewEmailLink, facts: Facts, context: RequestContext): Decision<Confirmed> {
  const { request } = facts;
  const { now } = context;
  if (request?.requestId !== link.requestId) throw linkNotValid();
  if (request.movedAt !== undefined) return answer("changed");
  if (!isOpen(request, now)) throw linkNotValid();
  const confirmed = { ...request.confirmed, [link.side]: request.confirmed[link.side] ?? now };
  const against = reasonAgainst(facts, confirmed.next !== undefined, now);
  if (against !== undefined) throw new EmailNotChangeable(against);
  if (confirmed.former === undefined || confirmed.next === undefined) {
    return write({ request: putConfirmed(request, confirmed) }, "confirmed");
  }
  if (!facts.own.some((item) => fateOf(item) === "moves")) throw new NotFound("User");
  const members = moveMembers(request, confirmed, facts, context);
  return members ? write(members, "changed") : readAgain;
}

/** `confirmed`: the other address has not confirmed yet. */
export type Confirmed = "confirmed" | "changed";

/**
 * Confirms for one address; the second one changes the email.
 * @throws Unauthenticated EmailNotChangeable NotFound
 */
export const confirmNewEmail = (link: NewEmailLink, context: RequestContext): Promise<Confirmed> =>
  execute({ read: () => read(link), decide: (facts: Facts) => decide(link, facts, context) }, context);
