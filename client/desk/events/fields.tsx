/** The fields of an event, as an organiser thinks of them. */
import type { ComponentChildren } from "preact";
import { Refused } from "../../shared/call.ts";
import { Frame, tied } from "../../shared/field.tsx";
import { Fields, type Look, type SchemaForm } from "../schema-form.tsx";
import { bodyToSend } from "./rules.ts";

interface Group {
  readonly title: string;
  readonly names: readonly string[];
}

const groups: readonly Group[] = [
  {
    title: "What",
    names: ["ename", "id", "year", "description", "partnerDescription", "elocation", "facebookUrl"],
  },
  { title: "When", names: ["startDate", "endDate", "opensAt", "deadline", "isCompleted", "publishAt"] },
  { title: "Who may come", names: ["nonBizTechAllowed", "guests", "isApplicationBased"] },
  { title: "Seats", names: ["capac", "partnerCapac"] },
  { title: "Questions", names: ["registrationQuestions", "partnerRegistrationQuestions"] },
  { title: "Money", names: ["pricing", "refundUntil"] },
  {
    title: "Mails and feedback",
    names: [
      "reminders",
      ...["attendeeFeedbackEnabled", "attendeeFeedbackQuestions", "partnerFeedbackEnabled", "partnerFeedbackQuestions"],
    ],
  },
];
const grouped = groups.flatMap(({ names }) => names);

const withChoices = ["SELECT", "CHECKBOX", "WORKSHOP_SELECTION", "MULTIPLE_CHOICE", "CHECKBOXES"];
/** The types of question that have a field. */
const typesWith: Readonly<Record<string, readonly string[]>> = {
  choices: withChoices,
  charLimit: ["TEXT"],
  participantCap: ["WORKSHOP_SELECTION"],
  scaleMin: ["LINEAR_SCALE"],
  scaleMax: ["LINEAR_SCALE"],
  scaleMinLabel: ["LINEAR_SCALE"],
  scaleMaxLabel: ["LINEAR_SCALE"],
};

export const look = {
  labels: {
    ...{ ename: "Name", id: "Short name in the address", year: "Year in the address", elocation: "Place" },
    ...{ description: "What it is about", partnerDescription: "What partners read about it" },
    ...{ facebookUrl: "Page on social media", startDate: "Starts", endDate: "Ends", opensAt: "Registration opens" },
    ...{ deadline: "Registration ends", isCompleted: "Registration has ended", publishAt: "Publish by itself" },
    ...{ nonBizTechAllowed: "Open to everyone, not only to members", guests: "Registration without an account" },
    ...{
      nobody: "Nobody",
      partners: "Partners only",
      everyone: "Everyone",
      capac: "Seats",
      partnerCapac: "Seats of partners",
    },
    ...{ isApplicationBased: "People apply, and you decide", pricing: "Price", member: "For members" },
    ...{ nonMember: "For everyone else, partners too", refundUntil: "Money back until", reminders: "Reminders" },
    ...{ registrationQuestions: "Questions", partnerRegistrationQuestions: "Questions for partners" },
    ...{ attendeeFeedbackEnabled: "The feedback form for attendees takes answers" },
    ...{ attendeeFeedbackQuestions: "Feedback questions", partnerFeedbackQuestions: "Feedback questions for partners" },
    ...{ partnerFeedbackEnabled: "The feedback form for partners takes answers" },
    ...{ label: "Question", type: "Kind of answer", required: "An answer is needed", charLimit: "Characters at most" },
    ...{ questionImageUrl: "Address of a picture", participantCap: "Seats of each choice" },
    ...{ scaleMin: "Lowest number", scaleMax: "Highest number" },
    ...{ scaleMinLabel: "What the lowest means", scaleMaxLabel: "What the highest means" },
    ...{
      TEXT: "A text",
      SELECT: "One of several choices",
      CHECKBOX: "Any of several choices",
      UPLOAD: "An address of a file",
    },
    ...{ WORKSHOP_SELECTION: "A choice with seats of its own", SKILLS: "A list of skills", SHORT_TEXT: "A line" },
    ...{ LONG_TEXT: "A text of some lines", MULTIPLE_CHOICE: "One of several choices" },
    ...{ CHECKBOXES: "Any of several choices", LINEAR_SCALE: "A number on a scale" },
    ...{ registrationFormKey: "Key of the registration form", imageUrl: "Banner", isPublished: "Published" },
    ...{ eventPage: "Object of the web application" },
  },
  hints: {
    ...{ ename: "", elocation: "", description: "", partnerDescription: "Only in the mails and pages for partners." },
    id: "Letters, digits and hyphens. With the year it is the event's address, for good.",
    ...{ year: "", startDate: "Leave the time empty for a whole day.", facebookUrl: "Begins with https." },
    endDate: "Not before the start. Without a time: the end of that day.",
    opensAt: "Empty: as soon as the event is public.",
    deadline: "Empty: when the event ends, or starts if it has no end.",
    isCompleted: "Ends registration now, whatever the times above say.",
    publishAt: "Visitors see the event from then on. Empty: it stays a draft until you publish it.",
    nonBizTechAllowed: "Not ticked: only members register, and partners if there are questions or seats for them.",
    guests: "By a link in a mail.",
    isApplicationBased: "Cannot be changed once people are registered.",
    capac: "Empty: as many as want.",
    partnerCapac: "Partners then have seats and a line of their own. Empty: they share the seats above.",
    ...{ pricing: "Empty or 0: free.", member: "In dollars.", nonMember: "In dollars." },
    refundUntil: "A later cancellation is refunded only if the treasurer decides so. Empty: until the start.",
    reminders:
      "Hours before the start at which all with a seat get a mail, at most three. Write none for no reminder. Empty: as usual.",
    ...{ registrationQuestions: "For everyone but partners.", partnerRegistrationQuestions: "Instead of those above." },
    ...{ attendeeFeedbackEnabled: "From the start of the event on.", partnerFeedbackEnabled: "" },
    ...{
      attendeeFeedbackQuestions: "After a rating from 1 to 10, which is always asked.",
      partnerFeedbackQuestions: "",
    },
    ...{ label: "", type: "", required: "", choices: "", scaleMin: "Usually 1.", scaleMax: "Usually 10." },
    ...{ scaleMinLabel: "", scaleMaxLabel: "", charLimit: "Usually 4,000.", participantCap: "Empty: as many as want." },
    questionImageUrl: "Shown beside the question, if it is one of the club's own pictures.",
    ...{ latitude: "With both, the page links to a map.", longitude: "", registrationFormKey: "" },
  },
  // What is kept for the web application stays as it is.
  hidden: ["questionId", "isSkillsQuestion", "members", "nonMembers", "isPublished", "imageUrl", "eventPage"],
  hides: (name, { type }) => (name in typesWith && !typesWith[name]?.includes(String(type))) || false,
} satisfies Look;

