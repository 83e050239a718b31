import { route } from "#kit/request/route.ts";
import { closed, Type } from "#kit/schema/schema.ts";
import * as schemas from "./schemas.ts";

const Message = closed({ message: Type.String() });

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
  body: schemas.NewTemplate,
  responses: { 201: Message },
  etag: true,
  refusals: ["DUPLICATE"],
});

export const updateTemplate = route("PATCH /emails/templates", {
  aliases: ["/emails/templates/"],
  access: "admin",
  summary: "Change the template that the body names; campaigns that have begun keep what they say",
  body: schemas.TemplateChanges,
  responses: { 200: Message },
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
  responses: { 200: Message },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const deleteTemplate = route("DELETE /emails/templates/{templateName}", {
  access: "admin",
  irreversible: true,
  summary: "Delete a template; campaigns that have begun keep what they say",
  params: schemas.templateParams,
  responses: { 200: Message },
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const previewTemplate = route("POST /emails/templates/{templateName}/preview", {
  access: "admin",
  summary: "What a template becomes with these values",
  params: schemas.templateParams,
  body: schemas.PreviewData,
  responses: { 200: schemas.Preview },
  refusals: ["NOT_FOUND"],
});

export const sendEmails = route("POST /emails/send", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Send a template to many people, each at most once",
  body: schemas.NewCampaign,
  responses: { 202: schemas.Accepted },
  refusals: ["NOT_FOUND", "DUPLICATE"],
  details: { DUPLICATE: { campaignId: Type.String() } },
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
  params: schemas.campaignParams,
  responses: { 200: schemas.Campaign },
  refusals: ["NOT_FOUND"],
});

export const stopCampaign = route("DELETE /emails/campaigns/{id}", {
  access: "admin",
  irreversible: true,
  summary: "Stop a campaign: no further mail goes out",
  params: schemas.campaignParams,
  responses: { 200: Message },
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
  body: schemas.NewSuppression,
  responses: { 201: closed({ message: Type.String(), suppression: schemas.Suppression }) },
});

export const removeSuppression = route("DELETE /emails/suppressions", {
  access: "admin",
  irreversible: true,
  summary: "Send an address campaigns again",
  query: schemas.suppressionQuery,
  body: schemas.SuppressionBody,
  responses: { 200: Message },
});
