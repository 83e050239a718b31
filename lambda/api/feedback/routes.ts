import { route } from "#kit/request/route.ts";
import { Form, formParams, NewSubmission, pageQuery, Submissions, submitted } from "./schemas.ts";

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
  says: { 201: "Thank you for your feedback." },
  params: formParams,
  body: NewSubmission,
  responses: { 201: submitted },
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
  says: { 201: "Thank you for your feedback." },
  body: NewSubmission,
  responses: { 201: submitted },
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
