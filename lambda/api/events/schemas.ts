import { FeedbackQuestion, Registration, RegistrationQuestion, User } from "#api/records/schemas.ts";
import { dateFields } from "#domain/events/dates.ts";
import { earliestReminder } from "#domain/events/due-mails.ts";
import { feedbackTypes, guestsAllowed, questionTypes } from "#domain/events/event-input.ts";
import {
  changing,
  closed,
  described,
  EventId,
  each,
  IsoDate,
  IsoDateOrNull,
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
} from "#kit/schema/schema.ts";

const choices = Type.Optional(
  Type.Union(
    [
      Type.Array(Line(), { maxItems: 100 }),
      /** The web application's form sends one text with commas. */
      Line(10_000),
      Type.Null(),
    ],
    {
      description:
        "A list, or a text with commas; each choice counts once. All types that offer choices need at least one.",
    },
  ),
);
const questionId = Type.Optional(
  described(
    orNull(Line(100)),
    "Names the answers. Absent: the id of the stored question of this list with the same label and type, else a new one. " +
      "Unique in both lists of registration questions.",
  ),
);
const label = described(Text(1_000), "Not blank.");

const RegistrationQuestionInput = closed({
  questionId,
  label,
  type: oneOf(questionTypes),
  required: Type.Boolean(),
  choices,
  charLimit: Type.Optional(
    orNull(Type.Integer({ minimum: 1, maximum: 4_000, description: "Characters of a TEXT answer. Default: 4,000." })),
  ),
  questionImageUrl: Type.Optional(orNull(Link)),
  participantCap: Type.Optional(
    orNull(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Seats of each choice of a WORKSHOP_SELECTION." }),
    ),
  ),
  isSkillsQuestion: Type.Optional(Type.Boolean()),
});

const FeedbackQuestionInput = closed({
  questionId,
  label,
  type: oneOf(feedbackTypes),
  required: Type.Boolean(),
  choices,
  scaleMin: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 100, description: "Default: 1." }))),
  scaleMax: Type.Optional(
    orNull(Type.Integer({ minimum: 1, maximum: 100, description: "Above `scaleMin`. Default: 10." })),
  ),
  scaleMinLabel: Type.Optional(orNull(Line())),
  scaleMaxLabel: Type.Optional(orNull(Line())),
});

const price = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 100_000, description }));
const inDollars =
  "Dollars with at most two decimals: 0, or at least what the payment provider takes (0.50 CAD). Absent: 0 in a new " +
  "event; otherwise the price stays.";
const PricingInput = closed({
  ...each(["member", "nonMember"], price(inDollars)),
  ...each(["members", "nonMembers"], price("Another spelling; counts where the other one is absent or unchanged.")),
});

const questions = <S extends typeof RegistrationQuestionInput | typeof FeedbackQuestionInput>(
  schema: S,
  description: string,
) =>
  Type.Optional(
    Type.Unsafe<Static<S>[] | null>({ type: ["array", "null"], items: schema, maxItems: 100, description }),
  );

const registrationQuestions = (who: string) =>
  questions(RegistrationQuestionInput, `The questions for ${who}. At most 20 of them are a WORKSHOP_SELECTION.`);
const feedbackQuestions = questions(FeedbackQuestionInput, "The overall rating precedes them in the form.");

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const degrees = "Degrees, rounded to seven decimals.";

const EventPage = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  description: "Any object of at most 16 KB. Kept for the web application, and in no list.",
});
const FormKey = described(Line(200), "Kept for the web application, and in no list.");

