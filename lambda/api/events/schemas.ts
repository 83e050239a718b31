import { company, datesAs, ename, summary, texts, zone } from "#api/records/event-fields.ts";
import { behindOthers, FeedbackQuestion, Registration, RegistrationQuestion, User } from "#api/records/schemas.ts";
import { earliestReminder } from "#domain/events/due-mails.ts";
import { feedbackTypes, guestsAllowed, mailAudiences, mailMoments, questionTypes } from "#domain/events/event-input.ts";
import { mostDays, mostRules } from "#domain/events/mail-rules.ts";
import { mostPlusOnes } from "#domain/registrations/record/new-registration.ts";
import {
  changing,
  closed,
  described,
  EmailText,
  EventId,
  each,
  IsoDate,
  IsoDateOrNull,
  Line,
  Link,
  ListedEmail,
  Name,
  notShown,
  oneOf,
  optional,
  orNull,
  page,
  type Static,
  TemplateName,
  Text,
  TimeZone,
  Type,
  times,
  Year,
} from "#kit/schema/schema.ts";
import { AskedCode } from "./code-schemas.ts";

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
const questionId = optional(
  orNull(Line(100)),
  "Names the answers. Absent: the id of the stored question of this list with the same label and type, else a new one. " +
    "Unique in both lists of registration questions.",
);
const label = described(Text(1_000), "Not blank.");
const required = Type.Boolean({ description: "Whether an answer is needed." });
const kind = "What kind of answer it takes.";

const wholeOrNull = (minimum: number, maximum: number) => Type.Optional(orNull(Type.Integer({ minimum, maximum })));
const seats = (least: number) => wholeOrNull(least, 1_000_000);

const RegistrationQuestionInput = closed({
  questionId,
  label,
  type: described(oneOf(questionTypes), kind),
  required,
  choices,
  charLimit: described(wholeOrNull(1, 4_000), "Characters of a TEXT answer. Default: 4,000."),
  questionImageUrl: optional(orNull(Link), "A picture next to the question."),
  participantCap: described(seats(1), "Seats of each choice of a WORKSHOP_SELECTION."),
  isSkillsQuestion: optional(Type.Boolean(), "Kept for the web application."),
});

const FeedbackQuestionInput = closed({
  questionId,
  label,
  type: described(oneOf(feedbackTypes), kind),
  required,
  choices,
  scaleMin: described(wholeOrNull(0, 100), "Default: 1."),
  scaleMax: described(wholeOrNull(1, 100), "Above `scaleMin`. Default: 10."),
  scaleMinLabel: optional(orNull(Line()), "What the lowest number means."),
  scaleMaxLabel: optional(orNull(Line()), "What the highest number means."),
});

const price = Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 }));
/** Examples of prices, for members and for others. */
const [forMembers, forOthers] = [5, 8];
const inDollars =
  "Dollars with at most two decimals: 0, or at least what the payment provider takes (0.50 CAD). Absent: 0 in a new " +
  "event; otherwise the price stays.";
const otherSpelling = "Another spelling; counts where the other one is absent or unchanged.";
const PricingInput = closed({
  member: described(price, inDollars, forMembers),
  nonMember: described(price, inDollars, forOthers),
  members: described(price, otherSpelling, forMembers),
  nonMembers: described(price, otherSpelling, forOthers),
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

const flag = (description: string, ...example: readonly boolean[]) => optional(Type.Boolean(), description, ...example);

/** Examples. */
const examples = { capac: 120, partnerCapac: 10, latitude: 49.2646, longitude: -123.2526 };
const degrees = "Degrees, rounded to seven decimals.";

const EventPage = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: "object",
  description: "Any object of at most 16 KB. Kept for the web application, and in no list.",
});
const FormKey = described(Line(200), "Kept for the web application, and in no list.");

const hoursOf = (description: string) => optional(orNull(Type.Integer({ minimum: 0, maximum: 23 })), description, 2);
const MailRuleInput = closed({
  templateName: described(TemplateName, "The template's name.", "bring-your-laptop"),
  to: described(oneOf(mailAudiences), "`seats`: all with a confirmed seat. `came`: who was checked in."),
  when: described(oneOf(mailMoments), "What `days`, `hours` and `time` count from."),
  days: optional(
    orNull(Type.Integer({ minimum: 0, maximum: mostDays.beforeStart })),
    `Days on the calendar. At most ${mostDays.beforeStart} before, ${mostDays.afterEnd} after.`,
    2,
  ),
  hours: hoursOf("More hours, instead of `time`."),
  time: described(
    Type.Optional(orNull(Type.String({ pattern: "^(?:[01]\\d|2[0-3]):[0-5]\\d$", maxLength: 5 }))),
    "On that day, in the event's zone. Absent: when the event starts or ends.",
    "18:00",
  ),
});

