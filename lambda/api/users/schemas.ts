import { detailed } from "#api/records/details.ts";
import { User, userFields } from "#api/records/schemas.ts";
import {
  changing,
  closed,
  described,
  Email,
  EmailText,
  EventId,
  EventIdText,
  each,
  IsoDate,
  Line,
  LineOrNumber,
  Name,
  oneOf,
  optional,
  orNull,
  page,
  type Static,
  someTime,
  Timestamp,
  Type,
  times,
  Year,
} from "#kit/schema/schema.ts";
import { userDetails } from "#outbox/stored-kinds.ts";

const text = Type.String();
/** The event of a record of several kinds. */
const ofEvent = {
  eventID: Type.Optional(EventIdText),
  year: optional(Type.Integer(), "The event's year.", 2030),
};
/** What money was paid for. */
const paidFor = { purpose: described(oneOf(["event", "membership"]), "What was paid for."), ...ofEvent };
const currency = described(text, "ISO 4217.", "CAD");

/** Money that comes back to the caller. */
export const OwnRefund = closed({
  refundId: described(text, "The refund's id."),
  amount: described(Type.Integer(), "In cents."),
  currency,
  state: described(
    oneOf(["owed", "reserved", "pending", "succeeded", "failed"]),
    "`owed`: the club has yet to send it. `succeeded`: it has left. `failed`: it has not, and is owed again.",
  ),
  ...paidFor,
  updatedAt: times.updatedAt,
});
export type OwnRefund = Static<typeof OwnRefund>;

/** What the caller has paid. */
export const OwnPayment = closed({
  paymentId: described(text, "The provider's checkout session."),
  amount: described(Type.Integer(), "In cents."),
  currency,
  ...paidFor,
  paidAt: described(Timestamp, "When it was paid, in epoch milliseconds."),
});
export type OwnPayment = Static<typeof OwnPayment>;

/** The caller's record. */
export const OwnUser = closed({
  ...User.properties,
  mayRenew: optional(
    Type.Literal(true),
    "The end of the membership is near, or over: `POST /payments` gives it another term.",
  ),
  payments: optional(Type.Array(OwnPayment), "All of them. Absent: there are none."),
  refunds: optional(Type.Array(OwnRefund), "Of the last 90 days. Absent: there are none.", [
    {
      refundId: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2",
      amount: 500,
      currency: "CAD",
      state: "succeeded",
      purpose: "event",
      eventID: "gala",
      year: 2030,
      updatedAt: someTime,
    },
  ]),
});

/** The present backend takes these as numbers, and stores 0 for none. */
const numbered = ["studentId", "year"] as const;

export const NewUser = closed({
  email: optional(Email, "Absent: the caller's."),
  /** The web application sends the email under either name. */
  id: optional(Email, "Another name for `email`."),
  ...userFields,
  ...detailed(numbered, Type.Optional(LineOrNumber)),
  isMember: optional(Type.Boolean(), "Counts from an admin only."),
});

export const UserChanges = changing({
  ...detailed(["fname", "lname"], Type.Optional(orNull(Name))),
  ...detailed(userDetails, Type.Optional(orNull(Line()))),
  ...detailed(numbered, Type.Optional(orNull(LineOrNumber))),
  isMember: optional(Type.Boolean(), "Admins only."),
  /** Immutable fields are declared, so that the handler can refuse them instead of ignoring them. */
  ...each(["id", "email", "admin"], Type.Optional(Type.Unknown())),
});

export const FavouriteChange = closed({
  eventID: EventId,
  year: Year,
  isFavourite: optional(Type.Boolean(), "Absent: the opposite of the present state."),
});

const elsewhere = Type.Record(Type.String(), Type.String());

export const ExportFormat = closed({
  format: optional(oneOf(["json", "html"]), "`html`: a page to save."),
});

