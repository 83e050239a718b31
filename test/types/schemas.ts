/**
 * The schemas of `lambda/api` promise the types that `lambda/domain` is written in. Checked by the compiler: a schema
 * with another field, or another type of a field, fails `npm run check`.
 */
import type * as events from "#api/events/schemas.ts";
import type * as feedback from "#api/feedback/schemas.ts";
import type * as prizes from "#api/prizes/schemas.ts";
import type * as profiles from "#api/profiles/schemas.ts";
import type * as registrations from "#api/registrations/schemas.ts";
import type * as users from "#api/users/schemas.ts";
import type { EventChanges, NewEvent } from "#domain/events/event-input.ts";
import type { NewSubmission } from "#domain/feedback/submission.ts";
import type { ProfileChanges } from "#domain/people/profiles/profile.ts";
import type { NewUser, UserChanges } from "#domain/people/users/user.ts";
import type { NewPrize, PrizeChanges } from "#domain/prizes/prize.ts";
import type { NewRegistration } from "#domain/registrations/record/new-registration.ts";
import type { BodySchema } from "#kit/schema/body-schema.ts";
import type { Static, TSchema } from "#kit/schema/schema.ts";
import type { Catalogue } from "#outbox/catalogue.ts";
import type * as messages from "#outbox/message-schemas.ts";

/** Properties spread into one object and writable, so that an intersection equals the interface of the same fields. */
type Plain<T> = T extends readonly (infer Entry)[]
  ? Plain<Entry>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Plain<T[Name]> }
    : T;

/** Whether two types are the same one: the compiler assigns such functions to each other only then. */
type IsEqual<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Whether a schema's type is the type of the domain; `readonly` makes no difference. */
type Promises<S extends TSchema, T> = IsEqual<Plain<Static<S>>, Plain<T>>;

type AllTrue<T extends Readonly<Record<string, true>>> = T;

export type SchemasKeepTheirPromises = AllTrue<{
  newEvent: Promises<typeof events.NewEvent, NewEvent>;
  eventChanges: Promises<typeof events.EventChanges, EventChanges>;
  newSubmission: Promises<typeof feedback.NewSubmission, NewSubmission>;
  newPrize: Promises<typeof prizes.NewPrize, NewPrize>;
  prizeChanges: Promises<typeof prizes.PrizeChanges, PrizeChanges>;
  profileChanges: Promises<typeof profiles.NewProfile, ProfileChanges>;
  newRegistration: Promises<typeof registrations.NewRegistration, NewRegistration>;
  newUser: Promises<typeof users.NewUser, NewUser>;
  userChanges: Promises<typeof users.UserChanges, UserChanges>;
}>;

/** Whether a message of the catalogue has the fields that the schema of its readers demands. */
type Reads<Data, B extends BodySchema> = Data extends Static<B["body"]> ? true : false;

export type MessagesHaveTheirFields = AllTrue<{
  registration: Reads<Catalogue["registration.registered"], typeof messages.registration>;
  member: Reads<Catalogue["member.granted"], typeof messages.account>;
  granted: Reads<Catalogue["member.granted"], typeof messages.membership>;
  user: Reads<Catalogue["user.deleted"], typeof messages.account>;
  refund: Reads<Catalogue["payment.refundRequired"], typeof messages.requiredRefund>;
  byHand: Reads<Catalogue["payment.refundByHand"], typeof messages.refundByHand>;
  started: Reads<Catalogue["payment.refundStarted"], typeof messages.startedRefund>;
  delayed: Reads<Catalogue["payment.refundDelayed"], typeof messages.troubledRefund>;
  failed: Reads<Catalogue["payment.refundFailed"], typeof messages.troubledRefund>;
  disputed: Reads<Catalogue["payment.disputed"], typeof messages.dispute>;
  unheard: Reads<Catalogue["payment.unheard"], typeof messages.unheardCheckout>;
  payout: Reads<Catalogue["payment.paidOut"], typeof messages.payout>;
  failedPayout: Reads<Catalogue["payment.payoutFailed"], typeof messages.failedPayout>;
  updated: Reads<Catalogue["event.updated"], typeof messages.changedEvent>;
  capacity: Reads<Catalogue["event.capacityChanged"], typeof messages.changedEvent>;
  rescheduled: Reads<Catalogue["event.rescheduled"], typeof messages.rescheduledEvent>;
  reminder: Reads<Extract<Catalogue["event.mailDue"], { mail: "reminder" }>, typeof messages.dueReminder>;
  feedback: Reads<Extract<Catalogue["event.mailDue"], { mail: "feedback" }>, typeof messages.dueFeedback>;
  guest: Reads<Catalogue["guest.requested"], typeof messages.guest>;
  ended: Reads<Catalogue["event.deleted" | "event.calledOff"], typeof messages.endedEvent>;
  campaign: Reads<Catalogue["campaign.started"], typeof messages.startedCampaign>;
  batch: Reads<Catalogue["campaign.batch"], typeof messages.campaignBatch>;
}>;
