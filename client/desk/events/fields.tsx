/** The fields of an event, as an organiser thinks of them. */
import type { ComponentChildren } from "preact";
import type { Entries } from "../schema.ts";
import { Fields, type SchemaForm } from "../schema-form.tsx";

/** Labels by name, some with a hint. */
type Words = Readonly<Record<string, readonly string[]>>;

const groups: Readonly<Record<string, Words>> = {
  What: {
    ename: ["Name"],
    description: ["What it is about"],
    partnerDescription: ["What partners read about it", "Instead of the text above."],
    elocation: ["Place"],
    facebookUrl: ["Page on social media", "Begins with https."],
    id: [
      "Short name in the address",
      "Letters, digits and hyphens. With the year it is the event's address, for good.",
    ],
    year: ["Year in the address"],
  },
  When: {
    timeZone: [
      "Time zone of these times",
      "Such as America/Toronto. Empty: the club's. The times stay what the clock shows.",
    ],
    startDate: ["Starts", "Leave the time empty for a whole day."],
    endDate: ["Ends", "Not before the start. Without a time: the end of that day."],
    opensAt: ["Registration opens", "Empty: as soon as the event is public."],
    deadline: ["Registration ends", "Empty: when the event ends, or starts if it has no end."],
    isCompleted: ["Registration has ended", "Whatever the times above say."],
    publishAt: [
      "Publish by itself",
      "Visitors see the event from then on. Empty: it stays a draft until you publish it.",
    ],
  },
  "Who may come": {
    nonBizTechAllowed: ["Open to everyone", "Not ticked: to members, and to partners if they have questions or seats."],
    guests: ["Registration without an account", "By a link in a mail."],
    transfers: ["Seats may be handed on", "How often each, to a person who accepts by mail. Empty: never."],
    isApplicationBased: ["People apply, and you decide", "Cannot be changed once people are registered."],
  },
  Seats: {
    capac: ["Seats", "Empty: as many as want."],
    allotment: ["Of them for codes", "Only people with a code for access get these. Fewer: the others go to the line."],
    plusOnes: [
      "People whom each may bring",
      "Each takes a seat, with a ticket of their own, for the price of non-members. Not where people apply.",
    ],
    partnerCapac: ["Seats of partners", "With a line of their own. Empty: partners share the seats above."],
    noShowsWait: [
      "No-shows wait behind everyone else",
      "Who had a seat three times within a year and did not come. Not where people apply.",
    ],
  },
  Questions: {
    registrationQuestions: ["Questions", "For everyone but partners."],
    partnerRegistrationQuestions: ["Partner questions"],
  },
  Money: {
    pricing: ["Price", "Empty or 0: free."],
    refundAtCheckIn: [
      "The price is a deposit",
      "Who is checked in gets it back; the club keeps that of who does not come. A change counts for those who register after it.",
    ],
    refundUntil: ["Money back until", "The treasurer decides about later cancellations. Empty: until the start."],
  },
  "Mails and feedback": {
    reminders: ["Reminders", "Hours before the start, three at most. The word none: no mail. Empty: as usual."],
    mails: [
      "Timed mails",
      "Templates that go by themselves. Each goes to the same people once, also if the event moves.",
    ],
    replyTo: ["Answers go to", "An address. Empty: the club's."],
    attendeeFeedbackEnabled: ["The feedback form for attendees takes answers", "From the start of the event on."],
    attendeeFeedbackQuestions: ["Feedback questions", "After a rating from 1 to 10, which is always asked."],
    partnerFeedbackEnabled: ["The feedback form for partners takes answers"],
    partnerFeedbackQuestions: ["Partner feedback questions"],
  },
};

