import { formInput } from "#api/records/schemas.ts";
import {
  closed,
  described,
  Email,
  EventId,
  each,
  IsoDate,
  Name,
  oneOf,
  page,
  type Static,
  Timestamp,
  Type,
  WebUrl,
  Year,
} from "#kit/schema/schema.ts";

const returnAddress = "An address at an origin of the stage. Absent: the web application.";

/** An event to pay for, or a membership with its form. The token names the payer. */
export const NewPayment = closed({
  ...formInput,
  paymentType: described(
    oneOf(["Event", "Member", "OAuthMember"]),
    "`Event` needs `eventID` and `year`. `Member` and `OAuthMember` are the same, and take the membership form.",
  ),
  eventID: Type.Optional(EventId),
  year: Type.Optional(
    Type.Unsafe<number | string | null>({
      type: ["integer", "string", "null"],
      ...{ minimum: 0, maximum: 2200, format: "line", maxLength: 200 },
      description: "The event's year, as a number or a text of four digits; in a membership form the academic year.",
    }),
  ),
  success_url: Type.Optional(described(WebUrl, returnAddress)),
  cancel_url: Type.Optional(described(WebUrl, returnAddress)),
});
export type NewPayment = Static<typeof NewPayment>;

/** An event, memberships, or everything. */
export const PaymentsQuery = closed({
  eventID: Type.Optional(EventId),
  year: Type.Optional(Year),
  purpose: Type.Optional(described(oneOf(["membership"]), "Instead of `eventID` and `year`.")),
  open: Type.Optional(
    Type.Boolean({ description: "`true`: all that waits for a person. Stands alone, without the parameters above." }),
  ),
  from: Type.Optional(described(IsoDate, "ISO 8601. Payments settled since then.")),
  to: Type.Optional(described(IsoDate, "ISO 8601. Payments settled before that.")),
  format: Type.Optional(
    described(oneOf(["json", "csv"]), "`csv`: a row for each payment, and for each of the provider's lines about it."),
  ),
  ...page,
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;

const cents = (description: string) => Type.Integer({ description });

export const Refund = closed({
  refundId: Type.String(),
  amount: cents("In cents."),
  state: described(
    oneOf(["reserved", "pending", "succeeded", "failed"]),
    "`reserved`: about to be asked for. `pending`: the provider has it. `failed`: nothing went back.",
  ),
  at: Timestamp,
  by: Type.Optional(described(Type.String(), "Absent: made in the provider's dashboard.")),
  reason: Type.Optional(Type.String()),
  isByHand: Type.Optional(Type.Boolean({ description: "It was given back in cash or by transfer." })),
  providerId: Type.Optional(Type.String()),
  failure: Type.Optional(described(Type.String(), "The provider's word.")),
  delayedBy: Type.Optional(described(Type.String(), "Why the provider waits; the refund goes on by itself.")),
});
export type Refund = Static<typeof Refund>;

const KeptMoney = closed({
  amount: cents("In cents."),
  ...each(["reason", "by"], Type.String()),
  at: Timestamp,
});

const byHand = oneOf(["cash", "transfer"]);

export const Payment = closed({
  paymentId: described(Type.String(), "The provider's checkout session, or `hand_…`."),
  paymentIntent: Type.Optional(described(Type.String(), "The provider's id of the transfer.")),
  email: Type.String(),
  amount: cents("What came, in cents."),
  currency: Type.String(),
  purpose: oneOf(["event", "membership"]),
  ...each(["eventID"], Type.Optional(Type.String())),
  year: Type.Optional(Type.Integer()),
  byHand: Type.Optional(
    described(closed({ how: byHand, by: Type.String() }), "An executive has taken it; the provider has not."),
  ),
  settledAs: described(oneOf(["seat", "membership", "refund"]), "`refund`: it paid for nothing."),
  settledAt: Timestamp,
  state: oneOf(["kept", "refunded", "part refunded", "frozen"]),
  fee: cents("What the provider has kept, as far as its payouts have said it."),
  wentBack: cents("What has gone back."),
  open: cents("What has to go back, or is on its way."),
  frozen: cents("What is disputed, or lost in a dispute."),
  review: Type.Optional(
    described(oneOf(["late", "third"]), "The treasurer decides: cancelled late, or the person's third refund."),
  ),
  waitsFor: Type.Optional(described(Type.String(), "What a person has to do. Absent: nothing.")),
  kept: Type.Optional(described(Type.Array(KeptMoney), "Decisions to keep money that had to go back.")),
  payouts: described(Type.Array(Type.String()), "The provider's transfers to the club's bank."),
  refunds: Type.Array(Refund),
});
export type Payment = Static<typeof Payment>;

export const NewRefund = closed({
  amount: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 99_999_999, description: "In cents. Absent: all that is left." }),
  ),
  reason: described(Name, "The person reads it in the mail."),
  cancel: Type.Optional(Type.Boolean({ description: "`true`: the seat or membership ends too." })),
});

export const MoneyDecision = closed({
  decision: described(oneOf(["keep", "given back"]), "`given back`: in cash or by transfer, without the provider."),
  amount: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 99_999_999, description: "In cents. Absent: all that waits." }),
  ),
  reason: described(Name, "Kept with the payment."),
});

/** Money that an executive has taken for a seat. */
export const NewPaymentByHand = closed({
  ...{ email: Email, eventID: EventId, year: Year },
  amount: Type.Integer({ minimum: 1, maximum: 99_999_999, description: "In cents." }),
  how: byHand,
});

export const PaymentOfRefund = closed({ paymentId: Type.String({ pattern: "^\\w{1,255}$" }) });
