import { setFavourite as set } from "#domain/people/users/set-favourite.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { ownOrByAdmin } from "./caller-email.ts";
import * as routes from "./routes.ts";

export const setFavourite = api(routes.setFavourite, async ({ params, body, caller, context }) => {
  const email = ownOrByAdmin(params.email, caller, "You can change only your own favourites.");
  const event = { id: body.eventID, year: body.year };
  const favEvents = await set(email, { event, wanted: body.isFavourite, caller }, context);
  return ok({ message: "Favourites updated.", favEvents });
});