/** A person's data. */
export const ExportedData = closed({
  email: EmailText,
  at: described(Timestamp, "When it was read.", someTime),
  records: described(
    Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown()))),
    'By kind (`docs/design.md`, "The data model").',
    { registration: [{ email: "ada@student.example", eventID: "gala", year: 2030 }] },
  ),
  leftOut: described(elsewhere, "What is not included, and why.", { logs: "They name no person." }),
});

const Planned = closed({
  kind: described(text, "As in the export."),
  items: described(Type.Integer(), "How many there are now."),
  why: optional(text, "Why they do not go at once, or what happens to them."),
  until: optional(text, "Of those that stay: how long. Absent: for good."),
});

/** What an account's deletion does to the person's data. */
export const ErasurePlan = closed({
  email: EmailText,
  goes: described(Type.Array(Planned), "What is removed at once.", [{ kind: "account", items: 1 }]),
  isEmptied: described(Type.Array(Planned), "What loses at once what the person entered.", [
    { kind: "registration", items: 2, why: "Those for events to come are cancelled." },
  ]),
  deletedAt: optional(Timestamp, "When the person was deleted. Absent: no deletion is under way.", someTime),
  endsAt: optional(
    Timestamp,
    "When the rest is due, also of a deletion that is made now. Absent: nothing is left to do then.",
    someTime,
  ),
  goesLater: described(Type.Array(Planned), "What is removed then.", [
    { kind: "own payment", items: 1, why: "Refunds may still come back." },
  ]),
  isRenamed: described(Type.Array(Planned), "What stays, from then on under a name that leads to nobody.", [
    { kind: "payment", items: 1, why: "The club's books must show every payment." },
  ]),
  stays: described(Type.Array(Planned), "What stays.", [
    { kind: "suppression", items: 1, why: "No campaign may reach a person who wants none." },
    { kind: "lifted suppression", items: 1, why: "Nothing is sent to anybody twice.", until: "60 days" },
  ]),
  elsewhere: described(elsewhere, "What else names the person, outside of the table.", {
    backups: "The table can be restored to any second of the last 35 days.",
  }),
});

/** Who changed what. */
const exec = "exec@club.example";
export const AuditFilters = closed({
  eventID: Type.Optional(EventId),
  year: Type.Optional(Year),
  email: optional(Email, "Whose records."),
  actor: optional(
    Line(254),
    "Who made the change: an email, `device` with its id, `link`, `operator` or `system`.",
    exec,
  ),
  from: optional(IsoDate, "ISO 8601. Changes since then.", "2030-01-01"),
  format: optional(oneOf(["json", "csv"]), "`csv`: a table. It leaves a row itself."),
  ...page,
});
export type AuditFilters = Static<typeof AuditFilters>;

const FieldChange = closed({
  field: described(text, "The field's name."),
  before: Type.Optional(Type.Unknown({ description: "Absent: it had no value, or the field is personal, or long." })),
  after: Type.Optional(Type.Unknown({ description: "Absent: it has no value, or the field is personal, or long." })),
});

const Change = closed({
  at: described(Timestamp, "When."),
  actor: described(text, "Who made it: an email, `device` with its id, `link`, `operator` or `system`."),
  action: described(text, "What was done: the type of its message, or such as `prize.updated`."),
  email: optional(text, "Whose record."),
  ...ofEvent,
  of: optional(text, "The id of another record."),
  changes: optional(Type.Array(FieldChange), "The fields that changed."),
  reason: optional(text, "Why, where the request says so."),
  requestId: described(text, "Of the request, as in answers and logs."),
});

/** Changes, newest first. */
export const Audit = closed({
  size: described(Type.Integer(), "How many entries this page has.", 1),
  data: described(Type.Array(Change), "The result.", [
    {
      ...{ at: 1_893_456_000_000, actor: exec, action: "registration.updated", email: "ada@student.example" },
      ...{ eventID: "gala", year: 2030, changes: [{ field: "points", before: 3, after: 5 }], requestId: "req-1" },
    },
  ]),
});
