import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import {
  changing,
  closed,
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
} from "#kit/schema.ts";

export const pageQuery = closed(page);

export const templateParams = closed({ templateName: TemplateName });

/** All three together fit into an item of 400 KB, because a request has at most 256 KB. */
const content = { subject: Name, html: Text(100_000), text: Text(20_000) };

export const NewTemplate = closed({ templateName: TemplateName, ...content, text: Type.Optional(content.text) });

/** A field that is absent stays. */
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
  /** ISO 8601, UTC. */
  CreatedTimestamp: Type.String(),
  LastModifiedTimestamp: Type.String(),
};
export const Templates = closed({ emailTemplates: Type.Array(closed(TemplateLine)) });
const TemplateContent = closed({ Subject: Type.String(), Html: Type.String(), Text: Type.String() });
/**
 * The content has two names: `TemplateContent` as SES has it, and the one that the web application reads.
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
  audience: closed({
    eventID: Type.Optional(EventId),
    year: Type.Optional(Year),
    status: Type.Optional(Type.Array(Status, { maxItems: registrationStatuses.length })),
    members: Type.Optional(Type.Boolean()),
    emails: Type.Optional(Type.Array(Email, { maxItems: 10_000 })),
  }),
  /**
   * Names the request: a repetition makes no second campaign. Without a key, the same content within five minutes is a
   * repetition.
   */
  idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
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
  ...each(["sent", "failed", "suppressed", "unconfirmed", "pending"], Count),
  failures: Type.Array(closed({ email: Type.String(), message: Type.String() })),
  unconfirmedRecipients: Type.Array(Type.String()),
});

export const NewSuppression = closed({ email: Email, reason: Type.Optional(Line(500)) });
/** The email may be in the body or in the query. */
export const suppressionQuery = closed({ email: Type.Optional(QueryEmail) });
export const SuppressionBody = closed({ email: Type.Optional(Email) });
export const Suppression = closed({
  email: Type.String(),
  reason: Type.Optional(Type.String()),
  createdAt: Timestamp,
});
