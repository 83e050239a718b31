import { formInput } from "#api/records/schemas.ts";
import { accounts, kinds } from "#domain/payments/record/movement.ts";
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

const byHand = oneOf(["cash", "transfer"]);

const Reversed = described(
  closed({
    reversalId: described(Type.String(), "Of the entry that has done it."),
    ...each(["reason", "by"], Type.String()),
    at: Timestamp,
  }),
  "Another entry has taken it back.",
);

const Entry = closed({
  entryId: described(Type.String(), "Names it in a reversal. The first one has the payment's id."),
  amount: cents("What was taken, in cents."),
  how: Type.Optional(byHand),
  waived: Type.Optional(cents("What of the price is not asked for any more.")),
  reason: Type.Optional(Type.String()),
  by: Type.String(),
  at: Timestamp,
  dated: Type.Optional(described(Timestamp, "When it was taken, if that was before it was recorded.")),
  reversed: Type.Optional(Reversed),
});

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
  how: Type.Optional(byHand),
  dated: Type.Optional(described(Timestamp, "When it was given back, if that was before it was recorded.")),
  reversed: Type.Optional(Reversed),
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

/** The ids of a payment. */
const paymentIds = {
  paymentId: described(Type.String(), "The provider's checkout session, or `hand_…`."),
  paymentIntent: Type.Optional(described(Type.String(), "The provider's id of the transfer.")),
};

export const Payment = closed({
  ...paymentIds,
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
  entries: Type.Optional(described(Type.Array(Entry), "What was taken by hand.")),
  state: oneOf(["kept", "refunded", "part refunded", "frozen", "lost", "reversed"]),
  fee: cents("What the provider has kept, as far as its payouts have said it."),
  wentBack: cents("What has gone back."),
  open: cents("What has to go back, or is on its way."),
  frozen: cents("What disputes have taken, and may bring back."),
  lost: cents("What lost disputes have taken."),
  owes: Type.Optional(cents("What is left to pay of the price.")),
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
  how: Type.Optional(described(byHand, "It was given back by hand: the provider does nothing.")),
  at: Type.Optional(described(IsoDate, "When that was, if it was before.")),
});

export const MoneyDecision = closed({
  decision: described(
    oneOf(["keep", "waive"]),
    "`keep`: money that had to go back. `waive`: what is left to pay of a price.",
  ),
  amount: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 99_999_999, description: "In cents. Absent: all that waits." }),
  ),
  reason: described(Name, "Kept with the payment."),
});

const taking = {
  amount: Type.Integer({ minimum: 1, maximum: 99_999_999, description: "In cents." }),
  how: byHand,
  at: Type.Optional(described(IsoDate, "When it was taken, if that was before.")),
  confirm: Type.Optional(Type.Boolean({ description: "`true`: the amount is right, although it is not the price." })),
  waive: Type.Optional(described(Name, "Why the rest of the price is not asked for. Absent: it stays owed.")),
};

/** Money that an executive has taken for a seat or a membership. */
export const NewPaymentByHand = closed({
  email: Email,
  ...{ eventID: Type.Optional(EventId), year: Type.Optional(Year) },
  membership: Type.Optional(described(closed(formInput), "Instead of `eventID` and `year`: the membership's form.")),
  ...taking,
});
export type NewPaymentByHand = Static<typeof NewPaymentByHand>;

export const NewReversal = closed({
  entryId: described(Type.String({ maxLength: 255 }), "Of an entry, or of a refund by hand."),
  reason: described(Name, "Kept with the payment."),
  instead: Type.Optional(described(closed(taking), "What was taken in truth.")),
});
export type Taking = Pick<NewPaymentByHand, "amount" | "how" | "at" | "confirm" | "waive">;

export const PaymentOfRefund = closed({ paymentId: Type.String({ pattern: "^\\w{1,255}$" }) });

const balances = closed(each(accounts, cents("In cents.")));
const period = {
  from: described(IsoDate, "ISO 8601. Since then."),
  to: described(IsoDate, "ISO 8601. Before that, and within 400 days."),
};

