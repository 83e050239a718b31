import { route } from "#kit/request/route.ts";
import { closed, described, Line, Message, optional, page, Type } from "#kit/schema/schema.ts";
import * as codes from "./code-schemas.ts";
import { Event, EventChanges, EventCopy, EventWithPeople, eventParams, eventsQuery, NewEvent } from "./schemas.ts";

const overCapacityBy = optional(
  Type.Integer({ minimum: 1 }),
  "How many seats are allocated beyond the new capacity, or both.",
);
const isThere = "There is an event with this id and year already.";
const refunds = described(Type.Integer({ minimum: 0 }), "Paid seats for which a refund is requested.", 2);
const item = described(Event, "The record as it is now.");

export const createEvent = route("POST /events", {
  access: "admin",
  summary: "Create an event",
  says: { DUPLICATE: isThere },
  body: NewEvent,
  responses: { 201: closed({ message: Message, item }) },
  etag: true,
  refusals: ["DUPLICATE"],
});

export const copyEvent = route("POST /events/{eventId}/{year}/copy", {
  access: "admin",
  summary: "A draft of everything but the people, its dates moved to another start",
  says: { DUPLICATE: isThere },
  params: eventParams,
  body: EventCopy,
  responses: { 201: closed({ message: Message, item }) },
  etag: true,
  refusals: ["NOT_FOUND", "DUPLICATE"],
});

export const listEvents = route("GET /events", {
  access: "caller",
  publicWith: "publicEvents",
  summary: "Events, newest start first; hidden ones for admins only",
  query: eventsQuery,
  responses: { 200: Type.Array(Event) },
});

export const getActiveEvent = route("GET /events/getActiveEvent", {
  access: "public",
  summary: "The visible event that starts next",
  says: { NOT_FOUND: "No upcoming event." },
  responses: { 200: Event },
  refusals: ["NOT_FOUND"],
});

export const getEvent = route("GET /events/{eventId}/{year}", {
  access: "caller",
  publicWith: "publicEvents",
  summary: "An event, with its counts (`count=true`) and its registrations (`users=true`, admins only)",
  says: { FORBIDDEN: "Only an admin can ask for users=true." },
  params: eventParams,
  query: closed({
    count: optional(Type.Boolean(), "Adds `counts`."),
    users: optional(Type.Boolean(), "Adds `registrations` with their users, in pages. Admins only."),
    code: optional(Line(60), "Adds `code` with its prices. One for access shows a hidden event.", "SPONSOR-2030"),
    ...page,
  }),
  responses: { 200: EventWithPeople },
  etag: true,
  refusals: ["NOT_FOUND", "FORBIDDEN", "CODE_NOT_VALID", "TOO_OFTEN"],
});

export const updateEvent = route("PATCH /events/{eventId}/{year}", {
  access: "admin",
  summary: "Change an event; raising its capacity seats those who wait",
  says: { EVENT_HAS_REGISTRATIONS: "An event with registrations cannot change whether it takes applications." },
  params: eventParams,
  body: EventChanges,
  fixedByPath: { id: "eventId", year: "year" },
  responses: { 200: closed({ message: Message, item, overCapacityBy }) },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND", "EVENT_HAS_REGISTRATIONS"],
});

export const deleteEvent = route("DELETE /events/{eventId}/{year}", {
  access: "admin",
  irreversible: true,
  summary: "Delete an event; one with live registrations only by `force=true`",
  params: eventParams,
  query: closed({
    force: optional(Type.Boolean(), "Deletes the event although it has live registrations."),
    refund: Type.Optional(Type.Literal("none", { description: "Requests no refunds." })),
  }),
  responses: { 200: closed({ message: Message, refunds }) },
  ifMatch: true,
  refusals: ["NOT_FOUND", "EVENT_HAS_REGISTRATIONS"],
});

const code = described(codes.Code, "The record as it is now.");

export const createCode = route("POST /events/{eventId}/{year}/codes", {
  access: "admin",
  summary: "Give an event a code: a discount, access, or the right to come as a partner",
  says: { DUPLICATE: "This event has this code already." },
  params: eventParams,
  body: codes.NewCode,
  responses: { 201: closed({ message: Message, item: code }) },
  refusals: ["NOT_FOUND", "DUPLICATE"],
});

export const listCodes = route("GET /events/{eventId}/{year}/codes", {
  access: "admin",
  summary: "The codes of an event, and how often each is used",
  params: eventParams,
  query: codes.codesQuery,
  responses: { 200: Type.Array(codes.Code) },
  refusals: ["NOT_FOUND"],
});

export const updateCode = route("PATCH /events/{eventId}/{year}/codes/{codeId}", {
  access: "admin",
  summary: "Change how often and when a code is valid; who has used it keeps what it promised",
  about: ["Event", "Code"],
  params: codes.codeParams,
  body: codes.CodeChanges,
  responses: { 200: closed({ message: Message, item: code }) },
  refusals: ["NOT_FOUND"],
});

export const endCode = route("DELETE /events/{eventId}/{year}/codes/{codeId}", {
  access: "admin",
  irreversible: true,
  summary: "End a code, or remove one without uses",
  about: ["Event", "Code"],
  says: { 200: "Code ended. Who has used it keeps what it promised." },
  params: codes.codeParams,
  responses: { 200: closed({ message: Message, item: Type.Optional(code) }) },
  refusals: ["NOT_FOUND"],
});
