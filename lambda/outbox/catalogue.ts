/** The messages that the service sends, by their detail type (`docs/contract.md`, "Messages on the bus"). */
import type { NoticeKind } from "./notice-kinds.ts";

/**
 * Work that has to follow a change. `promote`: free seats go to waiting people; a consumer does it if the process that made
 * the change stops too early. `closeCheckout`: the price of an unpaid seat is another one.
 */
export type FollowUp = "promote" | "closeCheckout";

/** A registration after the change: the fields that a consumer needs when the record is gone. */
export interface RegistrationFact {
  readonly eventID: string;
  readonly year: number;
  /** Generation of the event. */
  readonly generation: string;
  readonly email: string;
  readonly fname: string;
  readonly registrationStatus: string;
  /** Counts the writes of this registration, from 1. */
  readonly version: number;
  readonly isPartner: boolean;
  /** Who made the change, and by which way (`lambda/domain/registrations/record/acts.ts`). Absent: it follows from another. */
  readonly origin?: string;
  /** The notice of the move for the person and the chat. Absent: no notice is sent. */
  readonly notice?: NoticeKind;
  /** The person got the seat after some time in line, which the notice mentions. */
  readonly movedUp?: boolean;
  /** An admin gave the person's seat to the next in line, which the notice mentions. */
  readonly movedDown?: boolean;
  /**
   * The person joined the line while a seat was free, and the request still waits for that seat. The waitlist notice is
   * sent only if the person still waits after it.
   */
  readonly isAsking?: boolean;
  /** Only with the notice `moved`: the schedule version that it announces. */
  readonly scheduleVersion?: number;
  /** Only with the notice `moved`: the event was hidden, and is shown again. */
  readonly isBack?: boolean;
  /** Only with the notice `reminder`: how many hours before the start it was due. */
  readonly hours?: number;
  readonly followUps?: readonly FollowUp[];
}

export interface EventFact {
  readonly id: string;
  readonly year: number;
  readonly generation: string;
  readonly ename: string;
  /** Counts the writes of this event, from 1. */
  readonly version: number;
  readonly followUps?: readonly FollowUp[];
}

/** Money, with the fields to find it at the provider. */
export interface Money {
  /** In cents. */
  readonly amount: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** The provider's id of the transfer, if the provider has sent one. */
  readonly paymentIntent?: string;
}

/** A payment with its person and purpose. */
export type PaidFor = Money & {
  readonly email: string;
  /** The checkout session at the provider. */
  readonly paymentId: string;
} & (
    | { readonly purpose: "event"; readonly eventID: string; readonly year: number }
    | { readonly purpose: "membership" }
  );

/**
 * Money that has to be refunded. `registration ended`: a paid registration has ended. `nothing to pay`: when the money
 * arrived, its purpose had ended, was paid already or was free. `wrong amount`: not the requested amount. `account
 * deleted`: the person requested the membership before deleting the account. `checked in`: it was a deposit, and its person
 * came. `fewer come`: some of the seats that were paid together are given up; `amount` is their price.
 */
export type RefundFact = PaidFor & {
  readonly reason:
    | "registration ended"
    | "checked in"
    | "fewer come"
    | "nothing to pay"
    | "wrong amount"
    | "account deleted";
  /** What of the payment stays all the same, in cents: for who still comes, or has come. Absent: nothing. */
  readonly keeps?: number;
  /** The person cancelled the registration, not the club. */
  readonly cancelledByPerson?: boolean;
};

/** Why a person has to decide about a refund, or to make it. `stage`: the stage sends no money by itself. */
export type ByHand = "stage" | "late" | "third" | "frozen" | "unknown";

/** A refund of a payment, of the service or of the provider's dashboard. `amount` is the refund's. */
export type StartedRefund = PaidFor & {
  readonly refundId: string;
  /** What the person is told. */
  readonly reason?: string;
  /** It is a deposit, and its person came. */
  readonly isDeposit?: boolean;
};

/** A refund that the treasurer has to look at. */
export type TroubledRefund = PaidFor & {
  readonly refundId: string;
  /** In the provider's word. */
  readonly because: string;
  /** The person was told that it comes. */
  readonly wasTold?: boolean;
};

/** A dispute: the person's bank takes the money back, or asks about it. `amount` is the dispute's. */
export type DisputeFact = PaidFor & {
  readonly disputeId: string;
  /** In the provider's word. */
  readonly state: string;
  /** Epoch milliseconds. */
  readonly dueBy?: number;
};

/** A payout that did not reach the club's bank account: the provider has its money again. */
export interface FailedPayout extends Pick<Money, "amount" | "currency"> {
  readonly payoutId: string;
  /** In the provider's word. */
  readonly because: string;
}

/** A payment for a registration or a membership. */
export interface PaymentFact extends Money {
  readonly email: string;
  /** The checkout session at the provider. */
  readonly paymentId: string;
  readonly purpose: "event" | "membership";
  /** Only with the purpose `event`. */
  readonly eventID?: string;
  readonly year?: number;
}

