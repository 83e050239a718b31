import type { EventKey } from "#domain/events/event.ts";
import { leave } from "#domain/registrations/leave.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotAllowed, ValidationFailed } from "#kit/errors.ts";
import * as routes from "./routes.ts";

interface Named {
  readonly eventID?: string;
  readonly year?: number;
}

/**
 * The web application names the event in the body; other clients may use the query.
 * @throws ValidationFailed
 */
function namedEvent(body: Named, query: Named): EventKey {
  const { eventID, year } = { ...query, ...body };
  const names = ["eventID", "year"] as const;
  const missing = names.filter((name) => (body[name] ?? query[name]) === undefined);
  const twice = names.filter((name) => (query[name] ?? body[name]) !== (body[name] ?? query[name]));
  if (eventID !== undefined && year !== undefined && twice.length === 0) return { id: eventID, year };
  throw new ValidationFailed([
    ...missing.map((name) => ({ path: `/${name}`, message: "is required" })),
    ...twice.map((name) => ({ path: `/${name}`, message: "must be the same in body and query" })),
  ]);
}

export const deleteRegistration = api(routes.deleteRegistration, async ({ params, body, query, caller, context }) => {
  if (params.email !== caller.email && !caller.isAdmin)
    throw new NotAllowed("You can delete only your own registration.");
  const by = caller.isAdmin ? ("admin" as const) : ("self" as const);
  const departure = { email: params.email, event: namedEvent(body, query), to: "deleted" as const, by };
  await leave(departure, context);
  return ok({ message: "Registration deleted." });
});
