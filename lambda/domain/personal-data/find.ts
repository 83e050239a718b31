/**
 * Finds what is stored about a person by queries and keys, without a scan (`docs/contract.md`, "A person's data").
 * `npm run ops -- who` finds the same by reading everything.
 */
import pMap from "p-map";
import { tradesListOf } from "#domain/game/store.ts";
import { checkoutsOf } from "#domain/payments/checkout/store.ts";
import { mailboxCountKeys } from "#domain/people/sign-ups/limits.ts";
import { allErasures } from "#domain/people/users/erasures.ts";
import { termNoteKey } from "#domain/people/users/person-records.ts";
import { holdKey } from "#domain/registrations/holds/store.ts";
import { paymentsHeld } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { offersTo } from "#domain/registrations/store/offers.ts";
import { placeKeysOf } from "#domain/registrations/store/store.ts";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import { getItems, type Item, type Key, listFromStart } from "#kit/table/table.ts";
import { keyOf, partitionOf, storedKindOf, valuesIn } from "#outbox/stored-kinds.ts";
import { type Shown, shownOf } from "./shown.ts";

/** Campaigns that are read at the same time. */
const campaignsAtOnce = 8;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The places in line and the hold of a registration. */
function besideRegistration(item: Item): Key[] {
  const registration = registrationIn(item);
  const { email, eventID: id, year, holdExpiresAt } = registration;
  return [
    ...placeKeysOf(registration),
    ...(holdExpiresAt === undefined ? [] : [holdKey({ email, event: { id, year }, expiresAt: holdExpiresAt })]),
  ];
}

/** The keys of items elsewhere to which an item of the person leads. */
export function leadsTo(item: Item, email: string): Key[] {
  const kind = storedKindOf(item);
  if (kind === "registration") return besideRegistration(item);
  if (kind === "membership" && typeof item.dueAt === "number") return [termNoteKey(email, item.dueAt)];
  if (kind === "profile") return [keyOf("profile id", { profile: textOf(item.profileID) })];
  if (kind === "account in the game") {
    const { event = "" } = valuesIn(kind, item);
    return [keyOf("listed game account", { event, email })];
  }
  if (kind === "signed feedback") {
    const { id = "", year = "", form = "", hash = "" } = valuesIn(kind, item);
    return [keyOf("feedback", { id, year, form, hash })];
  }
  return [];
}

const registrationsIn = (items: readonly Item[]) =>
  items.filter((item) => storedKindOf(item) === "registration").map(registrationIn);

/** What the person has paid, and paid seats that the person has or had from others, lead to the settlements, and these to the payments. */
export async function paymentsOf(own: readonly Item[], email: string): Promise<Item[]> {
  const paid = own.filter((item) => storedKindOf(item) === "own payment").map(({ paymentId }) => textOf(paymentId));
  const held = registrationsIn(own).flatMap(paymentsHeld);
  const settlements = await getItems<Item>(
    [...paid, ...held].map((session) => keyOf("settlement", { session })),
    "eventual",
  );
  const payments = await getItems<Item>(
    settlements.map(({ payment }) => keyOf("payment", { payment: textOf(payment) })),
    "eventual",
  );
  return payments.filter((payment) => payment.email === email || payment.holder === email);
}

/** Deliveries to the person, and the person's entries among the recipients, of the campaigns that are still kept. */
async function campaignsOf(email: string): Promise<Item[]> {
  const campaigns = await allOf(queryItems<Item>(itemsOf(partitionOf("campaign", {}))));
  const found = await pMap(
    campaigns,
    async ({ SK: id }) => [
      ...(await allOf(queryItems<Item>(itemsOf(partitionOf("batch of a campaign", { id }))))),
      ...(await getItems<Item>([keyOf("delivery of a campaign", { id, email })], "eventual")),
    ],
    { concurrency: campaignsAtOnce },
  );
  return found.flat();
}

/** The person's items in lists of the index. */
export const listsOf = (email: string) => [
  ...[tradesListOf(email), checkoutsOf(email)].map((list) => listFromStart(list)),
  offersTo(email),
];

/** The scans of all tickets that the person has had for the events of the registrations. */
export async function scansOf(own: readonly Item[], email: string): Promise<Item[]> {
  const partitions = registrationsIn(own).map(({ eventID: id, year, generation }) =>
    partitionOf("scans of a ticket", { id, year, generation }),
  );
  const scans = await Promise.all(partitions.map((partition) => allOf(queryItems<Item>(itemsOf(partition)))));
  return scans.flat().filter((item) => item.email === email);
}

/** The offers of a person who has offered a seat, or handed one on. Those to the person are in a list. */
export async function offersBy(own: readonly Item[], email: string): Promise<Item[]> {
  const givers = registrationsIn(own).filter(({ offer, gave }) => offer !== undefined || gave);
  const partitions = givers.map(({ eventID: id, year }) => partitionOf("offer of a seat", { id, year }));
  const offers = await Promise.all(partitions.map((partition) => allOf(queryItems<Item>(itemsOf(partition)))));
  return offers.flat().filter(({ by }) => by === email);
}

/**
 * The items that end with a person, or get another name: all about the person but those that an erasure leaves alone.
 * @param now epoch milliseconds
 */
export async function ownItems(email: string, now: number): Promise<Item[]> {
  const partitions = [
    partitionOf("account", { email }),
    partitionOf("request of a guest", { email }),
    ...["mail", "chat"].map((channel) => partitionOf("marker of a notice", { channel, email })),
  ];
  const [own, listed] = await Promise.all([
    Promise.all(partitions.map((partition) => allOf(queryItems<Item>(itemsOf(partition))))),
    Promise.all(listsOf(email).map((list) => allOf(queryItems<Item>(list)))),
  ]);
  const mine = own.flat();
  const [payments, scans, offers, elsewhere] = await Promise.all([
    paymentsOf(mine, email),
    scansOf(mine, email),
    offersBy(mine, email),
    getItems<Item>([...mailboxCountKeys(email, now), ...mine.flatMap((item) => leadsTo(item, email))], "eventual"),
  ]);
  return [...mine, ...listed.flat(), ...payments, ...scans, ...offers, ...elsewhere];
}

/**
 * The items about a person, but for what `leftOut` names and the messages of the outbox. Some are also about others.
 * @param now epoch milliseconds
 */
export async function itemsAbout(email: string, now: number): Promise<Item[]> {
  const suppressions = [keyOf("suppression", { email }), keyOf("lifted suppression", { email })];
  const [own, erasures, campaigns, suppressed] = await Promise.all([
    ownItems(email, now),
    allOf(queryItems<Item>(allErasures())),
    campaignsOf(email),
    getItems<Item>(suppressions, "eventual"),
  ]);
  return [...own, ...erasures.filter((item) => item.email === email), ...campaigns, ...suppressed];
}

/** What is stored about a person. @param now epoch milliseconds */
export const recordsOf = async (email: string, now: number): Promise<Shown[]> =>
  (await itemsAbout(email, now)).flatMap((item) => shownOf(item, email) ?? []);
