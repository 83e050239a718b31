import { route } from "#kit/request/route.ts";
import { closed, EventId, page, Type, Year } from "#kit/schema/schema.ts";
import { Event, EventChanges, EventCopy, EventWithPeople, eventParams, NewEvent } from "./schemas.ts";

const message = Type.String();
const overCapacityBy = Type.Optional(
  Type.Integer({ minimum: 1, description: "How many seats are allocated beyond the new capacity, or both." }),
);
const refunds = Type.Integer({ minimum: 0, description: "Paid seats for which a refund is requested." });

export const createEvent = route("POST /events", {
  access: "admin",
  summary: "Create an event",
  body: NewEvent,
  responses: { 201: closed({ message, item: Event }) },
  etag: true,
  refusals: ["DUPLICATE"],
});

export const copyEvent = route("POST /events/{eventId}/{year}/copy", {
  access: "admin",
  summary: "A draft of everything but the people, its dates moved to another start",
  params: eventParams,
  body: EventCopy,
  responses: { 201: closed({ message, item: Event }) },
  etag: true,
  refusals: ["NOT_FOUND", "DUPLICATE"],
});

export const listEvents = route("GET /events", {
  access: "caller",
  publicWith: "publicEvents",
  summary: "Events, newest start first; hidden ones for admins only",
  query: closed({ id: Type.Optional(EventId), year: Type.Optional(Year), ...page }),
  responses: { 200: Type.Array(Event) },
});

export const getActiveEvent = route("GET /events/getActiveEvent", {
  access: "public",
  summary: "The visible event that starts next",
  responses: { 200: Event },
  refusals: ["NOT_FOUND"],
});

export const getEvent = route("GET /events/{eventId}/{year}", {
  access: "caller",
  publicWith: "publicEvents",
  summary: "An event, with its counts (`count=true`) and its registrations (`users=true`, admins only)",
  params: eventParams,
  query: closed({
    count: Type.Optional(Type.Boolean({ description: "Adds `counts`." })),
    users: Type.Optional(
      Type.Boolean({ description: "Adds `registrations` with their users, in pages. Admins only." }),
    ),
    ...page,
  }),
  responses: { 200: EventWithPeople },
  etag: true,
  refusals: ["NOT_FOUND", "FORBIDDEN"],
});

export const updateEvent = route("PATCH /events/{eventId}/{year}", {
  access: "admin",
  summary: "Change an event; raising its capacity seats those who wait",
  params: eventParams,
  body: EventChanges,
  fixedByPath: { id: "eventId", year: "year" },
  responses: { 200: closed({ message, item: Event, overCapacityBy }) },
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
    force: Type.Optional(Type.Boolean({ description: "Deletes the event although it has live registrations." })),
    refund: Type.Optional(Type.Literal("none", { description: "Requests no refunds." })),
  }),
  responses: { 200: closed({ message, refunds }) },
  ifMatch: true,
  refusals: ["NOT_FOUND", "EVENT_HAS_REGISTRATIONS"],
});
