import { User, userFields } from "#api/records/schemas.ts";
import { userDetails } from "#domain/people/users/details.ts";
import {
  changing,
  closed,
  described,
  Email,
  EventId,
  each,
  IsoDate,
  Line,
  LineOrNumber,
  Name,
  oneOf,
  orNull,
  page,
  type Static,
  Timestamp,
  Type,
  Year,
} from "#kit/schema/schema.ts";

/** What money was paid for. */
const paidFor = {
  purpose: oneOf(["event", "membership"]),
  eventID: Type.Optional(Type.String()),
  year: Type.Optional(Type.Integer()),
};

/** Money that comes back to the caller. */
export const OwnRefund = closed({
  refundId: Type.String(),
  amount: described(Type.Integer(), "In cents."),
  currency: Type.String(),
  state: described(
    oneOf(["owed", "reserved", "pending", "succeeded", "failed"]),
    "`owed`: the club has yet to send it. `succeeded`: it has left. `failed`: it has not, and is owed again.",
  ),
  ...paidFor,
  updatedAt: Timestamp,
});
export type OwnRefund = Static<typeof OwnRefund>;

/** What the caller has paid. */
export const OwnPayment = closed({
  paymentId: Type.String(),
  amount: described(Type.Integer(), "In cents."),
  currency: Type.String(),
  ...paidFor,
  paidAt: Timestamp,
});
export type OwnPayment = Static<typeof OwnPayment>;

/** The caller's record. */
export const OwnUser = closed({
  ...User.properties,
  payments: Type.Optional(described(Type.Array(OwnPayment), "All of them. Absent: there are none.")),
  refunds: Type.Optional(described(Type.Array(OwnRefund), "Of the last 90 days. Absent: there are none.")),
});

/** The present backend takes these as numbers, and stores 0 for none. */
const numbered = ["studentId", "year"] as const;

export const NewUser = closed({
  email: Type.Optional(described(Email, "Absent: the caller's.")),
  /** The web application sends the email under either name. */
  id: Type.Optional(described(Email, "Another name for `email`.")),
  ...userFields,
  ...each(numbered, Type.Optional(LineOrNumber)),
  isMember: Type.Optional(Type.Boolean({ description: "Counts from an admin only." })),
});

export const UserChanges = changing({
  ...each(["fname", "lname"], Type.Optional(orNull(Name))),
  ...each(userDetails, Type.Optional(orNull(Line()))),
  ...each(numbered, Type.Optional(orNull(LineOrNumber))),
  isMember: Type.Optional(Type.Boolean({ description: "Admins only." })),
  /** Immutable fields are declared, so that the handler can refuse them instead of ignoring them. */
  ...each(["id", "email", "admin"], Type.Optional(Type.Unknown())),
});

export const FavouriteChange = closed({
  eventID: EventId,
  year: Year,
  isFavourite: Type.Optional(Type.Boolean({ description: "Absent: the opposite of the present state." })),
});

const elsewhere = Type.Record(Type.String(), Type.String());

export const ExportFormat = closed({
  format: Type.Optional(described(oneOf(["json", "html"]), "`html`: a page to save.")),
});

/** A person's data. */
export const ExportedData = closed({
  email: Type.String(),
  at: described(Timestamp, "When it was read."),
  records: Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown())), {
    description: 'By kind (`docs/design.md`, "The data model").',
  }),
  leftOut: described(elsewhere, "What is not included, and why."),
});

const Planned = closed({
  kind: described(Type.String(), "As in the export."),
  items: described(Type.Integer(), "How many there are now."),
  why: Type.Optional(described(Type.String(), "Why they do not go at once, or what happens to them.")),
  until: Type.Optional(described(Type.String(), "Of those that stay: how long. Absent: for good.")),
});

/** What an account's deletion does to the person's data. */
export const ErasurePlan = closed({
  email: Type.String(),
  goes: described(Type.Array(Planned), "What is removed at once."),
  isEmptied: described(Type.Array(Planned), "What loses at once what the person entered."),
  deletedAt: Type.Optional(described(Timestamp, "When the person was deleted. Absent: no deletion is under way.")),
  endsAt: Type.Optional(
    described(
      Timestamp,
      "When the rest is due, also of a deletion that is made now. Absent: nothing is left to do then.",
    ),
  ),
  goesLater: described(Type.Array(Planned), "What is removed then."),
  isRenamed: described(Type.Array(Planned), "What stays, from then on under a name that leads to nobody."),
  stays: described(Type.Array(Planned), "What stays."),
  elsewhere: described(elsewhere, "What else names the person, outside of the table."),
});

/** Who changed what. */
export const AuditFilters = closed({
  eventID: Type.Optional(EventId),
  year: Type.Optional(Year),
  email: Type.Optional(described(Email, "Whose records.")),
  actor: Type.Optional(
    described(Line(254), "Who made the change: an email, `device` with its id, `link`, `operator` or `system`."),
  ),
  from: Type.Optional(described(IsoDate, "ISO 8601. Changes since then.")),
  format: Type.Optional(described(oneOf(["json", "csv"]), "`csv`: a table. It leaves a row itself.")),
  ...page,
});
export type AuditFilters = Static<typeof AuditFilters>;

const FieldChange = closed({
  field: described(Type.String(), "The field's name."),
  before: Type.Optional(Type.Unknown({ description: "Absent: it had no value, or the field is personal, or long." })),
  after: Type.Optional(Type.Unknown({ description: "Absent: it has no value, or the field is personal, or long." })),
});

/** Changes, newest first. */
export const Audit = closed({
  size: Type.Integer(),
  data: Type.Array(
    closed({
      at: described(Timestamp, "When."),
      actor: described(Type.String(), "Who made it: an email, `device` with its id, `link`, `operator` or `system`."),
      action: described(Type.String(), "What was done: the type of its message, or such as `prize.updated`."),
      email: Type.Optional(described(Type.String(), "Whose record.")),
      eventID: Type.Optional(Type.String()),
      year: Type.Optional(Type.Integer()),
      of: Type.Optional(described(Type.String(), "The id of another record.")),
      changes: Type.Optional(described(Type.Array(FieldChange), "The fields that changed.")),
      reason: Type.Optional(described(Type.String(), "Why, where the request says so.")),
      requestId: described(Type.String(), "Of the request, as in answers and logs."),
    }),
  ),
});
