import type { EventKey } from "#domain/events/event.ts";
import { leave } from "#domain/registrations/leave.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotAllowed, ValidationFailed } from "#kit/errors.ts";
import * as routes from "./routes.ts";

/**
 * The web application names the event in the body; other clients may use the query.
 * @throws ValidationFailed
 */
function namedEvent(...places: readonly { eventID?: string; year?: number }[]): EventKey {
  const id = places.find(({ eventID }) => eventID !== undefined)?.eventID;
  const year = places.find((place) => place.year !== undefined)?.year;
  if (id !== undefined && year !== undefined) return { id, year };
  const missing = [id === undefined && "eventID", year === undefined && "year"].filter((name) => name !== false);
  throw new ValidationFailed(missing.map((name) => ({ path: `/${name}`, message: "is required" })));
}

export const deleteRegistration = api(routes.deleteRegistration, async ({ params, body, query, caller, context }) => {
  if (params.email !== caller.email && !caller.isAdmin) throw new NotAllowed();
  const by = caller.isAdmin ? ("admin" as const) : ("self" as const);
  const departure = { email: params.email, event: namedEvent(body, query), to: "deleted" as const, by };
  await leave(departure, context);
  return ok({ message: "Registration deleted." });
});