/** The optional fields of an event. A PATCH may change them, and removes a field by `null`. */
const details = {
  ...each(["description", "partnerDescription"], Type.Optional(orNull(Text(10_000)))),
  capac: Type.Optional(
    orNull(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Seats. Absent or `null`: unlimited." })),
  ),
  partnerCapac: Type.Optional(
    orNull(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: "Seats of the partners, who take none of `capac`. Absent or `null`: unlimited.",
      }),
    ),
  ),
  startDate: Type.Optional(IsoDateOrNull),
  endDate: Type.Optional(
    described(IsoDateOrNull, "ISO 8601. Not before `startDate`. A date alone: the end of that day."),
  ),
  deadline: Type.Optional(
    described(
      IsoDateOrNull,
      "ISO 8601, not after the event. Registration ends then, or with that day. Absent: at `endDate`, else at `startDate`, else never.",
    ),
  ),
  opensAt: Type.Optional(
    described(
      IsoDateOrNull,
      "ISO 8601, before registration ends. Registration starts then. Absent: from the beginning.",
    ),
  ),
  publishAt: Type.Optional(
    described(
      IsoDateOrNull,
      "ISO 8601, not after the event. Everyone sees the event from then on. Hiding it later with `isPublished: false` removes this.",
    ),
  ),
  refundUntil: Type.Optional(
    described(
      IsoDateOrNull,
      "ISO 8601, not after the event. Who cancels a paid seat after it, or after that day, gets the money back only if the treasurer decides so. Absent: until the start.",
    ),
  ),
  reminders: Type.Optional(
    described(
      orNull(Type.Array(Type.Integer({ minimum: 1, maximum: earliestReminder }), { maxItems: 3, uniqueItems: true })),
      "Hours before the start at which all who hold a seat get a mail. `[]`: none. Absent: those of the stage.",
    ),
  ),
  guests: Type.Optional(
    described(
      orNull(oneOf(guestsAllowed)),
      "Who may register without an account, by a link in a mail. Absent: as the stage has it.",
    ),
  ),
  elocation: Type.Optional(orNull(Line(500))),
  latitude: Type.Optional(orNull(Type.Number({ minimum: -90, maximum: 90, description: degrees }))),
  longitude: Type.Optional(orNull(Type.Number({ minimum: -180, maximum: 180, description: degrees }))),
  ...each(["facebookUrl", "imageUrl"], Type.Optional(orNull(Link))),
  isPublished: flag("`true` shows the event to everyone. Absent: only admins see it."),
  isCompleted: flag("`true` ends registration."),
  isApplicationBased: flag("`true`: people apply, and an admin decides."),
  nonBizTechAllowed: flag(
    "`false`: only members may register, and partners if there are questions for them. Absent: everyone.",
  ),
  pricing: Type.Optional(described(orNull(PricingInput), "`null`: free.")),
  registrationQuestions: registrationQuestions("everyone but partners"),
  partnerRegistrationQuestions: registrationQuestions("partners"),
  ...each(["attendeeFeedbackEnabled", "partnerFeedbackEnabled"], flag("Whether the form takes answers. Absent: no.")),
  ...each(["attendeeFeedbackQuestions", "partnerFeedbackQuestions"], feedbackQuestions),
  eventPage: Type.Optional(orNull(EventPage)),
  registrationFormKey: Type.Optional(orNull(FormKey)),
};

export const NewEvent = closed({ id: EventId, year: Year, ename: Name, ...details });

export const EventChanges = changing({ ename: Type.Optional(Name), ...details });

export const EventCopy = closed({
  id: EventId,
  year: Year,
  ename: Type.Optional(described(Name, "Absent: the event's.")),
  startDate: Type.Optional(
    described(IsoDate, "ISO 8601. The other dates keep their distance to the start. Absent: the copy has no dates."),
  ),
});

export const eventParams = closed({ eventId: EventId, year: Year });

const count = Type.Integer({ minimum: 0 });
const remaining = Type.Unsafe<number | null>({ type: ["integer", "null"], description: "`null`: unlimited." });
const topCounts = ["registeredCount", "checkedInCount", "waitlistCount"] as const;

export const Counts = closed({
  registeredCount: described(count, "Confirmed attendees who are not checked in. Partners count below."),
  checkedInCount: count,
  waitlistCount: described(count, "At most five seconds older than the other counts."),
  ...each(["applicantCount", "incompleteCount"], count),
  acceptedCount: described(count, "`accepted`, `acceptedPending` and `acceptedComplete`."),
  seatsTaken: count,
  remaining,
  ...each(["partnerCount", "partnerCheckedInCount", "partnerWaitlistCount"], count),
  partnerRemaining: remaining,
  dynamicCounts: Type.Array(
    closed({
      questionId: Type.String(),
      counts: Type.Array(closed({ label: Type.String(), count, cap: orNull(count) })),
    }),
  ),
});
export type Counts = Static<typeof Counts>;

/** Both spellings of each price; 0: free. */
const Pricing = closed({
  ...each(["member", "members"], Type.Number()),
  ...each(
    ["nonMember", "nonMembers"],
    Type.Optional(Type.Number({ description: "Absent when only members may register." })),
  ),
});

/** An event as the API answers it. Dates are in UTC. */
export const Event = closed({
  id: EventId,
  year: Year,
  ename: Type.String(),
  ...each(["description", "partnerDescription"], Type.Optional(Type.String())),
  capac: Type.Optional(Type.Integer({ minimum: 1 })),
  partnerCapac: Type.Optional(Type.Integer({ minimum: 0 })),
  ...each(dateFields, Type.Optional(Type.String({ format: "date-time" }))),
  wholeDays: Type.Optional(
    described(
      closed(each(dateFields, Type.Optional(Type.String()))),
      "The dates that were given as a date alone. An event whose dates all are so is shown without times.",
    ),
  ),
  reminders: Type.Optional(Type.Array(Type.Integer())),
  guests: Type.Optional(oneOf(guestsAllowed)),
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
  eventPage: Type.Optional(EventPage),
  registrationFormKey: Type.Optional(Type.String()),
  ...each(["createdAt", "updatedAt"], Timestamp),
});

/** What `count=true` and `users=true` add. */
export const EventWithPeople = closed({
  ...Event.properties,
  counts: Type.Optional(Counts),
  ...each(topCounts, Type.Optional(described(count, "As in `counts`."))),
  registrations: Type.Optional(
    Type.Array(
      closed({
        ...Registration.properties,
        user: Type.Union([User, Type.Null()], { description: "`null`: the person has no account." }),
      }),
      { description: "One page of them." },
    ),
  ),
});
