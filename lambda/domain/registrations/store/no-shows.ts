/** Who left seats empty, and so waits behind others at events with `noShowsWait` (`docs/contract.md`, "No-shows"). */
import { type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { getItems, type Item, type Key, put } from "#kit/table/table.ts";
import { auditRow } from "#outbox/audit.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { mayCome } from "../record/registration.ts";
import type { StoredRegistration } from "../record/stored-form.ts";
import { readRegistrationsOf } from "./store.ts";

/** So many no-shows, each within this many milliseconds. */
const most = 3;
const year = 365 * 86_400_000;
/** Milliseconds after the start: devices at the door may still have scans to upload. */
const settled = 86_400_000;

type Seat = Pick<StoredRegistration, "status" | "applicant" | "eventID" | "year" | "generation" | "ofDeletedAccount">;
type PastEvent = Pick<Seats, "generation" | "state" | "startsAt" | "checkedIn" | "partnersCheckedIn">;

/** Whether the registration is a no-show if its event is over: the person has a seat, and did not come. */
const isUnused = (registration: Seat): boolean => mayCome(registration) && !registration.ofDeletedAccount;

/**
 * The no-shows of one person that count: those of the last year at events that checked people in, unless they are forgiven.
 * Pure.
 * @param seatsOf the seats item of a registration's event
 * @param forgivenAt no event that began until then counts, epoch milliseconds
 * @param now epoch milliseconds
 */
export const noShowsOf = (
  registrations: readonly Seat[],
  seatsOf: (registration: Seat) => PastEvent | undefined,
  forgivenAt: number,
  now: number,
): number =>
  registrations.filter(isUnused).filter((registration) => {
    const seats = seatsOf(registration);
    if (seats?.generation !== registration.generation || seats.state === "DELETED") return false;
    // An event that checked no person in does not show who came.
    const isCounted = seats.checkedIn + (seats.partnersCheckedIn ?? 0) > 0;
    return isCounted && seats.startsAt > Math.max(forgivenAt, now - year) && seats.startsAt + settled <= now;
  }).length;

/** Whether a person with so many no-shows waits behind others. */
export const isTooMany = (noShows: number): boolean => noShows >= most;

const forgivenKey = (email: string): Key => keyOf("forgiven no-shows", { email });
const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;
const seatsKeyOf = ({ eventID: id, year }: Seat): Key => seatsKey({ id, year });

/**
 * The no-shows of a person that count: one query, and with `least` seats that may be one, a batch.
 * @param now epoch milliseconds
 */
async function readNoShows(email: string, now: number, least: number): Promise<number> {
  const unused = (await readRegistrationsOf(email)).filter(isUnused);
  if (unused.length < least) return 0;
  const keys = new Map(unused.map(seatsKeyOf).map((key) => [nameOf(key), key]));
  const items = await getItems<Item>([...keys.values(), forgivenKey(email)], "eventual");
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  const { forgivenAt = 0 } = (byName.get(nameOf(forgivenKey(email))) ?? {}) as { readonly forgivenAt?: number };
  return noShowsOf(unused, (one) => byName.get(nameOf(seatsKeyOf(one))) as unknown as Seats, forgivenAt, now);
}

/**
 * Whether the person waits behind others at this event. Costs nothing where the event does not want that.
 * @param now epoch milliseconds
 */
export const waitsBehindOthers = async (
  { noShowsWait = false }: Pick<EventRecord, "noShowsWait">,
  email: string,
  now: number,
): Promise<boolean> => noShowsWait && isTooMany(await readNoShows(email, now, most));

/** Forgives the no-shows of a person until now. Places in line stay as they are. @returns how many counted */
export async function forgive(email: string, context: RequestContext): Promise<number> {
  const { now } = context;
  const noShows = await readNoShows(email, now, 1);
  if (noShows === 0) return 0;
  const members = {
    forgiven: put({ ...forgivenKey(email), email, forgivenAt: now }, "last wins"),
    audit: auditRow({ action: "noShows.forgiven", email }, context),
  };
  await writeOnce(members, context);
  return noShows;
}
