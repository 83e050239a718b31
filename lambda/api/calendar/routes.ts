import { route } from "#kit/request/route.ts";
import { closed, described, Email, Line, Message, Type } from "#kit/schema/schema.ts";

const calendar = Type.String();
const feed = "c2VhbGVkIGJ5IHRoZSBzdGFnZQ";

export const getCalendar = route("GET /calendar.ics", {
  access: "caller",
  publicWith: "publicEvents",
  summary: "The visible events as a calendar to subscribe to",
  ifNoneMatch: true,
  head: true,
  mediaType: "text/calendar",
  responses: { 200: calendar },
});

export const getOwnCalendar = route("GET /calendar/{feed}", {
  access: "public",
  summary: "A person's registrations, or the visible events, as a calendar at a secret address",
  params: closed({ feed: described(Line(700), "The secret end of the address.", feed) }),
  ifNoneMatch: true,
  head: true,
  mediaType: "text/calendar",
  responses: { 200: calendar },
  refusals: ["NOT_FOUND"],
});

const Address = closed({
  message: Message,
  address: described(Type.String(), "What a calendar program subscribes to.", `/calendar/${feed}.ics`),
});

export const renewClubCalendar = route("POST /calendar", {
  access: "admin",
  summary: "Create the secret address of the visible events, for programs; the former one ends",
  says: { 201: "Calendar created." },
  irreversible: true,
  responses: { 201: Address },
  refusals: ["VALIDATION"],
});

export const renewCalendar = route("POST /users/calendar/{email}", {
  access: "caller",
  owner: { who: "self or admin", of: ["path.email"], foreign: "You can ask only for your own calendar." },
  summary: "Create the secret address of a person's calendar; the former one ends",
  about: ["User"],
  says: { 201: "Calendar created." },
  irreversible: true,
  params: closed({ email: described(Email, "A person's email, or `self`.") }),
  responses: { 201: Address },
  refusals: ["NOT_FOUND"],
});
