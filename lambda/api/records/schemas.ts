/** Schemas that several capabilities share: people's records as answers have them, and forms that several bodies take. */
import { detailed } from "#api/records/details.ts";
import { codeKinds } from "#domain/codes/code.ts";
import { feedbackTypes, questionTypes } from "#domain/events/event-input.ts";
import { flagSpellings, textSpellings } from "#domain/people/members/form.ts";
import { viewableFields } from "#domain/people/profiles/profile.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import {
  closed,
  described,
  EmailText,
  EventId,
  each,
  Flag,
  Line,
  LineOrNumber,
  Name,
  oneOf,
  optional,
  orNull,
  type Static,
  someTime,
  Timestamp,
  Type,
  times,
  Year,
} from "#kit/schema/schema.ts";
import { userDetails } from "#outbox/stored-kinds.ts";

/** The details that a person may give about themselves. */
export const userFields = {
  ...detailed(["fname", "lname"], Type.Optional(Name)),
  ...detailed(userDetails, Type.Optional(Line())),
};

const favourites = ["gala;2030"];

/** The last moment of a 31 August in Vancouver. */
export const someEnd = "2030-09-01T06:59:59.999Z";

export const User = closed({
  id: described(EmailText, "The email."),
  email: EmailText,
  ...userFields,
  admin: described(Type.Boolean(), "Set at creation by the email's domain. Access does not depend on it.", false),
  isMember: Type.Boolean({ description: "Whether the person is a member of the club." }),
  memberUntil: optional(
    Type.String(),
    "The last moment of the membership, also once it is over. Absent: it has no end.",
    someEnd,
  ),
  favEvents: described(Type.Array(Type.String()), "`<event id>;<year>`, at most 500.", favourites),
  "favedEventsID;year": described(Type.Array(Type.String()), "The same as `favEvents`.", favourites),
  ...times,
});
export type User = Static<typeof User>;
export const user = described(User, "The person's account as it is now.");

/** What a field is in schemas of several types, and an example of it. */
export const status = ["The registration's status.", "registered"] as const;
export const points = ["Points of the person at the event.", 30] as const;

export const basicInformationMeaning = "Answers to the questions of every registration form.";
/** The questions of every registration form. */
export const basicInformation = described(
  closed({
    ...detailed(["fname"], Type.Optional(Name)),
    ...detailed(
      ["lname", "year", "faculty", "major", "gender", "diet", "heardFrom", "phone", "studentId", "companyName", "role"],
      Type.Optional(Line()),
    ),
  }),
  basicInformationMeaning,
);

/** The same as a form sends them. */
export const basicInformationInput = described(
  closed({ ...basicInformation.properties, ...detailed(["year", "studentId"], Type.Optional(LineOrNumber)) }),
  basicInformationMeaning,
);

export const answersOfEvent = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: "Answers to the event's questions, by `questionId`.",
});
export const isPartner = described(Type.Boolean(), "Whether the person comes as a partner.", false);

const Attendance = closed({
  events: described(Type.Integer(), "The last events that have begun and had a seat for the person, at most ten.", 10),
  came: described(Type.Integer(), "Those of them that the person came to.", 9),
});
const Transfer = closed({
  from: described(Type.String(), "The email of who has offered the seat.", "ada@student.example"),
  to: described(Type.String(), "The email of the named person.", "grace@student.example"),
  offeredAt: described(Timestamp, "When.", someTime),
  acceptedAt: optional(Timestamp, "Absent: not yet.", someTime),
});
const LastChange = closed({
  at: described(Timestamp, "When.", someTime),
  by: described(
    Type.String(),
    "The person's own email, an admin's, `device` with its id, `link` or `system`.",
    "exec@club.example",
  ),
});

