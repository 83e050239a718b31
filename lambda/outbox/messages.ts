/** Parses and validates messages that the bus delivers to a queue. Pure. */
import type { BodySchema } from "#kit/schema/body-schema.ts";
import type { Static } from "#kit/schema/schema.ts";
import { type Catalogue, type DetailType, type RegistrationType, treasurersTypes } from "./catalogue.ts";
import * as schemas from "./message-schemas.ts";

export interface Message<T extends DetailType = DetailType> {
  readonly type: T;
  /** Id of the outbox row. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly actor: string;
  /** The request that caused the message. */
  readonly requestId: string;
  readonly data: Catalogue[T];
}

/** The message is invalid, or not for this consumer. The error does not quote its content. */
export class UnknownMessage extends Error {}

/** The message must be delivered again, although nothing is wrong. It is logged as information, not as an error. */
export class NotYet extends Error {}

/** A message with validated metadata and unvalidated data. */
interface UncheckedMessage extends Omit<Message, "type" | "data"> {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** @throws UnknownMessage */
function check({ validate }: Pick<BodySchema, "validate">, body: unknown): void {
  // Without a validator, no message is valid.
  if (validate.body?.(body)) return;
  const { instancePath = "", keyword = "schema", params = {} } = validate.body?.errors?.[0] ?? {};
  throw new UnknownMessage(`${instancePath}/${params.missingProperty ?? ""}: ${keyword}`);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The parser's own error quotes the text.
    throw new UnknownMessage("not JSON");
  }
}

type Metadata = Readonly<Record<"id" | "occurredAt" | "actor" | "correlationId", string>>;

/** @throws UnknownMessage */
function messageIn(body: string): UncheckedMessage {
  const event = parsed(body) as {
    "detail-type": string;
    detail: { metadata: Metadata; data: UncheckedMessage["data"] };
  };
  check(schemas.envelope, event);
  const { id, actor, correlationId: requestId, occurredAt: moment } = event.detail.metadata;
  const occurredAt = Date.parse(moment);
  if (Number.isNaN(occurredAt)) throw new UnknownMessage("/detail/metadata/occurredAt must be a date");
  return { type: event["detail-type"], id, actor, requestId, occurredAt, data: event.detail.data };
}

/** The schemas for the data of messages. `registration` stands for all types of registration messages. */
const schemaOf = {
  registration: ({ notice }) =>
    notice === "moved"
      ? schemas.movedRegistration
      : notice === "reminder"
        ? schemas.remindedRegistration
        : schemas.registration,
  "member.granted": () => schemas.membership,
  "member.renewed": () => schemas.membership,
  "member.ending": () => schemas.endOfMembership,
  "member.ended": () => schemas.endOfMembership,
  "guest.requested": () => schemas.guest,
  "seat.offered": () => schemas.guest,
  "export.requested": () => schemas.account,
  "links.requested": () => schemas.account,
  "email.requested": () => schemas.account,
  "user.emailChanged": () => schemas.account,
  "user.deleted": () => schemas.deletedAccount,
  "payment.unheard": () => schemas.unheardCheckout,
  "payment.refundRequired": () => schemas.requiredRefund,
  "payment.refundByHand": () => schemas.refundByHand,
  "payment.refundOrdered": () => schemas.orderedRefund,
  "payment.refundStarted": () => schemas.startedRefund,
  "payment.refundDelayed": () => schemas.troubledRefund,
  "payment.refundFailed": () => schemas.troubledRefund,
  "payment.disputed": () => schemas.dispute,
  "payment.disputeHeard": () => schemas.heardDispute,
  "payment.paidOut": () => schemas.payout,
  "payment.payoutFailed": () => schemas.failedPayout,
  "event.updated": () => schemas.changedEvent,
  "event.capacityChanged": () => schemas.changedEvent,
  "event.rescheduled": () => schemas.rescheduledEvent,
  "event.mailDue": ({ mail }) => (mail === "reminder" ? schemas.dueReminder : schemas.dueFeedback),
  "event.calledOff": () => schemas.endedEvent,
  "event.deleted": () => schemas.endedEvent,
  "campaign.started": () => schemas.startedCampaign,
  "campaign.batch": () => schemas.campaignBatch,
} satisfies Partial<
  Record<DetailType | "registration", (data: UncheckedMessage["data"]) => Pick<BodySchema, "validate">>
>;

type Subject = keyof typeof schemaOf;
/** A message about one of these subjects. */
type MessageAbout<S extends Subject> = S extends "registration"
  ? Message<RegistrationType>
  : Message<Exclude<S, "registration">>;

/**
 * A parser of messages for one consumer, with these subjects.
 * @returns a function that throws UnknownMessage for every other message
 */
