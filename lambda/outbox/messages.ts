/** An event as the bus brings it to a queue, checked before anybody acts on it. Pure. */

import type { Catalogue, DetailType, RegistrationFact, RegistrationType } from "./catalogue.ts";
import { channelsOf } from "./notice-kinds.ts";

export interface News<T extends DetailType = DetailType> {
  readonly type: T;
  /** Of the outbox row. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly actor: string;
  readonly correlationId: string;
  readonly data: Catalogue[T];
}

/** The message is none of the catalogue's, or not for this consumer. Says what is wrong, never what it reads. */
export class UnknownNews extends Error {}

type Fields = Readonly<Record<string, unknown>>;
type Expected = Readonly<Record<string, "string" | "number">>;

/** A message of which only the metadata is known to be there. */
interface UncheckedNews extends Omit<News, "type" | "data"> {
  readonly type: string;
  readonly data: object;
}

function fieldsOf(value: unknown, name: string): Fields {
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new UnknownNews(`no ${name}`);
  return value as Fields;
}

function expectFields(fields: object, expected: Expected): void {
  for (const [name, kind] of Object.entries(expected)) {
    if (typeof (fields as Fields)[name] !== kind) throw new UnknownNews(`${name} is not a ${kind}`);
  }
}

/** Demands one of these types, with the fields that its consumer needs. */
function expectNews<T extends DetailType>(
  news: UncheckedNews,
  types: readonly T[],
  expected: Expected,
): asserts news is News<T> {
  if (!isOneOf(news, types)) throw new UnknownNews(`not ${types.join(" or ")}`);
  expectFields(news.data, expected);
}

const isOneOf = ({ type }: UncheckedNews, types: readonly string[]): boolean => types.includes(type);

function parsed(body: string): Fields {
  try {
    return fieldsOf(JSON.parse(body), "event");
  } catch {
    // The parser's own message quotes the text.
    throw new UnknownNews("not a JSON object");
  }
}

/** @throws UnknownNews */
function newsIn(body: string): UncheckedNews {
  const event = parsed(body);
  expectFields(event, { "detail-type": "string" });
  const detail = fieldsOf(event.detail, "detail");
  const metadata = fieldsOf(detail.metadata, "metadata");
  expectFields(metadata, { id: "string", occurredAt: "string", actor: "string", correlationId: "string" });
  const occurredAt = Date.parse(metadata.occurredAt as string);
  if (Number.isNaN(occurredAt)) throw new UnknownNews("occurredAt is not a date");
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

function expectRegistration(news: UncheckedNews): asserts news is News<RegistrationType> {
  const { type, data }: { readonly type: string; readonly data: { readonly notice?: unknown } } = news;
  if (!type.startsWith("registration.")) throw new UnknownNews("not about a registration");
  expectFields(data, registrationFields);
  if (data.notice !== undefined && !Object.hasOwn(channelsOf, String(data.notice))) {
    throw new UnknownNews("a notice that is not known");
  }
  if (data.notice === "moved") expectFields(data, { scheduleVersion: "number" });
}

/** @throws UnknownNews */
export function registrationNews(body: string): News<RegistrationType> {
  const news = newsIn(body);
  expectRegistration(news);
  return news;
}

/** Somebody may have a checkout that nobody should pay any more. */
export type CheckoutNews = News<RegistrationType> | News<(typeof memberChanges)[number]>;

/** A membership is not to be paid any more. */
const memberChanges = ["member.granted", "user.deleted"] as const;

/** @throws UnknownNews */
export function checkoutNews(body: string): CheckoutNews {
  const news = newsIn(body);
  if (!isOneOf(news, memberChanges)) return registrationNews(body);
  expectNews(news, memberChanges, { email: "string" });
  return news;
}

export type RefundNews = News<"payment.refundRequired">;

/** What the chat hears of: registrations, and money that has to go back. @throws UnknownNews */
export function chatNewsIn(body: string): News<RegistrationType> | RefundNews {
  const news = newsIn(body);
  if (news.type !== "payment.refundRequired") return registrationNews(body);
  expectNews(news, ["payment.refundRequired"], {
    email: "string",
    paymentId: "string",
    amount: "number",
    currency: "string",
    reason: "string",
  });
  if (news.data.purpose !== "membership") expectFields(news.data, { eventID: "string", year: "number" });
  return news;
}

/** @throws UnknownNews */
export function reschedulingNews(body: string): News<"event.rescheduled"> {
  const news = newsIn(body);
  const expected = { id: "string", year: "number", incarnation: "string", scheduleVersion: "number" } as const;
  expectNews(news, ["event.rescheduled"], expected);
  return news;
}

/** @throws UnknownNews */
export function deletionNews(body: string): News<"event.deleted"> {
  const news = newsIn(body);
  expectNews(news, ["event.deleted"], { id: "string", year: "number", incarnation: "string" });
  return news;
}

/** @throws UnknownNews */
export function accountDeletionNews(body: string): News<"user.deleted"> {
  const news = newsIn(body);
  expectNews(news, ["user.deleted"], { email: "string" });
  return news;
}

/** A seat may have become free, or somebody waits for one. */
export type SeatNews = News<RegistrationType> | News<(typeof eventChanges)[number]>;

/** Also an event that is open again, has room in a workshop, or has not started after all. */
const eventChanges = ["event.capacityChanged", "event.updated", "event.rescheduled"] as const;

/** Messages of before have no list. A follow-up that is not known here is another consumer's. @throws UnknownNews */
function expectFollowUps({ followUps }: { readonly followUps?: unknown }): void {
  if (followUps === undefined) return;
  const isList = Array.isArray(followUps) && followUps.every((one) => typeof one === "string");
  if (!isList) throw new UnknownNews("followUps is not a list of names");
}

/** @throws UnknownNews */
export function seatNews(body: string): SeatNews {
  const news = newsIn(body);
  expectFollowUps(news.data);
  if (!isOneOf(news, eventChanges)) return registrationNews(body);
  expectNews(news, eventChanges, { id: "string", year: "number" });
  return news;
}

/** Of a mail to many. */
export type CampaignNews<T extends CampaignType = CampaignType> = News<T>;
type CampaignType = "campaign.started" | "campaign.batch";

/** @throws UnknownNews */
export function campaignNews(body: string): CampaignNews {
  const news = newsIn(body);
  const isBatch = news.type === "campaign.batch";
  expectNews(news, ["campaign.started", "campaign.batch"], {
    campaignId: "string",
    ...(isBatch && { batch: "number" as const }),
  });
  return news;
}
