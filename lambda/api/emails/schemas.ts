import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import {
  changing,
  closed,
  described,
  Email,
  EventId,
  each,
  Line,
  Link,
  Name,
  oneOf,
  page,
  QueryEmail,
  TemplateName,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema/schema.ts";

export const pageQuery = closed(page);

export const templateParams = closed({ templateName: TemplateName });

/** The sum fits into an item of 400 KB, because a request has at most 256 KB. */
const content = {
  subject: Name,
  html: described(Text(100_000), "A fragment is wrapped in a page of the club's width when the mail is sent."),
  text: Text(20_000),
};

export const NewTemplate = closed({ templateName: TemplateName, ...content, text: Type.Optional(content.text) });

/** Absent fields stay unchanged. */
const changes = {
  subject: Type.Optional(content.subject),
  html: Type.Optional(content.html),
  text: Type.Optional(content.text),
};
export const TemplateChanges = changing({ templateName: TemplateName, ...changes });
/** The path names the template. */
export const NamedTemplateChanges = changing(changes);

const TemplateLine = {
  TemplateName: Type.String(),
  CreatedTimestamp: Type.String({ description: "ISO 8601, UTC." }),
  LastModifiedTimestamp: Type.String({ description: "ISO 8601, UTC." }),
};
export const Templates = closed({ emailTemplates: Type.Array(closed(TemplateLine)) });
const TemplateContent = closed({ Subject: Type.String(), Html: Type.String(), Text: Type.String() });
/**
 * The content has two names: `TemplateContent` as in SES, and the one that the web application reads.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailTemplate.html
 */
export const Template = closed({ ...TemplateLine, TemplateContent, Template: TemplateContent });

const Value = Line(1_000);

/** Values for the placeholders of a preview. A missing value is empty. */
export const PreviewData = closed({
  data: Type.Optional(
    closed({
      ...each(["fname", "lname", "email"], Type.Optional(Value)),
      event: Type.Optional(
        closed({
          ...each(["id", "ename", "elocation", "startDate", "endDate", "when"], Type.Optional(Value)),
          year: Type.Optional(Type.Unsafe<string | number>({ type: ["string", "number"], maxLength: 20 })),
          url: Type.Optional(Link),
        }),
      ),
    }),
  ),
});
export const Preview = closed({ subject: Type.String(), html: Type.String(), text: Type.String() });

const Status = oneOf(registrationStatuses);

export const NewCampaign = closed({
  templateName: TemplateName,
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
      members: Type.Optional(Type.Boolean()),
      emails: Type.Optional(Type.Array(Email, { maxItems: 10_000 })),
    }),
    "Exactly one of: `eventID` and `year`, with or without `status`; `members: true`; `emails`.",
  ),
  idempotencyKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Requests with this key make one campaign, for 30 days and for all admins.",
    }),
  ),
});

export const Accepted = closed({ campaignId: Type.String(), recipients: Type.Integer({ minimum: 0 }) });

export const campaignParams = closed({ id: Type.String({ pattern: "^[0-9A-HJKMNP-TV-Z]{26}$", maxLength: 26 }) });

const Count = Type.Integer({ minimum: 0 });
const CampaignLine = {
  ...each(["campaignId", "templateName", "audience", "createdBy"], Type.String()),
  recipients: Count,
  createdAt: Timestamp,
  stoppedAt: Type.Optional(Timestamp),
};
export const Campaigns = Type.Array(closed(CampaignLine));

export const Campaign = closed({
  ...CampaignLine,
  state: oneOf(["queued", "sending", "done", "stopped"]),
  sent: Count,
  failed: described(Count, "The mail can never be sent to them."),
  suppressed: Count,
  unconfirmed: described(Count, "The mail service did not answer. They never get the mail again."),
  pending: described(Count, "Not sent yet; of a stopped campaign, those who will not get it."),
  failures: Type.Array(closed({ email: Type.String(), message: Type.String() })),
  unconfirmedRecipients: Type.Array(Type.String()),
});

export const NewSuppression = closed({ email: Email, reason: Type.Optional(Line(500)) });
/** The email may be in the body or in the query. */
export const suppressionQuery = closed({ email: Type.Optional(QueryEmail) });
export const SuppressionBody = closed({ email: Type.Optional(Email) });
export const Suppression = closed({
  email: Type.String(),
  reason: Type.Optional(
    Type.String({ description: "As an admin wrote it, or `bounce: …` or `complaint: …` with the word of SES." }),
  ),
  createdAt: Timestamp,
});
