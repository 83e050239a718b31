import { route } from "#kit/route.ts";
import { closed, Email, Problem, Type } from "#kit/schema.ts";
import { NewRegistration, Registered, Registration, RegistrationFilters, whichEvent } from "./schemas.ts";

export const register = route({
  method: "POST",
  path: "/registrations",
  aliases: ["/registrations/"],
  access: "caller",
  summary: "Register for an event: a seat while there is one, else a place in line",
  body: NewRegistration,
  responses: { 201: Registered, 400: Problem, 403: Problem, 404: Problem, 409: Problem, 503: Problem },
});

export const listRegistrations = route({
  method: "GET",
  path: "/registrations",
  aliases: ["/registrations/"],
  access: "caller",
  summary: "Registrations; somebody who is not an admin sees their own only",
  query: RegistrationFilters,
  responses: { 200: closed({ size: Type.Integer(), data: Type.Array(Registration) }), 400: Problem },
});

export const deleteRegistration = route({
  method: "DELETE",
  path: "/registrations/{email}",
  access: "caller",
  summary: "Delete one registration; its seat goes to the next in line",
  params: closed({ email: Email }),
  query: closed(whichEvent),
  body: closed(whichEvent),
  responses: { 200: closed({ message: Type.String() }), 400: Problem, 403: Problem, 404: Problem, 503: Problem },
});
