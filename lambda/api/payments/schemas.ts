import { CodeUse, formInput } from "#api/records/schemas.ts";
import { accounts, kinds } from "#domain/payments/record/movement.ts";
import {
  closed,
  described,
  Email,
  EmailText,
  EventId,
  EventIdText,
  each,
  IsoDate,
  Message,
  Name,
  notShown,
  oneOf,
  optional,
  page,
  type Static,
  someTime,
  Timestamp,
  Type,
  WebUrl,
  Year,
} from "#kit/schema/schema.ts";

const text = Type.String();
/** Examples. */
const [since, until] = ["2030-01-01", "2030-02-01"];
const [checkout, byHandId] = ["cs_live_1", "hand_01JGZ2M0W8Q4V5Y6Z7A8B9C0D2"];

const returnAddress = "An address at an origin of the stage. Absent: the web application.";

/** An event to pay for, or a membership with its form. The token names the payer. */
export const NewPayment = described(
  closed({
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
    success_url: optional(WebUrl, returnAddress),
    cancel_url: optional(WebUrl, returnAddress),
  }),
  undefined,
  { paymentType: "Event", eventID: "gala", year: 2030 },
);
export type NewPayment = Static<typeof NewPayment>;

/** An event, memberships, or everything. */
export const PaymentsQuery = closed({
  eventID: Type.Optional(EventId),
  year: Type.Optional(Year),
  purpose: optional(oneOf(["membership"]), "Instead of `eventID` and `year`."),
  open: optional(Type.Boolean(), "`true`: all that waits for a person. Stands alone, without the parameters above."),
  from: optional(IsoDate, "ISO 8601. Payments settled since then.", since),
  to: optional(IsoDate, "ISO 8601. Payments settled before that.", until),
  format: optional(
    oneOf(["json", "csv"]),
    "`csv`: a row for each payment, and for each of the provider's lines about it.",
  ),
  ...page,
});
export type PaymentsQuery = Static<typeof PaymentsQuery>;

const cents = (description: string, ...example: readonly number[]) =>
  described(Type.Integer(), description, ...example);

const byHand = described(oneOf(["cash", "transfer"]), "How the money came.");
const by = described(text, "The executive.", "exec@club.example");
const at = described(Timestamp, "When, in epoch milliseconds.", someTime);
const reason = described(text, "Why, in the admin's words.", "Asked for it");
const refundReason = "The workshop was cancelled.";
const currency = described(text, "ISO 4217.", "CAD");

/** What was paid for. */
const paidFor = {
  purpose: described(oneOf(["event", "membership"]), "What was paid for."),
  eventID: Type.Optional(EventIdText),
  year: optional(Type.Integer(), "The event's year.", 2030),
};
const code = Type.Optional(notShown(described(CodeUse, "By which code the person had registered.")));

const Reversed = described(
  closed({
    reversalId: described(text, "Of the entry that has done it.", "01JGZ2M0W8Q4V5Y6Z7A8B9C0D3"),
    ...{ reason, by, at },
  }),
  "Another entry has taken it back.",
);

const Entry = closed({
  entryId: described(text, "Names it in a reversal. The first one has the payment's id."),
  amount: cents("What was taken, in cents."),
  how: Type.Optional(byHand),
  waived: Type.Optional(cents("What of the price is not asked for any more.")),
  reason: Type.Optional(reason),
  by,
  at,
  dated: optional(Timestamp, "When it was taken, if that was before it was recorded."),
  reversed: Type.Optional(Reversed),
});

export const Refund = closed({
  refundId: described(text, "The refund's id.", "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2"),
  amount: cents("In cents.", 500),
  state: described(
    oneOf(["reserved", "pending", "succeeded", "failed"]),
    "`reserved`: about to be asked for. `pending`: the provider has it. `failed`: nothing went back.",
    "succeeded",
  ),
  at: described(at, undefined, someTime + 86_400_000),
  by: optional(by, "Absent: made in the provider's dashboard."),
  reason: optional(reason, undefined, refundReason),
  isByHand: optional(Type.Boolean(), "It was given back in cash or by transfer."),
  how: Type.Optional(byHand),
  dated: optional(Timestamp, "When it was given back, if that was before it was recorded.", someTime),
  reversed: Type.Optional(Reversed),
  providerId: optional(text, "The provider's id of the refund.", "re_1"),
  failure: optional(text, "The provider's word."),
  delayedBy: optional(text, "Why the provider waits; the refund goes on by itself."),
});
export type Refund = Static<typeof Refund>;