/** Fields within fields, and those of no group. */
const others: Words = {
  ...{ member: ["For members", "In dollars."], nonMember: ["For everyone else, partners too", "In dollars."] },
  ...{ label: ["Question"], type: ["Kind of answer"], required: ["An answer is needed"], choices: ["Choices"] },
  templateName: ["Template", "Its name, as under Mails."],
  ...{ to: ["Who gets it"], when: ["When"], days: ["Days", "Empty: on the day itself."] },
  hours: ["Hours", "Besides the days. Not with a time."],
  time: ["Time of that day", "Such as 18:00. Empty: when the event starts or ends."],
  charLimit: ["Characters at most", "Empty: 4,000."],
  participantCap: ["Seats of each choice", "Empty: as many as want."],
  questionImageUrl: ["Address of a picture", "It is shown if it is one of the club's own pictures."],
  ...{ scaleMin: ["Lowest number", "Empty: 1."], scaleMax: ["Highest number", "Empty: 10."] },
  ...{ scaleMinLabel: ["What the lowest means"], scaleMaxLabel: ["What the highest means"], imageUrl: ["Banner"] },
  ...{ latitude: ["Latitude", "With both, the event's page links to a map."], longitude: ["Longitude"] },
  ...{
    registrationFormKey: ["Key of the registration form"],
    eventPage: ["Contents of its page", "An object in JSON."],
  },
};

const choices: Readonly<Record<string, string>> = {
  ...{ nobody: "Nobody", partners: "Partners only", everyone: "Everyone" },
  ...{ seats: "All with a confirmed seat", came: "Who was checked in" },
  ...{ beforeStart: "Before the start", afterEnd: "After the end" },
  ...{ TEXT: "A text", SELECT: "One of several choices", CHECKBOX: "Any of several choices", SKILLS: "Skills" },
  ...{ UPLOAD: "The address of a file", WORKSHOP_SELECTION: "A choice that has seats of its own" },
  ...{ SHORT_TEXT: "A line", LONG_TEXT: "A longer text", LINEAR_SCALE: "A number on a scale" },
  ...{ MULTIPLE_CHOICE: "One of several choices", CHECKBOXES: "Any of several choices" },
};

/** By the beginning of a field's name, the types of question that have it. */
const typesWith: readonly (readonly [name: RegExp, types: RegExp])[] = [
  [/^choices$/, /^(SELECT|CHECKBOX(ES)?|WORKSHOP_SELECTION|MULTIPLE_CHOICE)$/],
  [/^charLimit$/, /^TEXT$/],
  [/^participantCap$/, /^WORKSHOP_SELECTION$/],
  [/^scale/, /^LINEAR_SCALE$/],
];

const words = Object.entries({ ...Object.assign({}, ...Object.values(groups)), ...others } as Words);
const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(words.map(([name, [label = name]]) => [name, label])),
  ...choices,
};

export const look = {
  labels,
  hints: Object.fromEntries(words.map(([name, [, hint = ""]]) => [name, hint])),
  // What only the web application needs stays as it is.
  hidden: ["questionId", "isSkillsQuestion", "members", "nonMembers", "isPublished", "imageUrl"],
  hides: (field: string, { type }: Entries): boolean =>
    typesWith.some(([name, types]) => name.test(field) && !types.test(String(type))),
};

/** All fields of an event in their groups. @param banner what chooses the banner */
export function EventFields({ form, banner }: { readonly form: SchemaForm; readonly banner: ComponentChildren }) {
  const grouped = Object.values(groups).flatMap(Object.keys);
  const rest = Object.keys(form.schema.properties ?? {}).filter((name) => !grouped.includes(name));
  return (
    <>
      {Object.entries(groups).map(([title, fields]) => (
        <fieldset class="group" key={title}>
          <legend>{title}</legend>
          <Fields form={form} names={Object.keys(fields)} />
          {title === "What" && banner}
        </fieldset>
      ))}
      <details class="group" open={rest.some((name) => form.problems[`/${name}`])}>
        <summary>For the map and the web application</summary>
        <Fields form={form} names={rest} />
      </details>
    </>
  );
}
