import { route } from "#kit/request/route.ts";
import { closed, Type } from "#kit/schema/schema.ts";
import { Form, formParams, NewSubmission, pageQuery, Submissions } from "./schemas.ts";

export const getForm = route("GET /events/{eventId}/{year}/feedback/{formType}", {
  access: "caller",
  summary: "A feedback form of an event: what it asks, and whether it takes answers",
  params: formParams,
  responses: { 200: Form },
  refusals: ["NOT_FOUND"],
});

export const submitFeedback = route("POST /events/{eventId}/{year}/feedback/{formType}", {
  access: "caller",
  summary: "Give feedback; doing it again replaces what the caller said before",
  params: formParams,
  body: NewSubmission,
  responses: { 201: closed({ message: Type.String(), id: Type.String() }) },
  refusals: ["NOT_FOUND", "FEEDBACK_DISABLED", "TOO_OFTEN"],
});

export const getFormByLink = route("GET /links/feedback", {
  access: "link",
  summary: "The feedback form of a mail's link",
  responses: { 200: Form },
});

export const submitFeedbackByLink = route("POST /links/feedback", {
  access: "link",
  summary: "Give feedback by a mail's link, as its person",
  body: NewSubmission,
  responses: { 201: closed({ message: Type.String(), id: Type.String() }) },
  refusals: ["FEEDBACK_DISABLED", "TOO_OFTEN"],
});

export const listSubmissions = route("GET /events/{eventId}/{year}/feedback/{formType}/submissions", {
  access: "admin",
  summary: "What people said, newest first",
  params: formParams,
  query: pageQuery,
  responses: { 200: Submissions },
  refusals: ["NOT_FOUND"],
});
