/** Schemas that several capabilities share: people's records as answers have them, and forms that several bodies take. */
import { feedbackTypes, questionTypes } from "#domain/events/event-input.ts";
import { flagSpellings, textSpellings } from "#domain/people/members/form.ts";
import { viewableFields } from "#domain/people/profiles/profile.ts";
import { userDetails } from "#domain/people/users/details.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import {
  closed,
  described,
  EventId,
  each,
  Flag,
  Line,
  LineOrNumber,
  Name,
  oneOf,
  orNull,
  type Static,
  Timestamp,
  Type,
  Year,
} from "#kit/schema/schema.ts";

/** The details that a person may give about themselves. */
export const userFields = {
  ...each(["fname", "lname"], Type.Optional(Name)),
  ...each(userDetails, Type.Optional(Line())),
};

export const User = closed({
  id: Type.String({ description: "The email." }),
  email: Type.String(),
  ...userFields,
  admin: Type.Boolean({ description: "Set at creation by the email's domain. Access does not depend on it." }),
  isMember: Type.Boolean(),
  favEvents: Type.Array(Type.String(), { description: "`<event id>;<year>`, at most 500." }),
  "favedEventsID;year": Type.Array(Type.String(), { description: "The same as `favEvents`." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type User = Static<typeof User>;

/** The questions of every registration form. */
export const basicInformation = closed({
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

/** The same as a form sends them. */
export const basicInformationInput = closed({
  ...basicInformation.properties,
  ...each(["year", "studentId"], Type.Optional(LineOrNumber)),
});

export const Registration = closed({
  id: Type.String(),
  email: Type.String(),
  eventID: EventId,
  year: Year,
  "eventID;year": Type.String(),
  registrationStatus: oneOf(registrationStatuses),
  applicationStatus: Type.String({
    description:
      "`reviewing`, `accepted`, `rejected` or `waitlist`; empty when cancelled and on events without applications.",
  }),
  fname: Type.String(),
  studentId: Type.Optional(Type.String()),
  basicInformation,
  dynamicResponses: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])),
  isPartner: Type.Boolean(),
  points: Type.Integer(),
  ticketCode: Type.Optional(
    Type.String({
      description: "The content of the QR code. Absent in lists of several people, and for ended registrations.",
    }),
  ),
  holdExpiresAt: Type.Optional(described(Timestamp, "The end of an unpaid seat's hold, in epoch milliseconds.")),
  checkoutLink: Type.Optional(Type.String({ description: "Where to pay, while a checkout is open." })),
  refunded: Type.Optional(
    Type.Boolean({ description: "The payment has gone back as a whole, and the registration was not cancelled." }),
  ),
  owes: Type.Optional(Type.Integer({ description: "What is left to pay of a seat that is confirmed, in cents." })),
  coming: Type.Optional(described(Timestamp, "When the person said that they come.")),
  checkedInAt: Type.Optional(Timestamp),
  attendance: Type.Optional(
    closed({
      events: described(Type.Integer(), "The last events that have begun and had a seat for the person, at most ten."),
      came: described(Type.Integer(), "Those of them that the person came to."),
    }),
  ),
  waitlistPosition: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "From 1. Only in answers about one person and one event, while at most 100 people are ahead.",
    }),
  ),
  waitlistAhead: Type.Optional(
    Type.Integer({ minimum: 1, description: "Instead of `waitlistPosition`: more than so many people are ahead." }),
  ),
  lastChange: Type.Optional(
    closed({
      at: described(Timestamp, "When."),
      by: described(Type.String(), "The person's own email, an admin's, `device` with its id, `link` or `system`."),
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Registration = Static<typeof Registration>;

/** Any line is allowed: an id that was never given out is not found, whatever it looks like. */
const profileID = Line(100);
export const profileParams = closed({ profileID });

const profileType = described(oneOf(["EXEC", "ATTENDEE"]), "`EXEC`: an email of the admin domain.");
const identity = {
  compositeID: Type.String({ description: "`PROFILE#<profileID>`" }),
  profileID: Type.String({ description: "Three readable words. Unique; never changes." }),
  type: oneOf(["PROFILE"]),
  profileType,
};

/** Of a field in `viewableMap`. */
export const isShown = "Whether other people see it.";

export const Profile = closed({
  ...identity,
  ...each(viewableFields, Type.String()),
  viewableMap: closed(each(viewableFields, Type.Boolean({ description: isShown }))),
  ...each(["createdAt", "updatedAt"], Timestamp),
});
export type Profile = Static<typeof Profile>;

export const VisibleProfile = closed({ ...identity, ...each(viewableFields, Type.Optional(Type.String())) });
export type VisibleProfile = Static<typeof VisibleProfile>;

/** The membership form with all its spellings; `formOf` makes one of them. */
export const formInput = {
  ...each(textSpellings, Type.Optional(orNull(Line()))),
  ...each(["year", "studentNumber", "student_number"], Type.Optional(orNull(LineOrNumber))),
  ...each(flagSpellings, Type.Optional(Flag)),
  topics: Type.Optional(
    Type.Unsafe<string[] | string | null>({
      type: ["array", "string", "null"],
      items: Line(100),
      maxItems: 50,
      format: "line",
      maxLength: 2_000,
      description: "A list, or a text with commas.",
    }),
  ),
};

/** The fields of every question, as an event's answer has them. */
const answeredQuestion = {
  questionId: Type.String(),
  label: Type.String(),
  required: Type.Boolean(),
  choices: Type.Optional(Type.Array(Type.String())),
};

export const RegistrationQuestion = closed({
  ...answeredQuestion,
  type: oneOf(questionTypes),
  charLimit: Type.Optional(Type.Integer({ minimum: 1 })),
  questionImageUrl: Type.Optional(Type.String()),
  participantCap: Type.Optional(Type.Integer({ minimum: 1 })),
  isSkillsQuestion: Type.Optional(Type.Boolean()),
});

export const FeedbackQuestion = closed({
  ...answeredQuestion,
  type: oneOf(feedbackTypes),
  scaleMin: Type.Optional(Type.Integer()),
  scaleMax: Type.Optional(Type.Integer()),
  scaleMinLabel: Type.Optional(Type.String()),
  scaleMaxLabel: Type.Optional(Type.String()),
});
