import { route } from "#kit/request/route.ts";
import { closed, described, Message, optional, page, Type } from "#kit/schema/schema.ts";
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
    ...page,
  }),
  responses: { 200: EventWithPeople },
  etag: true,
  refusals: ["NOT_FOUND", "FORBIDDEN"],
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