export const labelFor = (name: string): string => (look.labels as Readonly<Record<string, string>>)[name] ?? name;

/** The body of a form, with the problem at its field if the text of the web application is no object. */
export function collect(form: SchemaForm, body: Record<string, unknown>): Record<string, unknown> {
  try {
    return bodyToSend(body, form.entries);
  } catch {
    const message = "must be an object in JSON";
    return form.complain(
      new Refused(400, { message: `${labelFor("eventPage")} ${message}.`, issues: [{ path: "/eventPage", message }] }),
    );
  }
}

/** An object that has no fields that the desk knows. */
function ObjectField({ form, stored }: { readonly form: SchemaForm; readonly stored: string }) {
  const frame = {
    id: "/eventPage",
    label: labelFor("eventPage"),
    required: false,
    problem: form.problems["/eventPage"],
  };
  const entry = form.entries.eventPage;
  return (
    <Frame {...frame} hint="In JSON, at most 16 KB.">
      <textarea
        {...tied(frame)}
        rows={5}
        spellcheck={false}
        value={typeof entry === "string" ? entry : stored}
        onInput={({ currentTarget }) => form.set(["eventPage"], currentTarget.value)}
      />
    </Frame>
  );
}

interface EventFieldsProps {
  readonly form: SchemaForm;
  /** The stored object of the web application. */
  readonly stored?: string;
  /** What chooses the banner. */
  readonly banner: ComponentChildren;
}

/** All fields of an event in their groups. */
export function EventFields({ form, stored = "", banner }: EventFieldsProps) {
  const others = Object.keys(form.schema.properties ?? {}).filter((name) => !grouped.includes(name));
  const hasProblem = [...others, "eventPage"].some((name) => form.problems[`/${name}`]);
  return (
    <>
      {groups.map(({ title, names }) => (
        <fieldset class="group" key={title}>
          <legend>{title}</legend>
          <Fields form={form} names={names} />
          {title === "What" && banner}
        </fieldset>
      ))}
      <details class="group" open={hasProblem}>
        <summary>For the map and the web application</summary>
        <Fields form={form} names={others} />
        <ObjectField form={form} stored={stored} />
      </details>
    </>
  );
}
