import { Registration } from "#api/records/schemas.ts";
import { route } from "#kit/request/route.ts";
import { closed, Email, EventId, Type, Year } from "#kit/schema/schema.ts";
import * as schemas from "./schemas.ts";

const message = Type.String();
/** A row of a bulk answer: its result, or its error. */
const row = {
  email: Type.String(),
  success: Type.Boolean(),
  message: Type.Optional(Type.String({ description: "Why the row failed." })),
  unknown: Type.Optional(Type.Boolean({ description: "`true`: the change of the row may have been made." })),
};

const opensAt = Type.String({ format: "date-time", description: "Registration opens then." });

export const register = route("POST /registrations", {
  aliases: ["/registrations/"],
  access: "caller",
  owner: { who: "self or admin", of: ["body.email"], foreign: "You can register only yourself." },
  idempotent: true,
  summary: "Register for an event: a seat while there is one, else a place in line",
  body: schemas.RegistrationForm,
  responses: { 200: schemas.Registered, 201: schemas.Registered },
  refusals: [
    "NOT_FOUND",
    "FORBIDDEN",
    "MEMBERS_ONLY",
    "DUPLICATE",
    "EVENT_CLOSED",
    "NOT_OPEN_YET",
    "CHOICE_FULL",
    "TOO_OFTEN",
  ],
  details: { DUPLICATE: { registration: Registration }, NOT_OPEN_YET: { opensAt } },
});

export const listRegistrations = route("GET /registrations", {
  aliases: ["/registrations/"],
  access: "caller",
  owner: { who: "self or admin", of: ["query.email"], foreign: { size: 0, data: [] } },
  summary: "Registrations; a caller who is not an admin sees their own only",
  query: schemas.RegistrationFilters,
  responses: { 200: closed({ size: Type.Integer(), data: Type.Array(Registration) }) },
  refusals: ["FORBIDDEN", "NOT_FOUND"],
  csv: true,
});

export const deleteRegistration = route("DELETE /registrations/{email}", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can delete only your own registration." },
  irreversible: true,
  summary: "Delete one registration; its seat goes to the next in line",
  params: closed({ email: Email }),
  query: closed(schemas.whichRegistration),
  body: closed(schemas.whichRegistration),
  fixedByPath: { email: "email", id: "email" },
  responses: { 200: closed({ message: Type.String() }) },
  refusals: ["NOT_FOUND", "FORBIDDEN", "ILLEGAL_TRANSITION", "STATUS_CHANGED"],
  details: { STATUS_CHANGED: { registration: Registration } },
});

export const updateRegistration = route("PUT /registrations/{email}/{fname+}", {
  aliases: ["/registrations/{email}"],
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can change only your own registration." },
  summary: "Change a registration: its state, answers, or points",
  params: closed({ email: Email, fname: Type.Optional(Type.String({ description: "Ignored." })) }),
  body: schemas.RegistrationChanges,
  fixedByPath: { email: "email", id: "email" },
  responses: { 200: schemas.Registered },
  refusals: [
    "NOT_FOUND",
    "FORBIDDEN",
    "MEMBERS_ONLY",
    "DUPLICATE",
    "ILLEGAL_TRANSITION",
    "STATUS_CHANGED",
    "EVENT_CLOSED",
    "NOT_OPEN_YET",
    "EVENT_FULL",
    "CHOICE_FULL",
    "TOO_OFTEN",
  ],
  details: {
    DUPLICATE: { registration: Registration },
    STATUS_CHANGED: { registration: Registration },
    NOT_OPEN_YET: { opensAt },
  },
});

export const massUpdate = route("PUT /registrations/massUpdate", {
  aliases: ["/registrations/"],
  access: "admin",
  summary: "Change up to 500 registrations, each by itself",
  body: schemas.MassUpdate,
  responses: {
    200: closed({ results: Type.Array(closed({ ...row, registrationStatus: Type.Optional(Type.String()) })) }),
  },
});