/** A request without an account, or the offer of a seat. What was typed is not in it. */
export interface GuestFact {
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
  readonly generation: string;
  /** In the link of the mail. */
  readonly requestId: string;
}

/** A person has become a member, or has one more term. */
export interface MembershipFact {
  readonly email: string;
  /** Epoch milliseconds: the first moment after the membership. Absent: it has no end. */
  readonly until?: number;
  /** The payment for the membership. Absent when an admin granted it. */
  readonly paid?: Pick<Money, "amount" | "currency">;
}

/** The end of a membership. `until`: the first moment after it, epoch milliseconds. */
export interface EndFact {
  readonly email: string;
  readonly until: number;
}

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
  /** A person without an account asks for a seat, and gets a link. Only the service itself uses this message. */
  "guest.requested": GuestFact;
  /** A person offers a seat to another one, who gets a link. Only the service itself uses this message. */
  "seat.offered": GuestFact;
  /** A person gets the link to what is stored about them. Only the service itself uses this message. */
  "export.requested": { readonly email: string };
  /** An address gets its links again, if it is known. Only the service itself uses this message. */
  "links.requested": { readonly email: string };
  /** A person wants a new email: both addresses have to confirm it. Only the service itself uses this message. */
  "email.requested": { readonly email: string };
  "payment.completed": PaymentFact;
  /** The hold of an open checkout is over, and nothing was heard of its session. Only the service itself uses this message. */
  "payment.unheard": { readonly email: string; readonly eventID: string; readonly year: number };
  "payment.refundRequired": RefundFact;
  /** A person has to refund a payment, or to decide about it. */
  "payment.refundByHand": PaidFor & Pick<RefundFact, "reason"> & { readonly because: ByHand };
  /** A refund is reserved, and has to be sent to the provider. Only the service itself uses this message. */
  "payment.refundOrdered": PaidFor & { readonly refundId: string };
  /** The provider has accepted a refund. */
  "payment.refundStarted": StartedRefund;
  /** The provider has a refund and waits, for example for the club's balance. It goes on by itself. */
  "payment.refundDelayed": TroubledRefund;
  "payment.refundFailed": TroubledRefund;
  "payment.disputed": DisputeFact;
  /** The provider has news of a dispute, and has to be asked. `payment`: its name. Only the service itself uses this message. */
  "payment.disputeHeard": { readonly disputeId: string; readonly payment: string };
  /** The provider has sent money to the club's bank account. */
  "payment.paidOut": { readonly payoutId: string; readonly paidOutAt?: number };
  "payment.payoutFailed": FailedPayout;
  "event.created": EventFact;
  "event.updated": EventFact & { readonly changed: readonly string[] };
  "event.rescheduled": EventFact & {
    readonly changed: readonly string[];
    readonly scheduleVersion: number;
    /** The event was hidden, and is shown again. */
    readonly isBack?: boolean;
  };
  /** A mail to all who hold a seat is due. Only the service itself uses this message. */
  "event.mailDue": EventFact &
    (
      | { readonly mail: "reminder"; readonly hours: number; readonly day: string }
      | { readonly mail: "feedback"; readonly form: "attendee" | "partner"; readonly isLate?: true }
    );
  "event.capacityChanged": EventFact & { readonly capac: number | null };
  /** The event does not take place: its registrations end. */
  "event.calledOff": EventFact;
  "event.deleted": EventFact;
  "user.created": { readonly email: string };
  /** Without `origin`, a message is older than origins; it may still wait, or be replayed. */
  "user.deleted": { readonly email: string; readonly origin?: string };
  /** What is stored about the person is under another email now. `email`: the former one; no message names both. */
  "user.emailChanged": { readonly email: string };
  "member.granted": MembershipFact;
  "member.renewed": MembershipFact;
  /** A membership ends soon, and the person is reminded. */
  "member.ending": EndFact;
  "member.ended": EndFact;
  "feedback.submitted": { readonly eventID: string; readonly year: number; readonly formType: string };
  "btx.traded": TradeFact;
  /** A campaign was started. */
  "campaign.started": { readonly campaignId: string; readonly recipients: number };
  /** One batch of the campaign, counted from 0, has to be sent. Only the service itself uses this message. */
  "campaign.batch": { readonly campaignId: string; readonly batch: number };
}

export type DetailType = keyof Catalogue;

/** A message to the rest of the service: one entry of the catalogue. */
export type OutboxMessage = { [T in DetailType]: { readonly type: T; readonly data: Catalogue[T] } }[DetailType];

/** Detail types whose data is about a registration. */
export type RegistrationType = Extract<DetailType, `registration.${string}`>;

/** What the treasurer hears of in the chat. */
export const treasurersTypes = [
  "payment.refundByHand",
  "payment.refundDelayed",
  "payment.refundFailed",
  "payment.disputed",
  "payment.payoutFailed",
] as const satisfies readonly DetailType[];