/** Whose money it was. */
const ofPayment = {
  ...paymentIds,
  email: Type.String(),
  purpose: oneOf(["event", "membership"]),
  eventID: Type.Optional(Type.String()),
  year: Type.Optional(Type.Integer()),
};

export const JournalQuery = closed({
  ...period,
  format: Type.Optional(described(oneOf(["json", "csv"]), "`csv`: amounts in the currency, times of the stage.")),
  ...page,
});

const JournalRow = closed({
  id: described(Type.String(), "The provider's transaction, or the entry by hand."),
  at: described(Timestamp, "Its own date."),
  kind: described(oneOf(kinds), "What it is. A fee, and where a payout arrives, are rows of their own."),
  account: described(oneOf(accounts), "Where it is: at the provider, in the cash box, or at the bank."),
  amount: cents("In cents, less than 0 when money left the account."),
  currency: Type.String(),
  balance: Type.Optional(cents("What stood in the account then. Absent in another currency.")),
  source: Type.Optional(described(Type.String(), "The provider's charge, refund, dispute or payout.")),
  reverses: Type.Optional(described(Type.String(), "The entry that it takes back.")),
  payout: Type.Optional(described(Type.String(), "The payout that had it.")),
  ...Type.Partial(Type.Object(ofPayment)).properties,
});

export const Journal = closed({
  opening: described(balances, "What stood in the accounts before the first row."),
  readUntil: described(Timestamp, "What the provider has booked since then may lack."),
  rows: described(Type.Array(JournalRow), "In the order of time."),
});

export const NewClosing = closed({
  month: Type.String({ pattern: "^20\\d\\d-(0[1-9]|1[0-2])$", description: "Such as `2030-01`." }),
});
export const Closing = closed({
  until: described(Timestamp, "The end of the month."),
  balances: described(balances, "What stood in the accounts then."),
});

export const TotalsQuery = closed(period);

export const Totals = closed({
  purpose: oneOf(["event", "membership"]),
  eventID: Type.Optional(Type.String()),
  year: Type.Optional(Type.Integer()),
  isDeleted: Type.Optional(
    Type.Literal(true, { description: "The event was deleted; another one may have its name now." }),
  ),
  membershipYear: Type.Optional(described(Type.String(), "From September to August.")),
  currency: Type.String(),
  payments: Type.Integer({ description: "How many." }),
  came: cents("What came."),
  wentBack: cents("What has gone back."),
  fee: cents("What the provider has kept."),
  lost: cents("What lost disputes have taken."),
  net: cents("What the club has of it."),
  frozen: cents("What disputes have taken, and may bring back."),
  open: cents("What has to go back, or is on its way."),
  owes: cents("What is left to pay of prices."),
});

const inCurrency = { amount: cents("In cents."), currency: Type.String() };
const ExpectedPayout = closed({
  payoutId: described(Type.String(), "The provider's id, `po_…`."),
  ...inCurrency,
  arrivesAt: described(Timestamp, "When it arrives at the bank."),
});
const Open = closed({ ...ofPayment, ...inCurrency });

export const Position = closed({
  provider: described(
    closed({
      available: described(Type.Array(closed(inCurrency)), "What can be paid out now."),
      pending: described(Type.Array(closed(inCurrency)), "What can be paid out in some days."),
      payouts: described(Type.Array(ExpectedPayout), "What is on its way to the bank."),
    }),
    "What the provider owes the club, asked live.",
  ),
  owed: described(Type.Array(Open), "What the club owes: it has to go back, or is on its way."),
  owing: described(Type.Array(Open), "What is left to pay to the club."),
  disputes: described(
    Type.Array(
      closed({
        ...ofPayment,
        ...inCurrency,
        disputeId: described(Type.String(), "The provider's id."),
        status: described(Type.String(), "The provider's word."),
        taken: cents("What it has taken."),
        dueBy: Type.Optional(described(Timestamp, "Until when the club may answer.")),
      }),
    ),
    "Those that are not over.",
  ),
  isWhole: described(Type.Boolean(), "`false`: there are more than 1,000 open payments."),
});
