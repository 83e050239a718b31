import { route } from "#kit/route.ts";
import { closed, Problem, Type } from "#kit/schema.ts";
import { Form, formParams, NewSubmission, pageQuery, Submissions } from "./schemas.ts";

export const getForm = route({
  method: "GET",
  path: "/events/{eventId}/{year}/feedback/{formType}",
  access: "caller",
  summary: "A feedback form of an event: what it asks, and whether it takes answers",
  params: formParams,
  responses: { 200: Form, 400: Problem, 404: Problem },
});

export const submitFeedback = route({
  method: "POST",
  path: "/events/{eventId}/{year}/feedback/{formType}",
  access: "caller",
  summary: "Give feedback; doing it again replaces what the caller said before",
  params: formParams,
  body: NewSubmission,
  responses: {
    201: closed({ message: Type.String(), id: Type.String() }),
    400: Problem,
    403: Problem,
    404: Problem,
  },
});

export const listSubmissions = route({
  method: "GET",
  path: "/events/{eventId}/{year}/feedback/{formType}/submissions",
  access: "admin",
  summary: "What people said, newest first",
  params: formParams,
  query: pageQuery,
  responses: { 200: Submissions, 400: Problem, 403: Problem, 404: Problem },
});
