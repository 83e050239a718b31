import { route } from "#kit/request/route.ts";
import { closed, described, Message, Type } from "#kit/schema/schema.ts";
import * as schemas from "./schemas.ts";

const Done = closed({ message: Message });

export const listTemplates = route("GET /emails/templates", {
  aliases: ["/emails/templates/"],
  access: "admin",
  summary: "The templates, by name",
  query: schemas.pageQuery,
  responses: { 200: schemas.Templates },
});

export const createTemplate = route("POST /emails/templates", {
  aliases: ["/emails/templates/"],
  access: "admin",
  summary: "Create a template; wrong placeholders are refused",
  says: { DUPLICATE: "There is a template of this name already." },
  body: schemas.NewTemplate,
  responses: { 201: Done },
  etag: true,
  refusals: ["DUPLICATE"],
});

export const updateTemplate = route("PATCH /emails/templates", {
  aliases: ["/emails/templates/"],
  access: "admin",
  summary: "Change the template that the body names; campaigns that have begun keep what they say",
  body: schemas.TemplateChanges,
  responses: { 200: Done },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const getTemplate = route("GET /emails/templates/{templateName}", {
  access: "admin",
  summary: "A template with its content",
  params: schemas.templateParams,
  responses: { 200: schemas.Template },
  etag: true,
  refusals: ["NOT_FOUND"],
});

export const updateNamedTemplate = route("PATCH /emails/templates/{templateName}", {
  access: "admin",
  summary: "Change a template; campaigns that have begun keep what they say",
  params: schemas.templateParams,
  body: schemas.NamedTemplateChanges,
  fixedByPath: { templateName: "templateName" },
  responses: { 200: Done },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const deleteTemplate = route("DELETE /emails/templates/{templateName}", {
  access: "admin",
  irreversible: true,
  summary: "Delete a template; campaigns that have begun keep what they say",
  params: schemas.templateParams,
  responses: { 200: Done },
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const previewTemplate = route("POST /emails/templates/{templateName}/preview", {
  access: "admin",
  summary: "What a template becomes with these values",
  says: { 200: "The mail with these values." },
  params: schemas.templateParams,
  body: schemas.PreviewData,
  responses: { 200: schemas.Preview },
  refusals: ["NOT_FOUND"],
});

export const sendEmails = route("POST /emails/send", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Send a template to many people, each at most once, now or at a time",
  about: ["Template", "Event"],
  says: {
    202: "The campaign is accepted; its mails follow.",
    DUPLICATE: "This idempotencyKey was used for another campaign.",
  },
  body: schemas.NewCampaign,
  responses: { 202: schemas.Accepted },
  refusals: ["NOT_FOUND", "DUPLICATE"],
  details: { DUPLICATE: schemas.madeWithKey },
});

export const listCampaigns = route("GET /emails/campaigns", {
  access: "admin",
  summary: "The campaigns of the last 180 days, newest first",
  query: schemas.pageQuery,
  responses: { 200: schemas.Campaigns },
});

export const getCampaign = route("GET /emails/campaigns/{id}", {
  access: "admin",
  summary: "How far a campaign is, and whom it did not reach",
  about: ["Campaign"],
  params: schemas.campaignParams,
  responses: { 200: schemas.Campaign },
  refusals: ["NOT_FOUND"],
});

export const moveCampaign = route("PATCH /emails/campaigns/{id}", {
  access: "admin",
  summary: "Change the time of a campaign that has not begun",
  about: ["Campaign"],
  says: { 200: "The mail goes out on Tuesday, January 15, 2030 at 6:00 PM PST." },
  params: schemas.campaignParams,
  body: schemas.CampaignChanges,
  responses: { 200: Done },
  refusals: ["NOT_FOUND", "CAMPAIGN_BEGUN"],
});

export const stopCampaign = route("DELETE /emails/campaigns/{id}", {
  access: "admin",
  irreversible: true,
  summary: "Stop a campaign: no further mail goes out",
  about: ["Campaign"],
  says: { 200: "Campaign stopped: nobody else gets it." },
  params: schemas.campaignParams,
  responses: { 200: Done },
  refusals: ["NOT_FOUND"],
});

export const listSuppressions = route("GET /emails/suppressions", {
  access: "admin",
  summary: "Who gets no campaigns",
  query: schemas.pageQuery,
  responses: { 200: Type.Array(schemas.Suppression) },
});

export const addSuppression = route("POST /emails/suppressions", {
  access: "admin",
  summary: "Send an address no campaigns any more; it still gets tickets and notices",
  says: { 201: "This address gets no campaigns any more." },
  body: schemas.NewSuppression,
  responses: {
    201: closed({ message: Message, suppression: described(schemas.Suppression, "The entry of the address.") }),
  },
});

export const removeSuppression = route("DELETE /emails/suppressions", {
  access: "admin",
  irreversible: true,
  summary: "Send an address campaigns again",
  says: { 200: "This address gets campaigns again." },
  query: schemas.suppressionQuery,
  body: schemas.SuppressionBody,
  responses: { 200: Done },
});
