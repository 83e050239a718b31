import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import {
  changing,
  closed,
  described,
  Email,
  EmailText,
  EventId,
  each,
  IsoDate,
  Line,
  Link,
  ListedEmail,
  Message,
  Name,
  oneOf,
  optional,
  page,
  QueryEmail,
  TemplateName,
  Text,
  Timestamp,
  Type,
  times,
  Year,
} from "#kit/schema/schema.ts";

const text = Type.String();
const nameOfTemplate = ["The template's name.", "gala-reminder"] as const;
const NameOfTemplate = described(TemplateName, ...nameOfTemplate);
const templateName = described(text, ...nameOfTemplate);

export const pageQuery = closed(page);

export const templateParams = closed({ templateName: NameOfTemplate });

/** The parts of a mail with an example of each. */
const parts = {
  subject: ["The subject line.", "See you at {{ event.ename }}"],
  html: ["The HTML part.", "<p>Dear {{ fname }}, we look forward to {{ event.ename }}.</p>"],
  text: ["The plain text part.", "Dear {{ fname }}, we look forward to {{ event.ename }}."],
} as const;

/** The sum fits into an item of 400 KB, because a request has at most 256 KB. */
const content = {
  subject: described(Name, ...parts.subject),
  html: described(
    Text(100_000),
    "A fragment is wrapped in a page of the club's width when the mail is sent.",
    parts.html[1],
  ),
  text: described(Text(20_000), ...parts.text),
};

export const NewTemplate = closed({ templateName: NameOfTemplate, ...content, text: Type.Optional(content.text) });

/** Absent fields stay unchanged. */
const changes = {
  subject: Type.Optional(content.subject),
  html: Type.Optional(content.html),
  text: Type.Optional(content.text),
};
export const TemplateChanges = changing({ templateName: NameOfTemplate, ...changes });
/** The path names the template. */
export const NamedTemplateChanges = changing(changes);

const TemplateLine = {
  TemplateName: templateName,
  ...each(["CreatedTimestamp", "LastModifiedTimestamp"], described(text, "ISO 8601, UTC.", "2030-01-07T18:00:00.000Z")),
};
export const Templates = closed({
  emailTemplates: described(Type.Array(closed(TemplateLine)), "One page of them."),
});
const TemplateContent = closed({
  Subject: described(text, ...parts.subject),
  Html: described(text, ...parts.html),
  Text: described(text, ...parts.text),
});
/**
 * The content has two names: `TemplateContent` as in SES, and the one that the web application reads.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailTemplate.html
 */
export const Template = closed({
  ...TemplateLine,
  TemplateContent: described(TemplateContent, "The content again, under the name that SES has for it."),
  Template: described(TemplateContent, "The content."),
});

const Value = Type.Optional(Line(1_000));

const EventValues = closed({
  id: described(Value, "The event's id."),
  ename: described(Value, "The event's name."),
  elocation: described(Value, "Where the event takes place."),
  startDate: described(Value, "When the event starts."),
  endDate: described(Value, "When the event ends."),
  when: described(Value, "The event's time in words."),
  year: Type.Optional(
    Type.Unsafe<string | number>({ type: ["string", "number"], maxLength: 20, description: "The event's year." }),
  ),
  url: optional(Link, "Address of the event's page."),
});
const Values = closed({
  fname: described(Value, "First name.", "Ada"),
  lname: described(Value, "Last name.", "Lovelace"),
  email: described(Value, "The person's email.", "ada@student.example"),
  event: optional(EventValues, "The event.", { ename: "Winter Gala", elocation: "Great Hall" }),
});
/** Values for the placeholders of a preview. A missing value is empty. */
export const PreviewData = closed({
  data: optional(Values, "Values of the placeholders. An absent one is empty."),
});
export const Preview = closed({
  subject: described(text, parts.subject[0], "See you at Winter Gala"),
  html: described(text, parts.html[0], "<p>Dear Ada, we look forward to Winter Gala.</p>"),
  text: described(text, parts.text[0], "Dear Ada, we look forward to Winter Gala."),
});

const Status = oneOf(registrationStatuses);