export const CodeUse = closed({
  id: described(Type.String(), "The code's id, not the code.", "o3J9bD0kR8sVx2Qw"),
  kind: described(oneOf(codeKinds), "What it is for.", "discount"),
  note: optional(Type.String(), "Who gave it to whom.", "From the treasurer to the sponsors"),
});
/** Of a person in line, or of one who has not registered yet. */
export const behindOthers =
  "In line, the person is behind everyone else, whenever they come: three seats were left empty.";

export const checkedInAt = "When the person was checked in, in epoch milliseconds.";

/** The code of a ticket that is not sealed with any stage's key. */
export const someCode = "V2.P4QXDFWQURREXTD4LLP6VHBJSWSWD4IEMD7TX67QDP6J4GQUY2L5JJAPG7PUYAXM6DP4DGPCE6WJTW2WFHAA";

const PlusOne = closed({
  ...detailed(["fname"], Type.String()),
  ticketCode: optional(Type.String(), "As that of the registration.", someCode),
  checkedInAt: optional(Timestamp, checkedInAt),
});

export const Registration = closed({
  id: EmailText,
  email: EmailText,
  eventID: EventId,
  year: Year,
  "eventID;year": described(Type.String(), "Both joined by a semicolon.", "gala;2030"),
  registrationStatus: described(oneOf(registrationStatuses), ...status),
  applicationStatus: Type.String({
    description:
      "`reviewing`, `accepted`, `rejected` or `waitlist`; empty when cancelled and on events without applications.",
    examples: [""],
  }),
  ...detailed(["fname"], Type.String()),
  ...detailed(["studentId"], Type.Optional(Type.String())),
  basicInformation,
  dynamicResponses: described(answersOfEvent, undefined, { workshop: "Strategy" }),
  isPartner,
  points: described(Type.Integer(), ...points),
  ticketCode: optional(
    Type.String(),
    "The content of the QR code. Absent in lists of several people, and for ended registrations.",
    someCode,
  ),
  plusOnes: optional(Type.Array(PlusOne), "Who comes along."),
  holdExpiresAt: optional(Timestamp, "The end of an unpaid seat's hold, in epoch milliseconds."),
  checkoutLink: optional(Type.String(), "Where to pay, while a checkout is open."),
  refunded: optional(Type.Boolean(), "The payment has gone back as a whole, and the registration was not cancelled."),
  deposit: optional(
    oneOf(["agreed", "held", "due", "dueByHand", "returned", "kept"]),
    "The price is a deposit: to be paid; paid; has to go back, because the person came; has to go back by hand; gone back; kept by the treasurer's decision. It stays when a check-in is undone.",
  ),
  owes: optional(Type.Integer(), "What is left to pay of a seat that is confirmed, in cents.", 500),
  coming: optional(Timestamp, "When the person said that they come."),
  offered: optional(Type.Boolean(), "The person has offered the seat to another one, who has not accepted."),
  handedOn: optional(Type.Boolean(), "It ended because another person has taken the seat."),
  takenOver: optional(Type.Boolean(), "The seat was handed on to the person, by who had it before."),
  checkedInAt: optional(Timestamp, checkedInAt),
  attendance: optional(Attendance, "How often the person came to the events before. Only with `attendance=true`."),
  waitlistPosition: optional(
    Type.Integer({ minimum: 1 }),
    "From 1. Only in answers about one person and one event, while at most 100 people are ahead.",
  ),
  waitlistAhead: optional(
    Type.Integer({ minimum: 1 }),
    "Instead of `waitlistPosition`: more than so many people are ahead.",
  ),
  code: optional(CodeUse, "By which code the person registered. For admins."),
  behindOthers: optional(Type.Literal(true), behindOthers),
  transfers: optional(Type.Array(Transfer), "From whom and to whom the seat went. For admins who ask for one person."),
  lastChange: optional(LastChange, "Who changed it last, and when. For admins who ask for one person."),
  ...times,
});
export type Registration = Static<typeof Registration>;
export const registration = described(Registration, "The registration as it is now.");