const reader =
  <S extends Subject>(...subjects: readonly S[]) =>
  (body: string): MessageAbout<S> => {
    const message = messageIn(body);
    const { type, data } = message;
    const subject = subjects.find((one) => one === (type.startsWith("registration.") ? "registration" : type));
    if (subject === undefined) throw new UnknownMessage("not for this consumer");
    check(schemaOf[subject](data), data);
    return message as UncheckedMessage & MessageAbout<S>;
  };

/** Messages after which the person hears of money that comes back, or does not. */
export const mailedRefundTypes = ["payment.refundByHand", "payment.refundStarted", "payment.refundFailed"] as const;
export type RefundMessage = {
  [T in (typeof mailedRefundTypes)[number]]: Message<T>;
}[(typeof mailedRefundTypes)[number]];

/** Messages after which a person hears of their membership. */
export const membershipTypes = ["member.granted", "member.renewed", "member.ending", "member.ended"] as const;
export type MembershipMessage = {
  [T in (typeof membershipTypes)[number]]: Message<T>;
}[(typeof membershipTypes)[number]];

/** People get mails about registrations, membership, refunds and deletion, and with the links of people without an account. */
export const messageForMail = reader(
  "registration",
  ...membershipTypes,
  "guest.requested",
  "seat.offered",
  "export.requested",
  "links.requested",
  "email.requested",
  "user.emailChanged",
  "user.deleted",
  ...mailedRefundTypes,
);

/** A message after which a checkout may be obsolete, or has to be. After the last three this applies to a membership's. */
export const checkoutMessage = reader(
  "registration",
  "payment.unheard",
  "event.updated",
  "event.rescheduled",
  "member.granted",
  "member.renewed",
  "user.deleted",
);

export type TreasurersMessage = {
  [T in (typeof treasurersTypes)[number]]: Message<T>;
}[(typeof treasurersTypes)[number]];

/** The chat gets messages about registrations, and those for the treasurer. */
export const messageForChat = reader("registration", ...treasurersTypes);

/** Messages after which money is sent, the provider's books are read, or a seat is known to be paid back. */
export const booksTypes = [
  "payment.refundRequired",
  "payment.refundOrdered",
  "payment.refundStarted",
  "payment.refundFailed",
  "payment.disputed",
  "payment.disputeHeard",
  "payment.paidOut",
] as const;
export const booksMessage = reader(...booksTypes);
export type BooksMessage = ReturnType<typeof booksMessage>;

/** What all who hold a seat at an event hear of. */
export const announcement = reader("event.rescheduled", "event.mailDue");
export const eventEndMessage = reader("event.deleted", "event.calledOff");
/** What is stored under an email has to go, or to follow to another one. */
export const leavingMessage = reader("user.deleted", "user.emailChanged");

/**
 * A message after which a seat may be free, or a person may wait for a seat. Changes of an event include that it opens
 * again, gets room in a workshop, or starts later.
 */
export const seatMessage = reader("registration", "event.capacityChanged", "event.updated", "event.rescheduled");
export type SeatMessage = ReturnType<typeof seatMessage>;

export const campaignMessage = reader("campaign.started", "campaign.batch");

/** An SES event about a mail that it accepted before. */
export interface MailEvent {
  readonly type: "Email Bounced" | "Email Complaint Received";
  /** Id of the event, which may be delivered twice. */
  readonly id: string;
  /** When SES received the bounce or complaint, in epoch milliseconds. */
  readonly occurredAt: number;
  /** SES's id of the mail, because no request caused the event. */
  readonly requestId: string;
  readonly mail: { readonly destination: readonly string[] };
  readonly bounce?: Static<(typeof schemas.mailBounce)["body"]>["bounce"];
  readonly complaint?: Static<(typeof schemas.mailComplaint)["body"]>["complaint"];
}

/** The relevant part of each event, and its schema. */
const mailEvents = {
  "Email Bounced": { part: "bounce", schema: schemas.mailBounce },
  "Email Complaint Received": { part: "complaint", schema: schemas.mailComplaint },
} as const;

/**
 * Parses an event of SES that the default bus delivers to a queue.
 * @throws UnknownMessage for every other message
 */
export function mailEvent(body: string): MailEvent {
  const event = parsed(body) as { id: string; "detail-type": MailEvent["type"] } & {
    detail: Pick<MailEvent, "bounce" | "complaint"> & { mail: MailEvent["mail"] & { messageId: string } };
  };
  check(schemas.mailEvent, event);
  const { id, "detail-type": type, detail } = event;
  if (!Object.hasOwn(mailEvents, type)) throw new UnknownMessage("not for this consumer");
  const { part, schema } = mailEvents[type];
  check(schema, detail);
  const { mail, [part]: told } = detail;
  const occurredAt = Date.parse(told?.timestamp ?? "");
  if (Number.isNaN(occurredAt)) throw new UnknownMessage(`/detail/${part}/timestamp must be a date`);
  return { type, id, occurredAt, requestId: mail.messageId, mail, [part]: told };
}