export const NewCampaign = closed({
  templateName: NameOfTemplate,
  audience: described(
    closed({
      eventID: Type.Optional(EventId),
      year: Type.Optional(Year),
      status: Type.Optional(
        Type.Array(Status, {
          maxItems: registrationStatuses.length,
          description: "Absent: people with a confirmed seat. Not empty. `registered` includes applicants.",
        }),
      ),
      members: optional(Type.Boolean(), "`true`: all members."),
      emails: Type.Optional(Type.Array(ListedEmail, { maxItems: 10_000, description: "These addresses." })),
    }),
    "Exactly one of: `eventID` and `year`, with or without `status`; `members: true`; `emails`.",
    { eventID: "gala", year: 2030 },
  ),
  sendAt: optional(
    IsoDate,
    "ISO 8601. When it goes out, to those who belong to the audience then. Without an offset in the stage's zone. Absent: at once.",
  ),
  test: optional(Type.Boolean(), "`true`: only to yourself, marked as a test, whoever the audience is."),
  idempotencyKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Requests with this key make one campaign, for 30 days and for all admins.",
      examples: ["gala-reminder-1"],
    }),
  ),
});

const Count = Type.Integer({ minimum: 0 });
const campaignId = ["The campaign's id.", "01JGZ2M0W8Q4V5Y6Z7A8B9C0D1"] as const;
const recipients = described(
  Count,
  "How many people get the mail; before its time, how many would have when it was made.",
  84,
);
export const Accepted = closed({ campaignId: described(text, ...campaignId), recipients });

/** The campaign that was made with the key. */
export const madeWithKey = { campaignId: Accepted.properties.campaignId };

const CampaignId = Type.String({ pattern: "^[0-9A-HJKMNP-TV-Z]{26}$", maxLength: 26 });
export const campaignParams = closed({ id: described(CampaignId, ...campaignId) });

const CampaignLine = {
  campaignId: described(text, ...campaignId),
  templateName,
  audience: described(text, "Whom the campaign is for, in words.", "gala;2030"),
  createdBy: described(text, "The admin's email.", "exec@club.example"),
  recipients,
  createdAt: times.createdAt,
  stoppedAt: optional(Timestamp, "When it was stopped, in epoch milliseconds."),
  stoppedBecause: optional(
    oneOf(["no event", "no template"]),
    "Why the service stopped it: the event or the template is deleted.",
  ),
  sendAt: optional(Timestamp, "When it goes out, in epoch milliseconds."),
  test: optional(Type.Boolean(), "Only to the admin."),
};
export const CampaignChanges = changing({
  sendAt: optional(IsoDate, "ISO 8601. The new time. Without an offset in the stage's zone.", "2030-01-15T18:00"),
});

export const Campaigns = Type.Array(closed(CampaignLine));

export const Campaign = closed({
  ...CampaignLine,
  state: described(oneOf(["scheduled", "queued", "sending", "done", "stopped"]), "How far it is.", "done"),
  sent: described(Count, "How many got the mail.", 82),
  failed: described(Count, "The mail can never be sent to them.", 1),
  suppressed: described(Count, "How many were left out, because they get no campaigns.", 0),
  unconfirmed: described(Count, "The mail service did not answer. They never get the mail again.", 1),
  pending: described(Count, "Not sent yet; of a stopped campaign, those who will not get it.", 0),
  failures: described(
    Type.Array(
      closed({
        email: described(EmailText, undefined, "grace@student.example"),
        message: described(Message, "Why, in the words of the mail service.", "550 5.1.1 No such mailbox"),
      }),
    ),
    "People whom the mail can never reach.",
  ),
  unconfirmedRecipients: described(Type.Array(text), "Those of whom the mail service said nothing.", [
    "ada@student.example",
  ]),
});

export const NewSuppression = closed({
  email: Email,
  reason: optional(Line(500), "Why, in the admin's words.", "Asked for it"),
});
/** The email may be in the body or in the query. */
export const suppressionQuery = closed({ email: Type.Optional(QueryEmail) });
export const SuppressionBody = closed({ email: Type.Optional(Email) });
export const Suppression = closed({
  email: EmailText,
  reason: optional(
    text,
    "As an admin wrote it, or `bounce: …` or `complaint: …` with the word of SES.",
    "Asked for it",
  ),
  createdAt: times.createdAt,
});