const KeptMoney = closed({ amount: cents("In cents."), reason, by, at });

/** The ids of a payment. */
const paymentIds = {
  paymentId: described(text, "The provider's checkout session, or `hand_…`.", checkout),
  paymentIntent: optional(text, "The provider's id of the transfer.", "pi_1"),
};

export const Payment = closed({
  ...paymentIds,
  email: EmailText,
  amount: cents("What came, in cents.", 1_000),
  currency,
  ...paidFor,
  people: optional(Type.Integer({ minimum: 2 }), "For how many it was paid. Absent: one.", 2),
  code,
  byHand: optional(closed({ how: byHand, by }), "An executive has taken it; the provider has not."),
  settledAs: described(oneOf(["seat", "membership", "refund"]), "`refund`: it paid for nothing."),
  settledAt: described(Timestamp, "When the payment arrived, in epoch milliseconds.", someTime + 120_000),
  entries: optional(Type.Array(Entry), "What was taken by hand."),
  state: described(
    oneOf(["kept", "refunded", "part refunded", "frozen", "lost", "reversed"]),
    "What became of the money.",
    "part refunded",
  ),
  fee: cents("What the provider has kept, as far as its payouts have said it.", 74),
  wentBack: cents("What has gone back.", 500),
  open: cents("What has to go back, or is on its way.", 0),
  frozen: cents("What disputes have taken, and may bring back.", 0),
  lost: cents("What lost disputes have taken.", 0),
  owes: Type.Optional(cents("What is left to pay of the price.", 500)),
  deposit: optional(oneOf(["held", "due"]), "It is a deposit. `due`: its person came, so it goes back."),
  review: optional(oneOf(["late", "third"]), "The treasurer decides: cancelled late, or the person's third refund."),
  undecided: Type.Optional(cents("About how much the treasurer decides then.", 500)),
  waitsFor: optional(text, "What a person has to do. Absent: nothing."),
  kept: optional(Type.Array(KeptMoney), "Decisions to keep money that had to go back."),
  payouts: described(Type.Array(text), "The provider's transfers to the club's bank.", ["po_1"]),
  refunds: described(Type.Array(Refund), "All refunds of the payment."),
});
export type Payment = Static<typeof Payment>;

const Cents = Type.Integer({ minimum: 1, maximum: 99_999_999 });

export const NewRefund = closed({
  amount: optional(Cents, "In cents. Absent: what the treasurer decides about, else all that is left.", 500),
  reason: described(Name, "The person reads it in the mail.", refundReason),
  cancel: optional(Type.Boolean(), "`true`: the seat or membership ends too."),
  how: optional(byHand, "It was given back by hand: the provider does nothing."),
  at: optional(IsoDate, "When that was, if it was before."),
});

export const MoneyDecision = closed({
  decision: described(
    oneOf(["keep", "waive"]),
    "`keep`: money that had to go back. `waive`: what is left to pay of a price.",
  ),
  amount: optional(Cents, "In cents. Absent: all that waits.", 1_000),
  reason: described(Name, "Kept with the payment.", "Asked for it"),
});

const taking = {
  amount: described(Cents, "In cents.", 1_000),
  how: byHand,
  at: optional(IsoDate, "When it was taken, if that was before."),
  confirm: optional(Type.Boolean(), "`true`: the amount is right, although it is not the price."),
  waive: optional(Name, "Why the rest of the price is not asked for. Absent: it stays owed."),
};

/** Money that an executive has taken for a seat or a membership. */
export const NewPaymentByHand = closed({
  email: Email,
  ...{ eventID: Type.Optional(EventId), year: Type.Optional(Year) },
  membership: Type.Optional(
    notShown(described(closed(formInput), "Instead of `eventID` and `year`: the membership's form.")),
  ),
  ...taking,
});
export type NewPaymentByHand = Static<typeof NewPaymentByHand>;

export const NewReversal = closed({
  entryId: described(Type.String({ maxLength: 255 }), "Of an entry, or of a refund by hand.", byHandId),
  reason: MoneyDecision.properties.reason,
  instead: optional(closed(taking), "What was taken in truth."),
});
export type Taking = Pick<NewPaymentByHand, "amount" | "how" | "at" | "confirm" | "waive">;