/** Why a checked-in registration is not cancelled. */
export const checkedInStays =
  "A registration that is checkedIn cannot become cancelled. Undo the check-in first: set it to registered.";

export const profileID = ["Three readable words that name the profile.", "QuickOttersSmile"] as const;
/** Any line is allowed: an id that was never given out is not found, whatever it looks like. */
export const profileParams = closed({ profileID: described(Line(100), ...profileID) });

const profileType = described(oneOf(["EXEC", "ATTENDEE"]), "`EXEC`: an email of the admin domain.", "ATTENDEE");
const identity = {
  compositeID: described(Type.String(), "`PROFILE#<profileID>`", `PROFILE#${profileID[1]}`),
  profileID: described(Type.String(), "Three readable words. Unique; never changes.", profileID[1]),
  type: described(oneOf(["PROFILE"]), "Always the same."),
  profileType,
};

/** Of a field in `viewableMap`. */
export const isShown = "Whether other people see it.";

export const Profile = closed({
  ...identity,
  ...detailed(viewableFields, Type.String()),
  viewableMap: described(
    closed(each(viewableFields, Type.Boolean({ description: isShown }))),
    "Whether other people see the field.",
  ),
  ...times,
});
export type Profile = Static<typeof Profile>;
export const profile = described(Profile, "The profile as it is now.");

export const VisibleProfile = closed({ ...identity, ...detailed(viewableFields, Type.Optional(Type.String())) });
export type VisibleProfile = Static<typeof VisibleProfile>;

/** An example. */
export const topics = ["Technology"];

/** The membership form with all its spellings; `formOf` makes one of them. */
export const formInput = {
  ...detailed(textSpellings, Type.Optional(orNull(Line()))),
  ...detailed(["year", "studentNumber", "student_number"], Type.Optional(orNull(LineOrNumber))),
  ...detailed(flagSpellings, Type.Optional(Flag)),
  topics: Type.Optional(
    Type.Unsafe<string[] | string | null>({
      type: ["array", "string", "null"],
      items: Line(100),
      maxItems: 50,
      format: "line",
      maxLength: 2_000,
      description: "A list, or a text with commas.",
      examples: [topics],
    }),
  ),
};

const text = Type.String();
const number = Type.Optional(Type.Integer());

/** The fields of every question, as an event's answer has them. */
const answeredQuestion = {
  questionId: described(text, "Names the question in answers."),
  label: described(text, "What the person is asked."),
  required: Type.Boolean({ description: "Whether an answer is needed." }),
  choices: optional(Type.Array(text), "The choices on offer."),
};
const kind = "What kind of answer it takes.";

export const RegistrationQuestion = described(
  closed({
    ...answeredQuestion,
    type: described(oneOf(questionTypes), kind),
    charLimit: optional(Type.Integer({ minimum: 1 }), "Characters of a TEXT answer, at most."),
    questionImageUrl: optional(text, "A picture next to the question."),
    participantCap: optional(Type.Integer({ minimum: 1 }), "Seats of each choice of a WORKSHOP_SELECTION."),
    isSkillsQuestion: optional(Type.Boolean(), "Kept for the web application."),
  }),
  undefined,
  {
    questionId: "workshop",
    label: "Which workshop do you choose?",
    type: "WORKSHOP_SELECTION",
    required: true,
    choices: ["Strategy", "Design"],
    participantCap: 25,
  },
);

export const FeedbackQuestion = described(
  closed({
    ...answeredQuestion,
    type: described(oneOf(feedbackTypes), kind),
    scaleMin: described(number, "The lowest number of a LINEAR_SCALE."),
    scaleMax: described(number, "The highest number of a LINEAR_SCALE."),
    scaleMinLabel: optional(text, "What the lowest number means."),
    scaleMaxLabel: optional(text, "What the highest number means."),
  }),
  undefined,
  { questionId: "food", label: "How was the food?", type: "SHORT_TEXT", required: false },
);
