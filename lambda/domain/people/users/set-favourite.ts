import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { maySee } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import type { Caller } from "#kit/request/caller.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { personAudit } from "../audited.ts";
import { onceMore } from "../once-more.ts";
import { addFavourite, maxFavourites, readUser, removeFavourite, type UserRecord } from "./store.ts";

const tooMany = () =>
  new ValidationFailed([{ path: "/eventID", message: `is one favourite too many: ${maxFavourites} is the most` }]);

interface Facts {
  readonly user: UserRecord | undefined;
  readonly event: EventRecord | undefined;
}

async function readFacts(email: string, key: EventKey): Promise<Facts> {
  const [user, event] = await Promise.all([readUser(email), readEvent(key)]);
  return { user, event };
}

/** The requested favourite state of one event. */
interface Wish {
  readonly event: EventKey;
  /** Undefined: toggles the current state. */
  readonly wanted: boolean | undefined;
  readonly caller: Caller;
}

/**
 * Decides on the new list of favourites.
 * @throws NotFound ValidationFailed TooOften
 */
function decide({ user, event }: Facts, wish: Wish, context: RequestContext): Decision<readonly string[]> {
  if (!user) throw new NotFound("User");
  const { now } = context;
  const { event: key, wanted, caller } = wish;
  const favourite = `${key.id};${key.year}`;
  const { favEvents } = user;
  const isFavourite = favEvents.includes(favourite);
  const willBe = wanted ?? !isFavourite;
  // A deleted or hidden event can only be removed from the favourites.
  const isVisible = event !== undefined && maySee(event, caller, now);
  if (!isVisible && (willBe || !isFavourite)) throw new NotFound("Event");
  if (willBe === isFavourite) return answer(favEvents);
  if (willBe && favEvents.length >= maxFavourites) throw tooMany();
  const change = { favourite, favoured: onceMore("changeFavourites", user.favoured, now), now };
  const after = willBe ? [...favEvents, favourite] : favEvents.filter((one) => one !== favourite);
  const audited = { email: user.email, before: { favEvents }, after: { favEvents: after } };
  const members = {
    user: willBe ? addFavourite(user, change) : removeFavourite(user, change),
    audit: personAudit(["account", "updated"], audited, context),
  };
  return write(members, after);
}

/** @returns all favourites of the person @throws NotFound ValidationFailed */
export const setFavourite = (email: string, wish: Wish, context: RequestContext): Promise<readonly string[]> =>
  execute(
    {
      read: () => readFacts(email, wish.event),
      decide: (facts: Facts) => decide(facts, wish, context),
    },
    context,
  );
