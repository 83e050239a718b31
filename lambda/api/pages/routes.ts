import { route } from "#kit/request/route.ts";
import { closed, EventId, Type, Year } from "#kit/schema/schema.ts";

const document = Type.String();

export const getEventPage = route("GET /event/{eventId}/{year}", {
  access: "public",
  summary: "The page of a visible event; without `publicEvents` a page that asks to sign in",
  params: closed({ eventId: EventId, year: Year }),
  head: true,
  mediaType: "text/html",
  says: { 200: "The page.", 404: "A page without an event: it does not exist, or is hidden." },
  responses: { 200: document, 404: document },
});
