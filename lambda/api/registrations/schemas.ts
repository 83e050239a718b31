import type { TProperties } from "typebox";
import { detailed } from "#api/records/details.ts";
import { arrival, company, datesAs, summary } from "#api/records/event-fields.ts";
import * as records from "#api/records/schemas.ts";
import { linkActions } from "#domain/registrations/links/link.ts";
import { longestCode } from "#domain/registrations/links/ticket-code.ts";
import { mostPlusOnes } from "#domain/registrations/record/new-registration.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { mostPoints } from "#domain/registrations/store/points.ts";
import {
  changing,
  closed,
  described,
  Email,
  EmailText,
  EventId,
  Line,
  LineOrNumber,
  Message,
  Name,
  NameOrBlank,
  notShown,
  oneOf,
  optional,
  orNull,
  page,
  QueryEmail,
  type Static,
  someTime,
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

const isPartner = described(Type.Boolean(), "A partner answers `partnerRegistrationQuestions`.", false);

const plusOnes = notShown(
  described(
    Type.Array(closed(detailed(["fname"], Name)), { maxItems: mostPlusOnes }),
    "Who comes along, where the event has `plusOnes`.",
    [{ fname: "Grace" }],
  ),
);
const plusOnesLeft = Type.Optional(
  described(plusOnes, "Those of them who still come along; the others' seats are free."),
);

const code = notShown(described(Line(60), "The code that the person was given."));

export const NewRegistration = closed({
  ...event,
  email: Email,
  ...detailed(["fname"], Type.Optional(Name)),
  ...detailed(["studentId"], Type.Optional(LineOrNumber)),
  basicInformation: Type.Optional(records.basicInformationInput),
  dynamicResponses: Type.Optional(DynamicResponses),
  isPartner: Type.Optional(isPartner),
  code: Type.Optional(code),
  plusOnes: Type.Optional(plusOnes),
});

const lineOrNull = Type.Optional(orNull(Line()));
const nameOrNull = detailed(["fname"], Type.Optional(orNull(NameOrBlank)));

/** The same questions, where `null` means no answer. */
const basicInformationAsSent = Object.fromEntries(
  Object.entries(records.basicInformationInput.properties).map(([name, question]) => [
    name,
    Type.Optional(orNull(question)),
  ]),
) as Record<keyof Static<typeof records.basicInformationInput>, typeof lineOrNull>;
const basicInformation = described(
  closed({ ...basicInformationAsSent, ...nameOrNull }),
  records.basicInformationMeaning,
);

/** The form as sent: a client may send `null` for a field without a value, and leave a name blank (`one-registration.ts`). */
export const RegistrationForm = closed({
  ...NewRegistration.properties,
  ...nameOrNull,
  ...detailed(["studentId"], Type.Optional(orNull(LineOrNumber))),
  basicInformation: Type.Optional(orNull(basicInformation)),
  dynamicResponses: optional(orNull(DynamicResponses), undefined, { workshop: "Strategy" }),
  isPartner: Type.Optional(orNull(isPartner)),
  code: Type.Optional(orNull(code)),
  plusOnes: Type.Optional(orNull(plusOnes)),
});
export type RegistrationForm = Static<typeof RegistrationForm>;

const { eventID: _eventID, year: _year, ...formFields } = RegistrationForm.properties;

/** The same form, of a person without an account. The path names the event. */
export const GuestForm = closed({ ...formFields, dynamicResponses: Type.Optional(orNull(DynamicResponses)) });

const status = described(Type.String(), ...records.status);

export const Registered = closed({ message: Message, registrationStatus: status, registration: records.registration });

/** The changes of a registration. Absent fields stay unchanged. */
const amendment = {
  registrationStatus: optional(
    Type.String({ maxLength: 40 }),
    "The wanted status, in any case; `waitlisted` means `waitlist`. Blank: the status stays.",
  ),
  applicationStatus: optional(
    Type.String({ maxLength: 40 }),
    "`accepted`, `rejected`, `waitlist` or `reviewing`. The price decides between `accepted` and `acceptedPending`. " +
      "`registered`, `checkedIn` and `cancelled` are read as `registrationStatus`.",
  ),
  points: optional(Type.Integer({ minimum: 0, maximum: mostPoints }), "The new total. Admins only."),
  isPartner: optional(Type.Boolean(), "Whether the person is a partner. Admins only, and without a status.", false),
  seenStatus: Type.Optional(seenStatus),
};

export const RegistrationChanges = changing({
  ...event,
  ...amendment,
  dynamicResponses: optional(DynamicResponses, undefined, { workshop: "Design" }),
  basicInformation: Type.Optional(records.basicInformationInput),
  plusOnes: plusOnesLeft,
});

const offer = described(
  closed({
    email: optional(Email, "Who may take the seat.", "grace@student.example"),
    fname: optional(Name, "Their first name.", "Grace"),
  }),
  "To whom the person offers the seat. `{}`: what was offered before is withdrawn.",
);

/** To whom a person offers the seat. */
export const SeatOffer = closed({ ...event, offer, seenStatus: Type.Optional(seenStatus) });

/** The changes by a link. Absent fields stay unchanged. */
export const ChangesByLink = changing({
  seenStatus,
  registrationStatus: optional(oneOf(["cancelled", "acceptedComplete"]), records.status[0]),
  coming: Type.Optional(Type.Literal(true, { description: "The person says that they come." })),
  plusOnes: plusOnesLeft,
  dynamicResponses: Type.Optional(DynamicResponses),
  offer: Type.Optional(notShown(offer)),
});

const { isCompleted: _, partnerDescription: _notForPartners, ...shownOfEvent } = summary;
const LinkedEvent = described(closed(shownOfEvent), "The event.");
const { refundUntil } = datesAs(Type.Optional(Type.String()));

const questions = Type.Array(records.RegistrationQuestion, { description: "What the person is asked." });

export const GuestRequest = closed({
  event: LinkedEvent,
  email: EmailText,
  ...detailed(["fname"], Type.String()),
  isPartner: records.isPartner,
  questions,
  dynamicResponses: records.answersOfEvent,
  plusOnes: Type.Optional(plusOnes),
  behindOthers: optional(Type.Literal(true), records.behindOthers),
  from: optional(EmailText, "Who offers the seat. Absent: the person has asked."),
});

/** What a guest fills in at last. */
export const GuestAnswers = closed({ dynamicResponses: Type.Optional(DynamicResponses) });

export const may = Type.Array(oneOf(linkActions), { description: "What can be done now." });

export const LinkedRegistration = closed({
  event: described(closed({ ...shownOfEvent, ...company, refundUntil }), "The event."),
  registration: records.registration,
  questions,
  may,
  behindOthers: optional(Type.Literal(true), `Of who may register again. ${records.behindOthers}`),
  isOver: Type.Boolean({ description: "The event is over." }),
  offered: optional(
    closed({ email: EmailText, ...detailed(["fname"], Type.String()) }),
    "To whom the person has offered the seat.",
  ),
  holdExpiresAt: optional(
    Type.String({ format: "date-time" }),
    "The end of an unpaid seat's hold.",
    "2030-02-01T20:30:00.000Z",
  ),
  heldUntil: optional(Type.String(), "`holdExpiresAt` for people, with the zone."),
  price: optional(
    Type.Number({ minimum: 0 }),
    "What an unpaid seat costs now, in units of the currency as in `pricing`. There is nothing else about money.",
    20,
  ),
});

/** What is said anew by a person who registers again. */
export const AgainByLink = closed({
  dynamicResponses: Type.Optional(DynamicResponses),
  code: Type.Optional(described(code, "Absent: the former one, if it still counts.")),
  plusOnes: Type.Optional(described(plusOnes, "Who comes along. Absent: nobody.")),
  seenStatus: Type.Optional(seenStatus),
});

const link = described(
  Type.String(),
  "The secret of the link to the registration. That of an ended one has ended.",
  "L1.AAFq",
);
export const RegisteredByLink = closed({ ...Registered.properties, link });

export const LostLinks = closed({ email: Email });

const maxRows = 500;

/** Emails and points are validated for each row (`rows.ts`), so that a wrong one fails only its row. */
const emailOfRow = Type.String({ maxLength: 512 });
const personOfRow = described(emailOfRow, "The person's email.", "ada@student.example");
const pointsOfRow = optional(Type.Number(), "As in the change of one registration.");

const registrationStatus = described(amendment.registrationStatus, undefined, "checkedIn");

export const MassUpdate = closed({
  eventID: EventId,
  year: Type.Optional(Year),
  eventYear: Type.Optional(notShown(described(Year, "Another name for `year`."))),
  updates: Type.Array(closed({ ...amendment, registrationStatus, email: personOfRow, points: pointsOfRow }), {
    minItems: 1,
    maxItems: maxRows,
    description: "The changes, by person.",
  }),
});

export const BulkSelection = closed({
  ids: described(Type.Array(emailOfRow, { minItems: 1, maxItems: maxRows }), "Emails.", ["ada@student.example"]),
  ...event,
});

/** A row of a bulk answer: its result, or its error. */
const row = {
  email: EmailText,
  success: Type.Boolean({ description: "Whether the row was carried out." }),
  message: optional(Type.String(), "Why the row failed."),
  unknown: optional(Type.Boolean(), "`true`: the change of the row may have been made."),
};
const results = <P extends TProperties>(properties: P) =>
  described(Type.Array(closed(properties)), "One for each row of the request, in its order.");
const statusOfRow = optional(Type.String(), records.status[0], "checkedIn");

export const updatedRows = closed({ results: results({ ...row, registrationStatus: statusOfRow }) });
export const deletedRows = closed({ message: Message, results: results(row) });

/** The code of a ticket, or the email of the person. */
export const CheckIn = closed({
  code: optional(Text(longestCode), "The `ticketCode`. Needed unless `email` is given."),
  email: optional(Email, "Needed unless `code` is given. With both, they must be one person's."),
  plusOne: Type.Optional(notShown(described(Name, "With `email` alone: the first name of one who comes along."))),
  undo: Type.Optional(notShown(Type.Boolean({ description: "`true`: the check-in is taken back." }))),
  ...event,
});

export const checkedIn = closed({
  message: Message,
  registration: records.registration,
  alreadyCheckedIn: described(Type.Boolean(), "`true`: an earlier check-in; nothing was changed.", false),
  checkedInAt: optional(Type.Integer(), `${records.checkedInAt} Absent after \`undo\`.`, arrival),
  plusOne: optional(Type.String(), "The first name, if it was the ticket of somebody who comes along.", "Grace"),
});

export const TicketRequest = closed({ email: Email, ...event });

export const LeaderboardFilters = closed(whichEvent);

export const Leaderboard = Type.Array(
  closed({
    rank: described(Type.Integer({ minimum: 1 }), "From 1. People with equal points have the same rank.", 1),
    ...detailed(["fname", "lname"], Type.String()),
    points: described(Type.Integer({ minimum: 1 }), ...records.points),
  }),
  { maxItems: 50 },
);

const count = Type.Integer({ minimum: 0 });

const ratings = {
  count: described(count, "Submissions of both forms.", 1),
  mean: optional(Type.Number(), "Of the overall rating. Absent without any.", 8.4),
};

const cents = Type.Integer();
const Day = closed({
  day: described(Type.String(), "In the stage's time zone.", "2030-01-07"),
  count: described(count, "How many.", 1),
});
const FiveMinutes = closed({
  from: described(Timestamp, "The beginning of five minutes.", arrival),
  count: described(count, "How many.", 1),
});
const Feedback = closed({
  ...ratings,
  came: optional(closed(ratings), "Of people who were checked in."),
  absent: optional(closed(ratings), "Of people who were not."),
});
const Money = closed({
  payments: described(count, "Payments for seats.", 80),
  came: described(cents, "In cents.", 120_000),
  wentBack: described(cents, "In cents.", 3_000),
  frozen: described(cents, "In cents: what disputes have taken, and may bring back.", 0),
  lost: described(cents, "In cents: what lost disputes have taken.", 0),
  open: described(cents, "In cents, what has to go back or is on its way.", 0),
  fee: described(cents, "In cents: what the provider has kept, as far as its books have said it.", 5_880),
  net: described(cents, "In cents: what the club has of it.", 111_120),
  owes: described(cents, "In cents: what is left to pay of prices.", 0),
  deposits: described(cents, "In cents, of what came: deposits.", 0),
  depositsReturned: described(cents, "In cents: what of them went back to people who came, or has to.", 0),
  depositsKept: described(cents, "In cents: what of them the club keeps: of people who did not come.", 0),
});

const AnswersTo = closed({
  questionId: described(Type.String(), "Names the question in answers.", "workshop"),
  label: described(Type.String(), "The question.", "Which workshop?"),
  choices: described(
    Type.Array(
      closed({
        choice: described(Type.String(), "The choice.", "Strategy"),
        count: described(count, "Who holds a seat and chose it.", 20),
        came: described(count, "Those of them who came.", 18),
      }),
    ),
    "In the order of the question.",
  ),
  other: described(count, "Who entered something else.", 0),
  unanswered: described(count, "Who chose nothing.", 3),
});

const CodeCount = closed({
  id: described(Type.String(), "The code's id.", "o3J9bD0kR8sVx2Qw"),
  count: described(count, "How many.", 3),
});

export const Report = closed({
  registered: described(count, "Who holds a seat now, checked in or not.", 80),
  partners: described(count, "Those of them who are partners.", 4),
  came: described(count, "Who was checked in.", 71),
  noShows: optional(count, "Who held a seat and did not come. Only after the event.", 9),
  waiting: described(count, "Who waits in line.", 12),
  promoted: described(count, "Who got a seat after waiting in line for a minute or longer.", 12),
  applicants: described(count, "Whose application is not decided.", 0),
  rejected: described(count, "Who was rejected.", 0),
  cancelled: described(count, "Who has cancelled or was cancelled or deleted, and has not registered again.", 9),
  cancelledLate: described(count, "In the last 24 hours before the start, or later.", 4),
  cancelledByLink: described(count, "By a mail's link.", 6),
  handedOn: optional(count, "Who has handed on the seat, and has not registered again.", 3),
  lapsed: described(count, "Whose unpaid seat was given up, and who has not registered again.", 2),
  saidTheyCome: described(count, 'Who answered a mail with "I come", and has not cancelled.', 66),
  saidTheyComeAndCame: described(count, "Those of them who came.", 64),
  answers: described(Type.Array(AnswersTo), "What people with a seat chose, by question that offers choices."),
  registrationsByDay: described(Type.Array(Day), "When people registered."),
  checkIns: described(Type.Array(FiveMinutes), "When people were checked in."),
  feedback: described(Feedback, "The feedback of both forms."),
  codes: described(Type.Array(CodeCount), "Who registered with a code and has not left."),
  at: described(Timestamp, "When it was counted.", someTime),
  money: described(Money, "The payments for the event."),
});
export type Report = Static<typeof Report>;

const since = "2030-01-07T18:00:00Z";
export const RegistrationFilters = closed({
  ...whichEvent,
  email: Type.Optional(QueryEmail),
  "eventID;year": optional(Type.String({ maxLength: 100 }), "Both joined: `gala;2030`.", "gala;2030"),
  status: optional(
    Type.String({ maxLength: 200 }),
    "A status, or several with commas between them, in any case.",
    "registered,waitlist",
  ),
  isPartner: optional(Type.Boolean(), "Partners only, or all but partners.", false),
  changedSince: optional(
    Type.String({ maxLength: 40 }),
    "Those written at this time or later: epoch milliseconds, or an ISO 8601 date.",
    since,
  ),
  afterTimestamp: optional(Type.String({ maxLength: 40 }), "Another name for `changedSince`.", since),
  format: optional(oneOf(["json", "csv"]), "`csv`: a row for each registration of one event. Admins only."),
  attendance: optional(Type.Boolean(), "`true`: how often each person came before, for 100 rows at most. Admins only."),
  ...page,
});
export const registrationList = closed({
  size: described(Type.Integer(), "How many registrations this page has.", 1),
  data: described(Type.Array(records.Registration), "One page of them."),
});
export type RegistrationFilters = Static<typeof RegistrationFilters>;