const PaymentId = Type.String({ pattern: "^\\w{1,255}$" });
export const PaymentOfRefund = closed({
  paymentId: described(PaymentId, "The provider's checkout session.", checkout),
});
export const taken = closed({
  message: Message,
  paymentId: described(text, "The provider's checkout session.", checkout),
});

const balances = described(closed(each(accounts, cents("In cents."))), undefined, {
  provider: 10_400,
  cash: 2_000,
  bank: 0,
});
const period = {
  from: described(IsoDate, "ISO 8601. Since then.", since),
  to: described(IsoDate, "ISO 8601. Before that, and within 400 days.", until),
};

/** Whose money it was. */
const ofPayment = {
  ...paymentIds,
  email: EmailText,
  ...paidFor,
  code,
};

export const JournalQuery = closed({
  ...period,
  format: optional(oneOf(["json", "csv"]), "`csv`: amounts in the currency, times of the stage."),
  ...page,
});

const JournalRow = closed({
  id: described(text, "The provider's transaction, or the entry by hand.", "txn_1"),
  at: described(Timestamp, "Its own date.", someTime),
  kind: described(oneOf(kinds), "What it is. A fee, and where a payout arrives, are rows of their own.", "payment"),
  account: described(oneOf(accounts), "Where it is: at the provider, in the cash box, or at the bank.", "provider"),
  amount: cents("In cents, less than 0 when money left the account.", 1_000),
  currency,
  balance: Type.Optional(cents("What stood in the account then. Absent in another currency.", 11_400)),
  source: optional(text, "The provider's charge, refund, dispute or payout.", "ch_1"),
  reverses: optional(text, "The entry that it takes back.", byHandId),
  payout: optional(text, "The payout that had it.", "po_1"),
  ...Type.Partial(Type.Object(ofPayment)).properties,
  isDeposit: optional(Type.Boolean(), "The payment is a deposit."),
});

export const Journal = closed({
  opening: described(balances, "What stood in the accounts before the first row."),
  readUntil: described(Timestamp, "What the provider has booked since then may lack.", someTime),
  rows: described(Type.Array(JournalRow), "In the order of time."),
});

export const NewClosing = closed({
  month: described(Type.String({ pattern: "^20\\d\\d-(0[1-9]|1[0-2])$" }), "Such as `2030-01`.", "2026-01"),
});
export const Closing = closed({
  until: described(Timestamp, "The end of the month.", 1_893_484_800_000),
  balances: described(balances, "What stood in the accounts then."),
});

export const TotalsQuery = closed(period);

export const Totals = closed({
  ...paidFor,
  isDeleted: Type.Optional(
    Type.Literal(true, { description: "The event was deleted; another one may have its name now." }),
  ),
  membershipYear: optional(text, "From September to August.", "2029/30"),
  currency,
  payments: described(Type.Integer(), "How many.", 80),
  came: cents("What came.", 120_000),
  wentBack: cents("What has gone back.", 3_000),
  fee: cents("What the provider has kept.", 5_880),
  lost: cents("What lost disputes have taken.", 0),
  net: cents("What the club has of it.", 111_120),
  frozen: cents("What disputes have taken, and may bring back.", 0),
  open: cents("What has to go back, or is on its way.", 0),
  owes: cents("What is left to pay of prices.", 500),
  deposits: cents("Of what came: deposits.", 0),
  depositsReturned: cents("What of them went back to people who came, or has to.", 0),
  depositsKept: cents("What of them the club keeps: of people who did not come.", 0),
});

const inCurrency = { amount: cents("In cents.", 1_000), currency };
const ExpectedPayout = closed({
  payoutId: described(text, "The provider's id, `po_…`.", "po_1"),
  ...inCurrency,
  arrivesAt: described(Timestamp, "When it arrives at the bank.", someTime),
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
        disputeId: described(text, "The provider's id.", "dp_1"),
        status: described(text, "The provider's word.", "needs_response"),
        taken: cents("What it has taken.", 1_000),
        dueBy: optional(Timestamp, "Until when the club may answer.", someTime),
      }),
    ),
    "Those that are not over.",
  ),
  isWhole: described(Type.Boolean(), "`false`: there are more than 1,000 open payments."),
});
