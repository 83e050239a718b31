import { checkedInStays, registration } from "#api/records/schemas.ts";
import { route } from "#kit/request/route.ts";
import { closed, described, Email, EventId, Message, optional, Type, Year } from "#kit/schema/schema.ts";
import * as schemas from "./schemas.ts";

const isThere = "There is a registration for this person and event already.";
const signIn = "Sign in to register for this event.";
const cannotHandOn = "Seats of this event cannot be handed on.";
const opensAt = described(Type.String({ format: "date-time" }), "Registration opens then.", "2030-02-01T20:00:00.000Z");

/** What a person gets who registers, with an account or by a link. */
const registering = {
  says: {
    200: "The person's registration that still waits for its payment.",
    201: "Registered: a seat, a hold until payment, or a place in line.",
    DUPLICATE: isThere,
  },
  responses: { 200: schemas.Registered, 201: schemas.Registered },
  refusals: [
    "NOT_FOUND",
    "FORBIDDEN",
    "MEMBERS_ONLY",
    "DUPLICATE",
    "EVENT_CLOSED",
    "NOT_OPEN_YET",
    "CHOICE_FULL",
    "CODE_NOT_VALID",
    "CODE_REQUIRED",
    "TOO_OFTEN",
  ],
  details: { DUPLICATE: { registration }, NOT_OPEN_YET: { opensAt } },
} as const;

const byLink = { 200: schemas.RegisteredByLink, 201: schemas.RegisteredByLink };

export const register = route("POST /registrations", {
  aliases: ["/registrations/"],
  access: "caller",
  owner: { who: "self or admin", of: ["body.email"], foreign: "You can register only yourself." },
  idempotent: true,
  summary: "Register for an event: a seat while there is one, else a place in line",
  about: ["Event", "Registration"],
  ...registering,
  body: schemas.RegistrationForm,
});

export const listRegistrations = route("GET /registrations", {
  aliases: ["/registrations/"],
  access: "caller",
  owner: { who: "self or admin", of: ["query.email"], foreign: { size: 0, data: [] } },
  summary: "Registrations; a caller who is not an admin sees their own only",
  about: ["Event"],
  says: { FORBIDDEN: ["Only an admin can ask for format=csv.", "Only an admin can ask for attendance=true."] },
  query: schemas.RegistrationFilters,
  responses: { 200: schemas.registrationList },
  refusals: ["FORBIDDEN", "NOT_FOUND"],
  csv: true,
});

export const deleteRegistration = route("DELETE /registrations/{email}", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can delete only your own registration." },
  irreversible: true,
  summary: "Delete one registration; its seat goes to the next in line",
  about: ["Registration"],
  says: { ILLEGAL_TRANSITION: checkedInStays },
  params: closed({ email: Email }),
  query: closed(schemas.whichRegistration),
  body: closed(schemas.whichRegistration),
  fixedByPath: { email: "email", id: "email" },
  responses: { 200: closed({ message: Message }) },
  refusals: ["NOT_FOUND", "FORBIDDEN", "ILLEGAL_TRANSITION", "STATUS_CHANGED"],
  details: { STATUS_CHANGED: { registration } },
});

export const updateRegistration = route("PUT /registrations/{email}/{fname+}", {
  aliases: ["/registrations/{email}"],
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can change only your own registration." },
  summary: "Change a registration: its state, answers, or points",
  says: { ILLEGAL_TRANSITION: checkedInStays, DUPLICATE: isThere },
  params: closed({ email: Email, fname: optional(Type.String(), "Ignored.", "Ada") }),
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
    "CODE_NOT_VALID",
    "CODE_REQUIRED",
    "TOO_OFTEN",
  ],
  details: {
    DUPLICATE: { registration },
    STATUS_CHANGED: { registration },
    NOT_OPEN_YET: { opensAt },
  },
});

export const offerSeat = route("POST /registrations/{email}/transfer", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can hand on only your own seat." },
  summary: "Offer a confirmed seat to another person, who takes it by a mail's link, or withdraw the offer",
  says: {
    200: "The offer counts until it is accepted, withdrawn, or replaced.",
    FORBIDDEN: cannotHandOn,
    ILLEGAL_TRANSITION: "Only a confirmed seat of which nothing is left to pay can be handed on.",
  },
  params: closed({ email: Email }),
  body: schemas.SeatOffer,
  responses: { 200: schemas.Registered },
  refusals: ["NOT_FOUND", "FORBIDDEN", "ILLEGAL_TRANSITION", "STATUS_CHANGED", "TOO_OFTEN"],
  details: { STATUS_CHANGED: { registration } },
});

export const massUpdate = route("PUT /registrations/massUpdate", {
  aliases: ["/registrations/"],
  access: "admin",
  summary: "Change up to 500 registrations, each by itself",
  says: { 200: "What came of each row, in the order of the request." },
  body: schemas.MassUpdate,
  responses: { 200: schemas.updatedRows },
});

