import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { longestCode } from "#domain/registrations/tickets/code.ts";
import {
  changing,
  closed,
  Email,
  EventId,
  Line,
  Name,
  oneOf,
  orNull,
  page,
  QueryEmail,
  type Static,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema.ts";

const event = { eventID: EventId, year: Year };

/** Names one registration of a person, in the body or in the query. */
export const whichEvent = { eventID: Type.Optional(EventId), year: Type.Optional(Year) };

/** The questions of every registration form. */
const BasicInformation = closed({
  fname: Type.Optional(Name),
  lname: Type.Optional(Line()),
  year: Type.Optional(Line()),
  faculty: Type.Optional(Line()),
  major: Type.Optional(Line()),
  gender: Type.Optional(Line()),
  diet: Type.Optional(Line()),
  heardFrom: Type.Optional(Line()),
  phone: Type.Optional(Line()),
  studentId: Type.Optional(Line()),
  companyName: Type.Optional(Line()),
  role: Type.Optional(Line()),
});

/** Keyed by question id. The handler checks the answers against the event's questions. */
const DynamicResponses = Type.Record(
  Type.String({ maxLength: 100 }),
  Type.Unsafe<string | string[] | null>({
    type: ["string", "array", "null"],
    maxLength: 4_000,
    items: Text(4_000),
    maxItems: 100,
  }),
);

export const NewRegistration = closed({
  ...event,
  email: Email,
  fname: Type.Optional(Name),
  studentId: Type.Optional(Line()),
  basicInformation: Type.Optional(BasicInformation),
  dynamicResponses: Type.Optional(DynamicResponses),
  isPartner: Type.Optional(Type.Boolean()),
});

const lineOrNull = Type.Optional(orNull(Line()));

/** The same questions, each with `null` for no answer. */
const basicInformationAsSent = Object.fromEntries(
  Object.entries(BasicInformation.properties).map(([name, question]) => [name, Type.Optional(orNull(question))]),
) as Record<keyof Static<typeof BasicInformation>, typeof lineOrNull>;

/** The form as sent: a client may send `null` for a field without a value, and leave a name blank (`one-registration.ts`). */
export const RegistrationForm = closed({
  ...NewRegistration.properties,
  fname: lineOrNull,
  studentId: lineOrNull,
  basicInformation: Type.Optional(orNull(closed({ ...basicInformationAsSent, fname: lineOrNull }))),
  dynamicResponses: Type.Optional(orNull(DynamicResponses)),
  isPartner: Type.Optional(orNull(Type.Boolean())),
});
export type RegistrationForm = Static<typeof RegistrationForm>;

export const Registration = closed({
  id: Type.String(),
  email: Type.String(),
  ...event,
  "eventID;year": Type.String(),
  registrationStatus: oneOf(registrationStatuses),
  applicationStatus: Type.String(),
  fname: Type.String(),
  studentId: Type.Optional(Type.String()),
  basicInformation: BasicInformation,
  dynamicResponses: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
  isPartner: Type.Boolean(),
  points: Type.Integer(),
  /** The content of the QR code; for the person and admins. */
  ticketCode: Type.Optional(Type.String()),
  /** Until when an unpaid seat is held. */
  holdExpiresAt: Type.Optional(Timestamp),
  /** Where to pay, while a checkout is open; for the person and admins. */
  checkoutLink: Type.Optional(Type.String()),
  checkedInAt: Type.Optional(Timestamp),
  /** Place in line from 1; only in answers about one person and one event. */
  waitlistPosition: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Instead of the place: more than so many people are ahead. */
  waitlistAhead: Type.Optional(Type.Integer({ minimum: 1 })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Registration = Static<typeof Registration>;

export const Registered = closed({
  message: Type.String(),
  registrationStatus: Type.String(),
  registration: Registration,
});

/** The changes of a registration. A field that is absent stays. */
const amendment = {
  registrationStatus: Type.Optional(Type.String({ maxLength: 40 })),
  applicationStatus: Type.Optional(Type.String({ maxLength: 40 })),
  points: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
};

export const RegistrationChanges = changing({
  ...event,
  ...amendment,
  dynamicResponses: Type.Optional(DynamicResponses),
  basicInformation: Type.Optional(BasicInformation),
});

const maxRows = 500;

/** The handler checks it row by row (`rows.ts`), so that a wrong email stops no other row. */
const emailOfRow = Type.String({ maxLength: 512 });

export const MassUpdate = closed({
  eventID: EventId,
  year: Type.Optional(Year),
  eventYear: Type.Optional(Year),
  updates: Type.Array(closed({ ...amendment, email: emailOfRow, points: Type.Optional(Type.Number()) }), {
    minItems: 1,
    maxItems: maxRows,
  }),
});

export const BulkSelection = closed({
  ids: Type.Array(emailOfRow, { minItems: 1, maxItems: maxRows }),
  ...event,
});

/** At the door: the code of a ticket, or the email of the person. */
export const CheckIn = closed({
  code: Type.Optional(Line(longestCode)),
  email: Type.Optional(Email),
  ...event,
});

export const TicketRequest = closed({ email: Email, ...event });

export const LeaderboardFilters = closed(whichEvent);

export const Leaderboard = Type.Array(
  closed({
    rank: Type.Integer({ minimum: 1 }),
    fname: Type.String(),
    lname: Type.String(),
    points: Type.Integer({ minimum: 1 }),
  }),
  { maxItems: 50 },
);

export const RegistrationFilters = closed({
  ...whichEvent,
  email: Type.Optional(QueryEmail),
  "eventID;year": Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(
    Type.String({ maxLength: 200, description: "A status, or several with commas between them, in any case." }),
  ),
  isPartner: Type.Optional(Type.Boolean({ description: "Partners only, or all but partners." })),
  changedSince: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "Those written at this time or later: epoch milliseconds, or an ISO 8601 date.",
    }),
  ),
  /** `csv`: a table of one event's registrations with their answers, for admins. */
  format: Type.Optional(oneOf(["json", "csv"])),
  ...page,
});
export type RegistrationFilters = Static<typeof RegistrationFilters>;