export const deleteRegistrations = route("DELETE /registrations", {
  access: "admin",
  irreversible: true,
  summary: "Delete up to 500 registrations, each by itself",
  body: schemas.BulkSelection,
  responses: { 200: closed({ message, results: Type.Array(closed(row)) }) },
});

export const checkIn = route("POST /registrations/check-in", {
  access: "admin",
  summary: "Check a person in by the code of the ticket, or by email; a second time changes nothing",
  body: schemas.CheckIn,
  responses: {
    200: closed({
      message,
      registration: Registration,
      alreadyCheckedIn: Type.Boolean(),
      checkedInAt: Type.Integer(),
    }),
  },
  refusals: ["NOT_FOUND", "ILLEGAL_TRANSITION", "WRONG_EVENT"],
});

export const resendTicket = route("POST /registrations/resend-ticket", {
  access: "admin",
  irreversible: true,
  summary: "Send a person the mail about their registration again",
  body: schemas.TicketRequest,
  responses: { 200: closed({ message }) },
  refusals: ["NOT_FOUND", "ILLEGAL_TRANSITION"],
});

export const askAsGuest = route("POST /events/{eventId}/{year}/guests", {
  access: "public",
  owner: { who: "anybody" },
  summary: "Ask for a seat without an account: the answer is a mail with a link to register by",
  params: closed({ eventId: EventId, year: Year }),
  body: schemas.GuestForm,
  responses: { 202: closed({ message }) },
  refusals: ["NOT_FOUND", "FORBIDDEN", "MEMBERS_ONLY", "EVENT_CLOSED", "NOT_OPEN_YET", "TOO_OFTEN"],
  details: { NOT_OPEN_YET: { opensAt } },
});

export const getGuest = route("GET /links/guest", {
  access: "link",
  summary: "The request of a mail's link: its event, and what was entered",
  responses: { 200: schemas.GuestRequest },
  refusals: ["NOT_FOUND", "FORBIDDEN"],
});

export const registerGuest = route("POST /links/guest", {
  access: "link",
  summary: "Register by a mail's link, as everyone does",
  body: schemas.GuestAnswers,
  responses: { 200: schemas.Registered, 201: schemas.Registered },
  refusals: [
    "NOT_FOUND",
    "FORBIDDEN",
    "MEMBERS_ONLY",
    "DUPLICATE",
    "EVENT_CLOSED",
    "NOT_OPEN_YET",
    "CHOICE_FULL",
    "TOO_OFTEN",
  ],
  details: { DUPLICATE: { registration: Registration }, NOT_OPEN_YET: { opensAt } },
});

export const getByLink = route("GET /links/registration", {
  access: "link",
  summary: "The registration of a mail's link, its event, and what can be done with it",
  responses: { 200: schemas.LinkedRegistration },
});

export const changeByLink = route("PUT /links/registration", {
  access: "link",
  summary: "Cancel, accept or confirm the registration of a mail's link, or change its answers",
  body: schemas.ChangesByLink,
  responses: { 200: schemas.LinkedRegistration },
  refusals: ["NOT_FOUND", "ILLEGAL_TRANSITION", "STATUS_CHANGED", "EVENT_CLOSED", "CHOICE_FULL", "TOO_OFTEN"],
  details: { STATUS_CHANGED: { registration: Registration, may: schemas.may } },
});

export const getReport = route("GET /events/{eventId}/{year}/report", {
  access: "admin",
  summary: "An event in numbers: who registered, came and cancelled, feedback and money",
  params: closed({ eventId: EventId, year: Year }),
  responses: { 200: schemas.Report },
  refusals: ["NOT_FOUND"],
});

export const leaderboard = route("GET /registrations/leaderboard", {
  aliases: ["/registrations/leaderboard/"],
  access: "caller",
  summary: "The people with the most points, at an event or over all of them",
  query: schemas.LeaderboardFilters,
  responses: { 200: schemas.Leaderboard },
  refusals: ["NOT_FOUND"],
});