export const deleteRegistrations = route("DELETE /registrations", {
  access: "admin",
  irreversible: true,
  summary: "Delete up to 500 registrations, each by itself",
  says: { 200: "Registrations deleted." },
  body: schemas.BulkSelection,
  responses: { 200: schemas.deletedRows },
});

export const checkIn = route("POST /registrations/check-in", {
  access: "admin",
  summary: "Check a person in by the code of the ticket, or by email, or out again; a second time changes nothing",
  says: {
    200: "Checked in.",
    ILLEGAL_TRANSITION: [
      "This registration is waitlist: it is no confirmed seat.",
      "This ticket was replaced by another one; the registration is registered.",
    ],
  },
  body: schemas.CheckIn,
  responses: { 200: schemas.checkedIn },
  refusals: ["NOT_FOUND", "ILLEGAL_TRANSITION", "WRONG_EVENT"],
});

export const resendTicket = route("POST /registrations/resend-ticket", {
  access: "admin",
  irreversible: true,
  summary: "Send a person the mail about their registration again",
  says: {
    200: "The ticket is on its way.",
    ILLEGAL_TRANSITION: "This registration is cancelled: it has no ticket.",
  },
  body: schemas.TicketRequest,
  responses: { 200: closed({ message: Message }) },
  refusals: ["NOT_FOUND", "ILLEGAL_TRANSITION"],
});

export const askAsGuest = route("POST /events/{eventId}/{year}/guests", {
  access: "public",
  owner: { who: "anybody" },
  summary: "Ask for a seat without an account: the answer is a mail with a link to register by",
  says: { 202: "A mail with the link is on its way.", FORBIDDEN: signIn },
  params: closed({ eventId: EventId, year: Year }),
  body: schemas.GuestForm,
  responses: { 202: closed({ message: Message }) },
  refusals: [
    ...(["NOT_FOUND", "FORBIDDEN", "MEMBERS_ONLY", "EVENT_CLOSED", "NOT_OPEN_YET"] as const),
    ...(["CODE_NOT_VALID", "CODE_REQUIRED", "TOO_OFTEN"] as const),
  ],
  details: { NOT_OPEN_YET: { opensAt } },
});

export const getGuest = route("GET /links/guest", {
  access: "link",
  summary: "The request of a mail's link: its event, and what was entered",
  says: { FORBIDDEN: signIn },
  responses: { 200: schemas.GuestRequest },
  refusals: ["NOT_FOUND", "FORBIDDEN"],
});

export const registerGuest = route("POST /links/guest", {
  access: "link",
  summary: "Register by a mail's link, as everyone does",
  ...registering,
  says: { ...registering.says, FORBIDDEN: signIn },
  body: schemas.GuestAnswers,
  responses: byLink,
});

export const getByLink = route("GET /links/registration", {
  access: "link",
  summary: "The registration of a mail's link, its event, and what can be done with it",
  responses: { 200: schemas.LinkedRegistration },
});

export const changeByLink = route("PUT /links/registration", {
  access: "link",
  summary: "Cancel, accept or confirm the registration of a mail's link, or change its answers",
  says: {
    ILLEGAL_TRANSITION: "Only a person with a confirmed seat can say that they come.",
    FORBIDDEN: cannotHandOn,
  },
  body: schemas.ChangesByLink,
  responses: { 200: schemas.LinkedRegistration },
  refusals: [
    "NOT_FOUND",
    "FORBIDDEN",
    "ILLEGAL_TRANSITION",
    "STATUS_CHANGED",
    "EVENT_CLOSED",
    "CHOICE_FULL",
    "TOO_OFTEN",
  ],
  details: { STATUS_CHANGED: { registration, may: schemas.may } },
});

export const registerAgain = route("POST /links/registration", {
  access: "link",
  idempotent: true,
  summary: "Register again after a cancellation, by the mail's link, which ends",
  ...registering,
  body: schemas.AgainByLink,
  responses: byLink,
  refusals: [...registering.refusals, "STATUS_CHANGED"],
  details: { ...registering.details, STATUS_CHANGED: { registration, may: schemas.may } },
  says: { ...registering.says, FORBIDDEN: signIn },
});

export const sendLinks = route("POST /links", {
  access: "public",
  owner: { who: "anybody" },
  summary:
    "Mail an address the links to its registrations, and to what is stored about it; the answer is the same for all",
  says: { 202: "If something is stored about the address, a mail with links is on its way." },
  body: schemas.LostLinks,
  responses: { 202: closed({ message: Message }) },
  refusals: ["TOO_OFTEN"],
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
  about: ["Event"],
  query: schemas.LeaderboardFilters,
  responses: { 200: schemas.Leaderboard },
  refusals: ["NOT_FOUND"],
});
