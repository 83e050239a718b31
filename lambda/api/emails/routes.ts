import { route } from "#kit/route.ts";
import { closed, Type } from "#kit/schema.ts";
import {
  Accepted,
  Campaign,
  Campaigns,
  campaignParams,
  NamedTemplateChanges,
  NewCampaign,
  NewSuppression,
  NewTemplate,
  Preview,
  PreviewData,
  pageQuery,
  Suppression,
  SuppressionBody,
  suppressionQuery,
  Template,
  TemplateChanges,
  Templates,
  templateParams,
} from "./schemas.ts";

const Message = closed({ message: Type.String() });

export const listTemplates = route({
  method: "GET",
  path: "/emails/templates",
  aliases: ["/emails/templates/"],
  access: "admin",
  summary: "The templates, by name",
  query: pageQuery,
  responses: { 200: Templates },
});

export const createTemplate = route({
  method: "POST",
  path: "/emails/templates",
  aliases: ["/emails/templates/"],
  access: "admin",
  summary: "Create a template; wrong placeholders are refused",
  body: NewTemplate,
  responses: { 201: Message },
  etag: true,
  refusals: ["DUPLICATE"],
});

export const updateTemplate = route({
  method: "PATCH",
  path: "/emails/templates",
  aliases: ["/emails/templates/"],
  access: "admin",
  summary: "Change the template that the body names; campaigns that have begun keep what they say",
  body: TemplateChanges,
  responses: { 200: Message },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const getTemplate = route({
  method: "GET",
  path: "/emails/templates/{templateName}",
  access: "admin",
  summary: "A template with its content",
  params: templateParams,
  responses: { 200: Template },
  etag: true,
  refusals: ["NOT_FOUND"],
});

export const updateNamedTemplate = route({
  method: "PATCH",
  path: "/emails/templates/{templateName}",
  access: "admin",
  summary: "Change a template; campaigns that have begun keep what they say",
  params: templateParams,
  body: NamedTemplateChanges,
  fixedByPath: { templateName: "templateName" },
  responses: { 200: Message },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const deleteTemplate = route({
  method: "DELETE",
  path: "/emails/templates/{templateName}",
  access: "admin",
  summary: "Delete a template; campaigns that have begun keep what they say",
  params: templateParams,
  responses: { 200: Message },
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const previewTemplate = route({
  method: "POST",
  path: "/emails/templates/{templateName}/preview",
  access: "admin",
  summary: "What a template becomes with these values",
  params: templateParams,
  body: PreviewData,
  responses: { 200: Preview },
  refusals: ["NOT_FOUND"],
});

export const sendEmails = route({
  method: "POST",
  path: "/emails/send",
  access: "admin",
  idempotent: true,
  summary: "Send a template to many people, each at most once",
  body: NewCampaign,
  responses: { 202: Accepted },
  refusals: ["NOT_FOUND", "DUPLICATE"],
  details: { DUPLICATE: { campaignId: Type.String() } },
});

export const listCampaigns = route({
  method: "GET",
  path: "/emails/campaigns",
  access: "admin",
  summary: "The campaigns of the last 180 days, newest first",
  query: pageQuery,
  responses: { 200: Campaigns },
});

export const getCampaign = route({
  method: "GET",
  path: "/emails/campaigns/{id}",
  access: "admin",
  summary: "How far a campaign is, and whom it did not reach",
  params: campaignParams,
  responses: { 200: Campaign },
  refusals: ["NOT_FOUND"],
});

export const stopCampaign = route({
  method: "DELETE",
  path: "/emails/campaigns/{id}",
  access: "admin",
  summary: "Stop a campaign: no further mail goes out",
  params: campaignParams,
  responses: { 200: Message },
  refusals: ["NOT_FOUND"],
});

export const listSuppressions = route({
  method: "GET",
  path: "/emails/suppressions",
  access: "admin",
  summary: "Who gets no campaigns",
  query: pageQuery,
  responses: { 200: Type.Array(Suppression) },
});

export const addSuppression = route({
  method: "POST",
  path: "/emails/suppressions",
  access: "admin",
  summary: "Send an address no campaigns any more; it still gets tickets and notices",
  body: NewSuppression,
  responses: { 201: closed({ message: Type.String(), suppression: Suppression }) },
});

export const removeSuppression = route({
  method: "DELETE",
  path: "/emails/suppressions",
  access: "admin",
  summary: "Send an address campaigns again",
  query: suppressionQuery,
  body: SuppressionBody,
  responses: { 200: Message },
});
