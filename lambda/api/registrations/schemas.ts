import { basicInformationInput, Registration, RegistrationQuestion } from "#api/records/schemas.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { mostPoints } from "#domain/registrations/store/points.ts";
import { longestCode } from "#domain/registrations/tickets/code.ts";
import { linkActions } from "#domain/registrations/tickets/link.ts";
import {
  changing,
  closed,
  described,
  Email,
  EventId,
  each,
  Line,
  LineOrNumber,
  Name,
  NameOrBlank,
  oneOf,
  orNull,
  page,
  QueryEmail,
  type Static,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema/schema.ts";

const event = { eventID: EventId, year: Year };

/** Identifies one registration of a person, in the body or in the query. */
export const whichEvent = { eventID: Type.Optional(EventId), year: Type.Optional(Year) };

const seenStatus = described(
  oneOf(registrationStatuses),
  "The `registrationStatus` that the person saw. Is it another one now, nothing is changed: 409 `STATUS_CHANGED`.",
);

/** The same, with what the person saw of it. */
export const whichRegistration = { ...whichEvent, seenStatus: Type.Optional(seenStatus) };

/** Keyed by question id. The handler checks the answers against the event's questions. */
const DynamicResponses = Type.Record(
  Type.String({ maxLength: 100 }),
  Type.Unsafe<string | string[] | null>({
    type: ["string", "array", "null"],
    maxLength: 4_000,
    items: Text(4_000),
    maxItems: 100,
    description:
      "TEXT: text. SELECT, WORKSHOP_SELECTION: one choice on offer. CHECKBOX: choices, as a list or a text with commas. " +
      "SKILLS: at most 50 lines, the same way. UPLOAD: an https address. `null`: no answer.",
  }),
  { description: "Answers by `questionId`. Answers to other questions are ignored." },
);

const isPartner = Type.Boolean({ description: "A partner answers `partnerRegistrationQuestions`." });

export const NewRegistration = closed({
  ...event,
  email: Email,
  fname: Type.Optional(Name),
  studentId: Type.Optional(LineOrNumber),
  basicInformation: Type.Optional(basicInformationInput),
  dynamicResponses: Type.Optional(DynamicResponses),
  isPartner: Type.Optional(isPartner),
});

const lineOrNull = Type.Optional(orNull(Line()));
const nameOrNull = Type.Optional(orNull(NameOrBlank));

/** The same questions, where `null` means no answer. */
const basicInformationAsSent = Object.fromEntries(
  Object.entries(basicInformationInput.properties).map(([name, question]) => [name, Type.Optional(orNull(question))]),
) as Record<keyof Static<typeof basicInformationInput>, typeof lineOrNull>;

/** The form as sent: a client may send `null` for a field without a value, and leave a name blank (`one-registration.ts`). */
export const RegistrationForm = closed({
  ...NewRegistration.properties,
  fname: nameOrNull,
  studentId: Type.Optional(orNull(LineOrNumber)),
  basicInformation: Type.Optional(orNull(closed({ ...basicInformationAsSent, fname: nameOrNull }))),
  dynamicResponses: Type.Optional(orNull(DynamicResponses)),
  isPartner: Type.Optional(orNull(isPartner)),
});
export type RegistrationForm = Static<typeof RegistrationForm>;

const { eventID: _eventID, year: _year, ...formFields } = RegistrationForm.properties;

/** The same form, of a person without an account. The path names the event. */
export const GuestForm = closed(formFields);

export const Registered = closed({
  message: Type.String(),
  registrationStatus: Type.String(),
  registration: Registration,
});

/** The changes of a registration. Absent fields stay unchanged. */
const amendment = {
  registrationStatus: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "The wanted status, in any case; `waitlisted` means `waitlist`. Blank: the status stays.",
    }),
  ),
  applicationStatus: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        "`accepted`, `rejected`, `waitlist` or `reviewing`. The price decides between `accepted` and `acceptedPending`. " +
        "`registered`, `checkedIn` and `cancelled` are read as `registrationStatus`.",
    }),
  ),
  points: Type.Optional(Type.Integer({ minimum: 0, maximum: mostPoints, description: "The new total. Admins only." })),
  isPartner: Type.Optional(
    Type.Boolean({ description: "Whether the person is a partner. Admins only, and without a status." }),
  ),
  seenStatus: Type.Optional(seenStatus),
};

export const RegistrationChanges = changing({
  ...event,
  ...amendment,
  dynamicResponses: Type.Optional(DynamicResponses),
  basicInformation: Type.Optional(basicInformationInput),
});

/** The changes by a link. Absent fields stay unchanged. */
export const ChangesByLink = changing({
  seenStatus,
  registrationStatus: Type.Optional(oneOf(["cancelled", "acceptedComplete"])),
  coming: Type.Optional(Type.Literal(true, { description: "The person says that they come." })),
  dynamicResponses: Type.Optional(DynamicResponses),
});

const LinkedEvent = closed({
  id: EventId,
  year: Year,
  ename: Type.String(),
  ...each(["description", "imageUrl", "elocation", "startDate", "endDate"], Type.Optional(Type.String())),
  when: Type.String({ description: "Date and time for people, with the zone, as in mails." }),
});