const LongText = Type.Optional(orNull(Text(10_000)));
const dates = datesAs(Type.Optional(IsoDateOrNull));
const OptionalLink = Type.Optional(orNull(Link));
const coordinate = (most: number) => Type.Optional(orNull(Type.Number({ minimum: -most, maximum: most })));

/** The optional fields of an event. A PATCH may change them, and removes a field by `null`. */
const details = {
  description: described(LongText, ...texts.description),
  partnerDescription: described(LongText, ...texts.partnerDescription),
  capac: described(seats(1), "Seats. Absent or `null`: unlimited.", examples.capac),
  allotment: optional(
    orNull(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    "How many of `capac` are for people with a code for `access`, at an event without applications. Absent: 0.",
  ),
  partnerCapac: described(
    seats(0),
    "Seats of the partners, who take none of `capac`. Absent or `null`: unlimited.",
    examples.partnerCapac,
  ),
  plusOnes: optional(
    orNull(Type.Integer({ minimum: 0, maximum: mostPlusOnes })),
    "How many people each attendee may bring, at an event without applications. Absent: 0.",
  ),
  timeZone: optional(
    orNull(TimeZone),
    "For dates without an offset, and for all that people read. Absent: the stage's.",
    zone,
  ),
  startDate: dates.startDate,
  endDate: described(dates.endDate, "ISO 8601. Not before `startDate`. A date alone: the end of that day."),
  deadline: described(
    dates.deadline,
    "ISO 8601, not after the event. Registration ends then, or with that day. Absent: at `endDate`, else at `startDate`, else never.",
  ),
  opensAt: described(
    dates.opensAt,
    "ISO 8601, before registration ends. Registration starts then. Absent: from the beginning.",
  ),
  publishAt: described(
    dates.publishAt,
    "ISO 8601, not after the event. Everyone sees the event from then on. Hiding it later with `isPublished: false` removes this.",
  ),
  refundUntil: described(
    dates.refundUntil,
    "ISO 8601, not after the event. Who cancels a paid seat after it, or after that day, gets the money back only if the treasurer decides so. Absent: until the start.",
  ),
  reminders: optional(
    orNull(Type.Array(Type.Integer({ minimum: 1, maximum: earliestReminder }), { maxItems: 3, uniqueItems: true })),
    "Hours before the start at which all who hold a seat get a mail. `[]`: none. Absent: those of the stage.",
  ),
  guests: optional(
    orNull(oneOf(guestsAllowed)),
    "Who may register without an account, by a link in a mail. Absent: as the stage has it.",
  ),
  mails: optional(
    orNull(Type.Array(MailRuleInput, { maxItems: mostRules })),
    "Templates that go by themselves. Each goes to the same people once.",
  ),
  replyTo: described(
    Type.Optional(orNull(ListedEmail)),
    "Answers to mails about the event go there. Absent: as the stage has it.",
    "dinner@club.example",
  ),
  noShowsWait: flag(
    "`true`: who had a seat three times within a year and did not come waits behind everyone else. Not with applications.",
  ),
  refundAtCheckIn: flag(
    "`true`: the price is a deposit, which who is checked in gets back. Needs a price; not with applications. A registration keeps what held when it began.",
  ),
  transfers: optional(
    orNull(Type.Integer({ minimum: 0, maximum: 10 })),
    "How often one confirmed seat may be handed on to another person. Absent or 0: never.",
  ),
  elocation: optional(orNull(Line(500)), ...texts.elocation),
  latitude: described(coordinate(90), degrees, examples.latitude),
  longitude: described(coordinate(180), degrees, examples.longitude),
  facebookUrl: described(OptionalLink, ...texts.facebookUrl),
  imageUrl: described(OptionalLink, ...texts.imageUrl),
  isPublished: flag("`true` shows the event to everyone. Absent: only admins see it."),
  isCompleted: flag("`true` ends registration.", false),
  isApplicationBased: flag("`true`: people apply, and an admin decides."),
  nonBizTechAllowed: flag(
    "`false`: only members may register, and partners if there are questions for them. Absent: everyone.",
  ),
  pricing: optional(orNull(PricingInput), "`null`: free."),
  registrationQuestions: registrationQuestions("everyone but partners"),
  partnerRegistrationQuestions: registrationQuestions("partners"),
  attendeeFeedbackEnabled: flag("Whether the form takes answers. Absent: no.", true),
  partnerFeedbackEnabled: flag("Whether the form takes answers. Absent: no."),
  ...each(["attendeeFeedbackQuestions", "partnerFeedbackQuestions"], feedbackQuestions),
  eventPage: Type.Optional(orNull(EventPage)),
  registrationFormKey: Type.Optional(orNull(FormKey)),
};

export const NewEvent = closed({
  id: described(EventId, undefined, "winter-gala"),
  year: Year,
  ename: described(Name, ...ename),
  ...details,
});

export const EventChanges = changing({
  ename: optional(Name, ...ename),
  calledOff: optional(
    orNull(described(Text(1_000), "Not blank.")),
    "Calls the event off: it stays visible, its registrations end, people get a mail with this text, and their money back. " +
      "`null`: it takes place again; registrations that have ended stay so.",
  ),
  ...details,
});

export const EventCopy = closed({
  id: EventId,
  year: Year,
  ename: optional(Name, "Absent: the event's.", ename[1]),
  startDate: described(
    datesAs(Type.Optional(IsoDate)).startDate,
    "ISO 8601. The other dates keep their distance to the start. Absent: the copy has no dates.",
  ),
});

export const eventParams = closed({ eventId: EventId, year: Year });

export const eventsQuery = closed({
  id: optional(EventId, "Events with this id only, of all years."),
  year: Type.Optional(Year),
  ...page,
});

const count = Type.Integer({ minimum: 0 });
const remaining = Type.Unsafe<number | null>({ type: ["integer", "null"], description: "`null`: unlimited." });

const ChoiceCount = closed({
  label: described(Type.String(), "The choice.", "Strategy"),
  count: described(count, "People who chose it.", 20),
  cap: described(orNull(count), "Seats of this choice. `null`: unlimited.", 25),
});
const QuestionCounts = closed({
  questionId: described(Type.String(), "Names the question in answers.", "workshop"),
  counts: described(Type.Array(ChoiceCount), "How many people chose each choice."),
});

export const Counts = closed({
  registeredCount: described(count, "Confirmed attendees who are not checked in. Partners count below.", 84),
  checkedInCount: described(count, "People who are checked in.", 0),
  waitlistCount: described(count, "At most five seconds older than the other counts.", 0),
  applicantCount: described(count, "Applications without a decision.", 0),
  incompleteCount: described(count, "Unpaid seats on hold.", 0),
  acceptedCount: described(count, "`accepted`, `acceptedPending` and `acceptedComplete`.", 0),
  seatsTaken: described(count, "Seats that are allocated, those on hold included.", 84),
  remaining: described(remaining, undefined, 36),
  allotmentRemaining: Type.Optional(
    notShown(described(count, "What is left of the allotment, which `remaining` leaves out.")),
  ),
  partnerCount: described(count, "Partners with a seat.", 0),
  partnerCheckedInCount: described(count, "Partners who are checked in.", 0),
  partnerWaitlistCount: described(
    count,
    "Partners on their waitlist. At most five seconds older than the other counts.",
    0,
  ),
  partnerRemaining: described(remaining, undefined, 10),
  dynamicCounts: described(Type.Array(QuestionCounts), "What people with a seat chose, by question."),
});
export type Counts = Static<typeof Counts>;

const others = optional(Type.Number(), "Absent when only members may register.", forOthers);
/** Both spellings of each price; 0: free. */
const Pricing = closed({
  member: described(Type.Number(), "Price for members.", forMembers),
  members: described(Type.Number(), "The same as `member`.", forMembers),
  ...each(["nonMember", "nonMembers"], others),
});

const text = Type.Optional(Type.String());
const asked = (who: string) => `What the form for ${who} asks behind the overall rating.`;

const MailRule = closed({
  templateName: MailRuleInput.properties.templateName,
  ...{ to: MailRuleInput.properties.to, when: MailRuleInput.properties.when },
  days: optional(Type.Integer(), "Days on the calendar.", 2),
  hours: optional(Type.Integer(), "More hours.", 2),
  time: optional(Type.String(), "On that day, in the event's zone.", "18:00"),
});

/** An event as the API answers it. Dates are in UTC. */
export const Event = closed({
  id: EventId,
  year: Year,
  ename: summary.ename,
  description: summary.description,
  partnerDescription: summary.partnerDescription,
  capac: Type.Optional(Type.Integer({ minimum: 1, description: "Seats. Absent: unlimited.", examples: [120] })),
  allotment: Type.Optional(
    notShown(
      described(
        Type.Integer({ minimum: 1 }),
        "How many of `capac` are for people with a code for `access`. Absent: 0.",
      ),
    ),
  ),
  partnerCapac: optional(
    Type.Integer({ minimum: 0 }),
    "Seats of the partners, who take none of `capac`. Absent: unlimited.",
    examples.partnerCapac,
  ),
  ...company,
  calledOff: summary.calledOff,
  timeZone: summary.timeZone,
  ...datesAs(Type.Optional(Type.String({ format: "date-time" }))),
  wholeDays: optional(
    closed(datesAs(text)),
    "The dates that were given as a date alone. An event whose dates all are so is shown without times.",
  ),
  reminders: optional(Type.Array(Type.Integer()), "Hours before the start at which seat holders get a mail."),
  guests: optional(oneOf(guestsAllowed), "Who may register without an account."),
  mails: optional(Type.Array(MailRule), "Templates that go by themselves. Only admins see it."),
  replyTo: optional(EmailText, "Where answers to its mails go. Only admins see it."),
  takesCodes: optional(Type.Boolean(), "`true`: there are codes for it."),
  partnersNeedCode: optional(Type.Boolean(), "`true`: partners register with a code."),
  noShowsWait: flag("`true`: who had a seat three times within a year and did not come waits behind everyone else."),
  refundAtCheckIn: flag("`true`: the price is a deposit, which who is checked in gets back."),
  transfers: optional(Type.Integer({ minimum: 1 }), "How often one confirmed seat may be handed on. Absent: never."),
  elocation: summary.elocation,
  latitude: optional(Type.Number(), "Degrees.", examples.latitude),
  longitude: optional(Type.Number(), "Degrees.", examples.longitude),
  facebookUrl: described(text, ...texts.facebookUrl),
  imageUrl: summary.imageUrl,
  isPublished: Type.Boolean({ description: "`false`: hidden from everyone but admins." }),
  isCompleted: summary.isCompleted,
  isApplicationBased: flag("`true`: people apply, and an admin decides."),
  nonBizTechAllowed: Type.Boolean({ description: "`false`: for members and partners only." }),
  pricing: described(Pricing, "Dollars; 0: free."),
  registrationQuestions: described(Type.Array(RegistrationQuestion), "What everyone but partners is asked."),
  partnerRegistrationQuestions: described(Type.Array(RegistrationQuestion), "What partners are asked.", []),
  attendeeFeedbackEnabled: flag("Whether the form for attendees takes answers.", true),
  partnerFeedbackEnabled: flag("Whether the form for partners takes answers."),
  attendeeFeedbackQuestions: described(Type.Array(FeedbackQuestion), asked("attendees")),
  partnerFeedbackQuestions: described(Type.Array(FeedbackQuestion), asked("partners"), []),
  eventPage: Type.Optional(EventPage),
  registrationFormKey: described(text, "Kept for the web application."),
  ...times,
});

const WithUser = closed({
  ...Registration.properties,
  user: Type.Union([User, Type.Null()], { description: "`null`: the person has no account." }),
});

/** What `count=true` and `users=true` add. */
export const EventWithPeople = closed({
  ...Event.properties,
  counts: optional(Counts, "People and seats, with `count=true`."),
  registeredCount: optional(Counts.properties.registeredCount, "As in `counts`."),
  checkedInCount: optional(Counts.properties.checkedInCount, "As in `counts`."),
  waitlistCount: optional(Counts.properties.waitlistCount, "As in `counts`."),
  behindOthers: optional(Type.Literal(true), `About the caller. ${behindOthers}`),
  registrations: optional(Type.Array(WithUser), "One page of them."),
  code: Type.Optional(notShown(AskedCode)),
});
