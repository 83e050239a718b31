import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { UnknownOutcome } from "#kit/conflict.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { maySee } from "../events/list.ts";
import { readEvent } from "../events/store.ts";
import * as routes from "./routes.ts";
import { addFavourite, mostFavourites, readUser, removeFavourite } from "./store.ts";
import { ownOrByAdmin } from "./whose.ts";

const tooMany = () =>
  new ValidationFailed([{ path: "/eventID", message: `is one favourite too many: ${mostFavourites} is the most` }]);

export const setFavourite = api(routes.setFavourite, async ({ params, body, caller, now }) => {
  const email = ownOrByAdmin(params.email, caller);
  const key = { id: body.eventID, year: body.year };
  const favourite = `${key.id};${key.year}`;
  let wanted = body.isFavourite;
  let isUnsure = false;
  const favEvents = await untilSettled(async () => {
    const [user, event] = await Promise.all([readUser(email), readEvent(key)]);
    if (!user) throw new NotFound("User");
    const index = user.favEvents.indexOf(favourite);
    const isFavourite = index >= 0;
    const wish = wanted ?? !isFavourite;
    if (isUnsure && wish === isFavourite) return user.favEvents;
    // What is no favourite of an event that is gone: only taking one away is left to do with it.
    const isVisible = event !== undefined && maySee(event, caller);
    if (!isVisible && (wish || !isFavourite)) throw new NotFound("Event");
    if (wish === isFavourite) return user.favEvents;
    if (wish && user.favEvents.length >= mostFavourites) throw tooMany();
    const changing = wish ? addFavourite(email, favourite, now) : removeFavourite(email, favourite, index, now);
    const changed = await changing.catch((error) => {
      // It may have been done: toggling what is there by then would take it back.
      if (error instanceof UnknownOutcome) [wanted, isUnsure] = [wish, true];
      throw error;
    });
    return changed?.favEvents ?? again;
  });
  return ok({ message: "Favourites updated.", favEvents });
});