const questions = Type.Array(RegistrationQuestion, { description: "What the person is asked." });

export const GuestRequest = closed({
  event: LinkedEvent,
  ...each(["email", "fname"], Type.String()),
  isPartner: Type.Boolean(),
  questions,
  dynamicResponses: Registration.properties.dynamicResponses,
});

/** What a guest fills in at last. */
export const GuestAnswers = closed({ dynamicResponses: Type.Optional(DynamicResponses) });

export const may = Type.Array(oneOf(linkActions), { description: "What can be done now." });

export const LinkedRegistration = closed({
  event: LinkedEvent,
  registration: Registration,
  questions,
  may,
  isOver: Type.Boolean({ description: "The event is over." }),
  heldUntil: Type.Optional(described(Type.String(), "`holdExpiresAt` for people, with the zone.")),
});

const maxRows = 500;

/** Emails and points are validated for each row (`rows.ts`), so that a wrong one fails only its row. */
const emailOfRow = Type.String({ maxLength: 512 });
const pointsOfRow = Type.Optional(Type.Number({ description: "As in the change of one registration." }));

export const MassUpdate = closed({
  eventID: EventId,
  year: Type.Optional(Year),
  eventYear: Type.Optional(described(Year, "Another name for `year`.")),
  updates: Type.Array(closed({ ...amendment, email: emailOfRow, points: pointsOfRow }), {
    minItems: 1,
    maxItems: maxRows,
  }),
});

export const BulkSelection = closed({
  ids: Type.Array(emailOfRow, { minItems: 1, maxItems: maxRows, description: "Emails." }),
  ...event,
});

/** The code of a ticket, or the email of the person. */
export const CheckIn = closed({
  code: Type.Optional(described(Text(longestCode), "The `ticketCode`. Needed unless `email` is given.")),
  email: Type.Optional(described(Email, "Needed unless `code` is given. With both, they must be one person's.")),
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

const count = Type.Integer({ minimum: 0 });

const ratings = {
  count: described(count, "Submissions of both forms."),
  mean: Type.Optional(Type.Number({ description: "Of the overall rating. Absent without any." })),
};

export const Report = closed({
  registered: described(count, "Who holds a seat now, checked in or not."),
  partners: described(count, "Those of them who are partners."),
  came: described(count, "Who was checked in."),
  noShows: Type.Optional(described(count, "Who held a seat and did not come. Only after the event.")),
  waiting: described(count, "Who waits in line."),
  promoted: described(count, "Who got a seat after waiting in line for a minute or longer."),
  applicants: described(count, "Whose application is not decided."),
  rejected: described(count, "Who was rejected."),
  cancelled: described(count, "Who has cancelled or was cancelled or deleted, and has not registered again."),
  cancelledLate: described(count, "In the last 24 hours before the start, or later."),
  cancelledByLink: described(count, "By a mail's link."),
  lapsed: described(count, "Whose unpaid seat was given up, and who has not registered again."),
  saidTheyCome: described(count, 'Who answered a mail with "I come", and has not cancelled.'),
  saidTheyComeAndCame: described(count, "Those of them who came."),
  registrationsByDay: Type.Array(
    closed({ day: Type.String({ description: "In the stage's time zone." }), count: described(count, "How many.") }),
    {
      description: "When people registered.",
    },
  ),
  checkIns: Type.Array(
    closed({ from: described(Timestamp, "The beginning of five minutes."), count: described(count, "How many.") }),
    {
      description: "When people were checked in.",
    },
  ),
  feedback: closed({
    ...ratings,
    came: Type.Optional(described(closed(ratings), "Of people who were checked in.")),
    absent: Type.Optional(described(closed(ratings), "Of people who were not.")),
  }),
  at: described(Timestamp, "When it was counted."),
  money: closed({
    payments: described(count, "Payments for seats."),
    came: described(Type.Integer(), "In cents."),
    wentBack: described(Type.Integer(), "In cents."),
    frozen: described(Type.Integer(), "In cents: what disputes have taken, and may bring back."),
    lost: described(Type.Integer(), "In cents: what lost disputes have taken."),
    open: described(Type.Integer(), "In cents, what has to go back or is on its way."),
    fee: described(Type.Integer(), "In cents: what the provider has kept, as far as its books have said it."),
    net: described(Type.Integer(), "In cents: what the club has of it."),
    owes: described(Type.Integer(), "In cents: what is left to pay of prices."),
  }),
});
export type Report = Static<typeof Report>;

export const RegistrationFilters = closed({
  ...whichEvent,
  email: Type.Optional(QueryEmail),
  "eventID;year": Type.Optional(Type.String({ maxLength: 100, description: "Both joined: `gala;2030`." })),
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
  afterTimestamp: Type.Optional(Type.String({ maxLength: 40, description: "Another name for `changedSince`." })),
  format: Type.Optional(
    described(oneOf(["json", "csv"]), "`csv`: a row for each registration of one event. Admins only."),
  ),
  attendance: Type.Optional(
    Type.Boolean({ description: "`true`: how often each person came before, for 100 rows at most. Admins only." }),
  ),
  ...page,
});
export type RegistrationFilters = Static<typeof RegistrationFilters>;
