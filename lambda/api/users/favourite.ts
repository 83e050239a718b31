import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { maySee } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import {
  addFavourite,
  mostFavourites,
  readUser,
  removeFavourite,
  type UserRecord,
} from "#domain/people/users/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { Caller } from "#kit/caller.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { ownOrByAdmin } from "./caller-email.ts";
import * as routes from "./routes.ts";

const tooMany = () =>
  new ValidationFailed([{ path: "/eventID", message: `is one favourite too many: ${mostFavourites} is the most` }]);

interface Facts {
  readonly user: UserRecord | undefined;
  readonly event: EventRecord | undefined;
}

async function readFacts(email: string, key: EventKey): Promise<Facts> {
  const [user, event] = await Promise.all([readUser(email), readEvent(key)]);
  return { user, event };
}

interface Wish {
  /** `<event id>;<year>` */
  readonly favourite: string;
  /** Undefined: the opposite of the present state. */
  readonly wanted: boolean | undefined;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Decides on the new list of favourites.
 * @throws NotFound ValidationFailed
 */
function decide({ user, event }: Facts, { favourite, wanted, caller, now }: Wish): Decision<readonly string[]> {
  if (!user) throw new NotFound("User");
  const { favEvents } = user;
  const isFavourite = favEvents.includes(favourite);
  const willBe = wanted ?? !isFavourite;
  // An event that is gone or hidden can only be taken away from the favourites.
  const isVisible = event !== undefined && maySee(event, caller);
  if (!isVisible && (willBe || !isFavourite)) throw new NotFound("Event");
  if (willBe === isFavourite) return answer(favEvents);
  if (!willBe) {
    const rest = favEvents.filter((one) => one !== favourite);
    return write({ user: removeFavourite(user, favourite, now) }, rest);
  }
  if (favEvents.length >= mostFavourites) throw tooMany();
  return write({ user: addFavourite(user, favourite, now) }, [...favEvents, favourite]);
}

export const setFavourite = api(routes.setFavourite, async ({ params, body, caller, context }) => {
  const email = ownOrByAdmin(params.email, caller, "You can change only your own favourites.");
  const key = { id: body.eventID, year: body.year };
  const wish = { favourite: `${key.id};${key.year}`, wanted: body.isFavourite, caller, now: context.now };
  const favEvents = await execute(
    { depth: "certain", read: () => readFacts(email, key), decide: (facts: Facts) => decide(facts, wish) },
    context,
  );
  return ok({ message: "Favourites updated.", favEvents });
});
