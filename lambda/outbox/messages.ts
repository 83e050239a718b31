/** Reads messages as the bus brings them to a queue, and checks them before a consumer acts. Pure. */

import type { Catalogue, DetailType, RegistrationFact, RegistrationType } from "./catalogue.ts";
import { channelsOf } from "./notice-kinds.ts";

export interface Message<T extends DetailType = DetailType> {
  readonly type: T;
  /** Id of the outbox row. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly actor: string;
  readonly correlationId: string;
  readonly data: Catalogue[T];
}

/** The message is not in the catalogue, or not for this consumer. The error says what is wrong, and quotes nothing. */
export class UnknownMessage extends Error {}

type Fields = Readonly<Record<string, unknown>>;
type Expected = Readonly<Record<string, "string" | "number">>;

/** A message with checked metadata and unchecked data. */
interface UncheckedMessage extends Omit<Message, "type" | "data"> {
  readonly type: string;
  readonly data: object;
}

function fieldsOf(value: unknown, name: string): Fields {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new UnknownMessage(`no ${name}`);
  return value as Fields;
}

function expectFields(fields: object, expected: Expected): void {
  for (const [name, kind] of Object.entries(expected)) {
    if (typeof (fields as Fields)[name] !== kind) throw new UnknownMessage(`${name} is not a ${kind}`);
  }
}

/**
 * Demands one of these types, with the fields that the consumer needs.
 * @throws UnknownMessage
 */
function expectMessage<T extends DetailType>(
  message: UncheckedMessage,
  types: readonly T[],
  expected: Expected,
): asserts message is Message<T> {
  if (!isOneOf(message, types)) throw new UnknownMessage(`not ${types.join(" or ")}`);
  expectFields(message.data, expected);
}

const isOneOf = ({ type }: UncheckedMessage, types: readonly string[]): boolean => types.includes(type);

function parsed(body: string): Fields {
  try {
    return fieldsOf(JSON.parse(body), "event");
  } catch {
    // The parser's own error quotes the text.
    throw new UnknownMessage("not a JSON object");
  }
}

/** @throws UnknownMessage */
function messageIn(body: string): UncheckedMessage {
  const event = parsed(body);
  expectFields(event, { "detail-type": "string" });
  const detail = fieldsOf(event.detail, "detail");
  const metadata = fieldsOf(detail.metadata, "metadata");
  expectFields(metadata, { id: "string", occurredAt: "string", actor: "string", correlationId: "string" });
  const occurredAt = Date.parse(metadata.occurredAt as string);
  if (Number.isNaN(occurredAt)) throw new UnknownMessage("occurredAt is not a date");
  return {
    type: event["detail-type"] as string,
    id: metadata.id as string,
    occurredAt,
    actor: metadata.actor as string,
    correlationId: metadata.correlationId as string,
    data: fieldsOf(detail.data, "data"),
  };
}

const registrationFields = {
  eventID: "string",
  year: "number",
  incarnation: "string",
  email: "string",
  fname: "string",
  version: "number",
} as const satisfies Partial<Record<keyof RegistrationFact, Expected[string]>>;

function expectRegistration(message: UncheckedMessage): asserts message is Message<RegistrationType> {
  const { type, data }: { readonly type: string; readonly data: { readonly notice?: unknown } } = message;
  if (!type.startsWith("registration.")) throw new UnknownMessage("not about a registration");
  expectFields(data, registrationFields);
  if (data.notice !== undefined && !Object.hasOwn(channelsOf, String(data.notice))) {
    throw new UnknownMessage("a notice that is not known");
  }
  if (data.notice === "moved") expectFields(data, { scheduleVersion: "number" });
}

/** @throws UnknownMessage */
export function registrationMessage(body: string): Message<RegistrationType> {
  const message = messageIn(body);
  expectRegistration(message);
  return message;
}

/** A message after which a checkout may be obsolete. */
export type CheckoutMessage = Message<RegistrationType> | Message<(typeof memberChanges)[number]>;

/** After these messages a membership is not paid for any more. */
const memberChanges = ["member.granted", "user.deleted"] as const;

/** @throws UnknownMessage */
export function checkoutMessage(body: string): CheckoutMessage {
  const message = messageIn(body);
  if (!isOneOf(message, memberChanges)) return registrationMessage(body);
  expectMessage(message, memberChanges, { email: "string" });
  return message;
}

export type RefundMessage = Message<"payment.refundRequired">;

/**
 * The chat hears of registrations, and of money that has to go back.
 * @throws UnknownMessage
 */
export function messageForChat(body: string): Message<RegistrationType> | RefundMessage {
  const message = messageIn(body);
  if (message.type !== "payment.refundRequired") return registrationMessage(body);
  expectMessage(message, ["payment.refundRequired"], {
    email: "string",
    paymentId: "string",
    amount: "number",
    currency: "string",
    reason: "string",
  });
  if (message.data.purpose !== "membership") expectFields(message.data, { eventID: "string", year: "number" });
  return message;
}

/** @throws UnknownMessage */
export function reschedulingMessage(body: string): Message<"event.rescheduled"> {
  const message = messageIn(body);
  const expected = { id: "string", year: "number", incarnation: "string", scheduleVersion: "number" } as const;
  expectMessage(message, ["event.rescheduled"], expected);
  return message;
}

/** @throws UnknownMessage */
export function deletionMessage(body: string): Message<"event.deleted"> {
  const message = messageIn(body);
  expectMessage(message, ["event.deleted"], { id: "string", year: "number", incarnation: "string" });
  return message;
}

/** @throws UnknownMessage */
export function accountDeletionMessage(body: string): Message<"user.deleted"> {
  const message = messageIn(body);
  expectMessage(message, ["user.deleted"], { email: "string" });
  return message;
}

/** A message after which a seat may be free, or a person may wait for a seat. */
export type SeatMessage = Message<RegistrationType> | Message<(typeof eventChanges)[number]>;

/** These also come when an event opens again, gets room in a workshop, or starts later. */
const eventChanges = ["event.capacityChanged", "event.updated", "event.rescheduled"] as const;

/**
 * Older messages have no list. A follow-up that is not known here belongs to another consumer.
 * @throws UnknownMessage
 */
function expectFollowUps({ followUps }: { readonly followUps?: unknown }): void {
  if (followUps === undefined) return;
  const isList = Array.isArray(followUps) && followUps.every((one) => typeof one === "string");
  if (!isList) throw new UnknownMessage("followUps is not a list of names");
}

/** @throws UnknownMessage */
export function seatMessage(body: string): SeatMessage {
  const message = messageIn(body);
  expectFollowUps(message.data);
  if (!isOneOf(message, eventChanges)) return registrationMessage(body);
  expectMessage(message, eventChanges, { id: "string", year: "number" });
  return message;
}

export type CampaignMessage<T extends CampaignType = CampaignType> = Message<T>;
type CampaignType = "campaign.started" | "campaign.batch";

/** @throws UnknownMessage */
export function campaignMessage(body: string): CampaignMessage {
  const message = messageIn(body);
  const isBatch = message.type === "campaign.batch";
  expectMessage(message, ["campaign.started", "campaign.batch"], {
    campaignId: "string",
    ...(isBatch && { batch: "number" as const }),
  });
  return message;
}
