/** The events that leave the service, by their detail type (`contract.md`, section 9). */
import type { NoticeKind } from "./notice-kinds.ts";

/**
 * What has to follow a change: a consumer does it when the process that made the change ends too early. `promote`: free
 * places are offered to those who wait. A message without a list was written before there were lists.
 */
export type FollowUp = "promote";

/** A person's registration as it stands after the change, as far as a consumer needs it when the record is gone. */
export interface RegistrationFact {
  readonly eventID: string;
  readonly year: number;
  /** The creation of the event that it belongs to. */
  readonly incarnation: string;
  readonly email: string;
  readonly fname: string;
  readonly registrationStatus: string;
  /** Counts the writes of this registration, from 1. */
  readonly version: number;
  readonly isPartner: boolean;
  /** What the person and the club are told. It hangs on the move, not on the state; absent: nobody is told. */
  readonly notice?: NoticeKind;
  /** Of a seat: the person got it after some time in line, so that they are told that a seat came free. */
  readonly movedUp?: boolean;
  /** Of a notice that the event has moved: the schedule that it tells. */
  readonly scheduleVersion?: number;
  readonly followUps?: readonly FollowUp[];
}

export interface EventFact {
  readonly id: string;
  readonly year: number;
  readonly incarnation: string;
  readonly ename: string;
  /** Counts the writes of this event, from 1. */
  readonly version: number;
  readonly followUps?: readonly FollowUp[];
}

/** Money, as far as whoever looks for it at the provider needs to know. */
export interface Money {
  /** In cents. */
  readonly amount: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** The provider's name of the transfer itself, where it has said it. */
  readonly paymentIntent?: string;
}

/**
 * Money that somebody paid for what they do not have. `nothing to pay`: what it was for has ended, is paid already or
 * costs nothing. `wrong amount`: not what was asked for.
 */
export type RefundFact = Money & {
  readonly email: string;
  /** The checkout session at the provider. */
  readonly paymentId: string;
  readonly reason: "registration ended" | "nothing to pay" | "wrong amount";
} & (
    | { readonly purpose: "event"; readonly eventID: string; readonly year: number }
    | { readonly purpose: "membership" }
  );

/** Money that arrived and was used. */
export interface PaymentFact extends Money {
  readonly email: string;
  /** The checkout session at the provider. */
  readonly paymentId: string;
  readonly purpose: "event" | "membership";
  /** Of an event. */
  readonly eventID?: string;
  readonly year?: number;
}

/** A trade of the investment game. */
export interface TradeFact {
  readonly tradeId: string;
  readonly eventID: string;
  readonly projectId: string;
  readonly side: "BUY" | "SELL";
  readonly shares: number;
}

export interface Catalogue {
  "registration.registered": RegistrationFact;
  "registration.waitlisted": RegistrationFact;
  "registration.promoted": RegistrationFact;
  "registration.incomplete": RegistrationFact;
  "registration.applied": RegistrationFact;
  "registration.accepted": RegistrationFact;
  "registration.acceptedPending": RegistrationFact;
  "registration.acceptedComplete": RegistrationFact;
  "registration.rejected": RegistrationFact;
  "registration.checkedIn": RegistrationFact;
  "registration.cancelled": RegistrationFact;
  "registration.deleted": RegistrationFact & { readonly previousStatus: string };
  "registration.updated": RegistrationFact;
  "payment.completed": PaymentFact;
  "payment.refundRequired": RefundFact;
  "event.created": EventFact;
  "event.updated": EventFact & { readonly changed: readonly string[] };
  "event.rescheduled": EventFact & { readonly changed: readonly string[]; readonly scheduleVersion: number };
  "event.capacityChanged": EventFact & { readonly capac: number | null };
  "event.deleted": EventFact;
  "user.created": { readonly email: string };
  "user.deleted": { readonly email: string };
  "member.granted": { readonly email: string };
  "feedback.submitted": { readonly eventID: string; readonly year: number; readonly formType: string };
  "btx.traded": TradeFact;
  /** A mail to many may begin. */
  "campaign.started": { readonly campaignId: string; readonly recipients: number };
  /** Some of its recipients, by number from 0. Nobody outside the service has to care. */
  "campaign.batch": { readonly campaignId: string; readonly batch: number };
}

export type DetailType = keyof Catalogue;

/** What happened: one entry of the catalogue. */
export type OutboxMessage = { [T in DetailType]: { readonly type: T; readonly data: Catalogue[T] } }[DetailType];

/** Detail types whose data is about a registration. */
export type RegistrationType = Extract<DetailType, `registration.${string}`>;
