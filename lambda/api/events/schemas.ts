import { Registration } from "#api/registrations/schemas.ts";
import { User } from "#api/users/schemas.ts";
import { feedbackTypes, questionTypes } from "#domain/events/event-input.ts";
import {
  changing,
  closed,
  EventId,
  each,
  IsoDate,
  Line,
  Link,
  Name,
  oneOf,
  orNull,
  type Static,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema.ts";

const choices = Type.Optional(
  Type.Union([
    Type.Array(Line(), { maxItems: 100 }),
    /** The web application's form sends one text with commas. */
    Line(10_000),
    Type.Null(),
  ]),
);
const questionId = Type.Optional(orNull(Line(100)));

const RegistrationQuestionInput = closed({
  questionId,
  label: Text(1_000),
  type: oneOf(questionTypes),
  required: Type.Boolean(),
  choices,
  charLimit: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 4_000 }))),
  questionImageUrl: Type.Optional(orNull(Link)),
  participantCap: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
  isSkillsQuestion: Type.Optional(Type.Boolean()),
});

const FeedbackQuestionInput = closed({
  questionId,
  label: Text(1_000),
  type: oneOf(feedbackTypes),
  required: Type.Boolean(),
  choices,
  scaleMin: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 100 }))),
  scaleMax: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 100 }))),
  scaleMinLabel: Type.Optional(orNull(Line())),
  scaleMaxLabel: Type.Optional(orNull(Line())),
});

/** Dollars. */
const price = Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 }));
const PricingInput = closed(each(["member", "nonMember", "members", "nonMembers"], price));

const questions = <S extends typeof RegistrationQuestionInput | typeof FeedbackQuestionInput>(schema: S) =>
  Type.Optional(Type.Unsafe<Static<S>[] | null>({ type: ["array", "null"], items: schema, maxItems: 100 }));

/** The optional fields of an event. A PATCH may change them, and removes a field by `null`. */
const details = {
  ...each(["description", "partnerDescription"], Type.Optional(orNull(Text(10_000)))),
  /** Seats; absent or null: unlimited. */
  capac: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 1_000_000 }))),
  ...each(["startDate", "endDate", "deadline"], Type.Optional(orNull(IsoDate))),
  elocation: Type.Optional(orNull(Line(500))),
  latitude: Type.Optional(orNull(Type.Number({ minimum: -90, maximum: 90 }))),
  longitude: Type.Optional(orNull(Type.Number({ minimum: -180, maximum: 180 }))),
  ...each(["facebookUrl", "imageUrl"], Type.Optional(orNull(Link))),
  ...each(["isPublished", "isCompleted", "isApplicationBased", "nonBizTechAllowed"], Type.Optional(Type.Boolean())),
  pricing: Type.Optional(orNull(PricingInput)),
  registrationQuestions: questions(RegistrationQuestionInput),
  partnerRegistrationQuestions: questions(RegistrationQuestionInput),
  ...each(["attendeeFeedbackEnabled", "partnerFeedbackEnabled"], Type.Optional(Type.Boolean())),
  attendeeFeedbackQuestions: questions(FeedbackQuestionInput),
  partnerFeedbackQuestions: questions(FeedbackQuestionInput),
};

export const NewEvent = closed({ id: EventId, year: Year, ename: Name, ...details });

export const EventChanges = changing({ ename: Type.Optional(Name), ...details });

export const eventParams = closed({ eventId: EventId, year: Year });

const count = Type.Integer({ minimum: 0 });
const topCounts = ["registeredCount", "checkedInCount", "waitlistCount"] as const;

export const Counts = closed({
  ...each([...topCounts, "applicantCount", "incompleteCount", "acceptedCount", "partnerCount", "seatsTaken"], count),
  remaining: Type.Unsafe<number | null>({ type: ["integer", "null"] }),
  dynamicCounts: Type.Array(
    closed({
      questionId: Type.String(),
      counts: Type.Array(closed({ label: Type.String(), count, cap: orNull(count) })),
    }),
  ),
});
export type Counts = Static<typeof Counts>;

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
/** Both spellings of each price, 0 where there is none. */
const Pricing = closed(each(["member", "members", "nonMember", "nonMembers"], Type.Number()));

/** An event as the API answers it. Dates are in UTC. */
export const Event = closed({
  id: EventId,
  year: Year,
  ename: Type.String(),
  ...each(["description", "partnerDescription"], Type.Optional(Type.String())),
  capac: Type.Optional(Type.Integer({ minimum: 1 })),
  ...each(["startDate", "endDate", "deadline"], Type.Optional(Type.String({ format: "date-time" }))),
  elocation: Type.Optional(Type.String()),
  ...each(["latitude", "longitude"], Type.Optional(Type.Number())),
  ...each(["facebookUrl", "imageUrl"], Type.Optional(Type.String())),
  ...each(["isPublished", "isCompleted"], Type.Boolean()),
  isApplicationBased: Type.Optional(Type.Boolean()),
  nonBizTechAllowed: Type.Boolean(),
  pricing: Pricing,
  ...each(["registrationQuestions", "partnerRegistrationQuestions"], Type.Array(RegistrationQuestion)),
  ...each(["attendeeFeedbackEnabled", "partnerFeedbackEnabled"], Type.Optional(Type.Boolean())),
  ...each(["attendeeFeedbackQuestions", "partnerFeedbackQuestions"], Type.Array(FeedbackQuestion)),
  ...each(["createdAt", "updatedAt"], Timestamp),
});

/** What `count=true` and `users=true` add. */
export const EventWithPeople = closed({
  ...Event.properties,
  counts: Type.Optional(Counts),
  ...each(topCounts, Type.Optional(count)),
  registrations: Type.Optional(
    Type.Array(closed({ ...Registration.properties, user: Type.Union([User, Type.Null()]) })),
  ),
});
