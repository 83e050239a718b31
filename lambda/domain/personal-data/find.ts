/**
 * Finds what is stored about a person by queries and keys, without a scan (`docs/contract.md`, "A person's data").
 * `npm run ops -- who` finds the same by reading everything.
 */
import pMap from "p-map";
import { type Shown, shownOf } from "#domain/catalogue/shown.ts";
import { keyOf, storedKindOf } from "#domain/catalogue/stored-kinds.ts";
import { allErasures } from "#domain/people/users/erasures.ts";
import { markOfTicket } from "#domain/registrations/door/door-list.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import { getItems, type Item, type Key, listFromStart } from "#kit/table/table.ts";

/** Campaigns that are read at the same time. */
const campaignsAtOnce = 8;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The places in line, the hold and the scans of a registration. @param key seals ticket codes */
function besideRegistration(item: Item, key: string | undefined): Key[] {
  const registration = registrationIn(item);
  const { email, eventID: id, year, generation, queueKey, holdExpiresAt } = registration;
  const [ms = "", ulid = ""] = queueKey.split("#");
  const held =
    holdExpiresAt === undefined ? [] : [keyOf("hold", { ms: `${holdExpiresAt}`.padStart(13, "0"), id, year, email })];
  return [
    keyOf("place in line", { id, year, ms, ulid }),
    keyOf("place in the partners' line", { id, year, ms, ulid }),
    ...(key === undefined
      ? []
      : [keyOf("scans of a ticket", { id, year, generation, mark: markOfTicket(registration, key) })]),
    ...held,
  ];
}

/** The keys of items elsewhere to which an item of the person leads. */
function leadsTo(item: Item, email: string, key: string | undefined): Key[] {
  const kind = storedKindOf(item);
  if (kind === "registration") return besideRegistration(item, key);
  if (kind === "profile") return [keyOf("profile id", { profile: textOf(item.profileID) })];
  if (kind === "account in the game") {
    return [keyOf("listed game account", { event: item.SK.slice("BTX#".length), email })];
  }
  if (kind === "latest checkout of an event" || kind === "latest checkout of the membership") {
    return [item.id, item.replaces].flatMap((id) => (id ? [keyOf("checkout", { checkout: textOf(id) })] : []));
  }
  return [];
}

/** What the person has paid leads to the settlements, and these to the payments. */
async function paymentsOf(own: readonly Item[], email: string): Promise<Item[]> {
  const paid = own.filter((item) => storedKindOf(item) === "own payment");
  const settlements = await getItems<Item>(
    paid.map(({ paymentId }) => keyOf("settlement", { session: textOf(paymentId) })),
    "eventual",
  );
  const payments = await getItems<Item>(
    settlements.map(({ payment }) => keyOf("payment", { payment: textOf(payment) })),
    "eventual",
  );
  return payments.filter((payment) => payment.email === email);
}

/** Deliveries to the person, and the person's entries among the recipients, of the campaigns that are still kept. */
async function campaignsOf(email: string): Promise<Item[]> {
  const campaigns = await allOf(queryItems<Item>(itemsOf("CMP")));
  const found = await pMap(
    campaigns,
    async ({ SK: id }) => [
      ...(await allOf(queryItems<Item>(itemsOf(`CMP#${id}`)))),
      ...(await getItems<Item>([keyOf("delivery of a campaign", { id, email })], "eventual")),
    ],
    { concurrency: campaignsAtOnce },
  );
  return found.flat();
}

const tradesOf = (email: string) => queryItems<Item>(listFromStart(`TRD#${email}`));

/**
 * The items about a person, but for what `leftOut` names and the messages of the outbox. Some are also about others.
 * @param key seals ticket codes; without it, scans at the door are not found
 */
export async function itemsAbout(email: string, key?: string): Promise<Item[]> {
  const partitions = [`USER#${email}`, `GUEST#${email}`, `SENT#mail#${email}`, `SENT#chat#${email}`];
  const [own, erasures, trades, campaigns] = await Promise.all([
    Promise.all(partitions.map((partition) => allOf(queryItems<Item>(itemsOf(partition))))),
    allOf(queryItems<Item>(allErasures())),
    allOf(tradesOf(email)),
    campaignsOf(email),
  ]);
  const mine = own.flat();
  const others = [keyOf("suppression", { email }), keyOf("lifted suppression", { email })];
  const [payments, elsewhere] = await Promise.all([
    paymentsOf(mine, email),
    getItems<Item>([...others, ...mine.flatMap((item) => leadsTo(item, email, key))], "eventual"),
  ]);
  const erasure = erasures.filter((item) => item.email === email);
  return [...mine, ...erasure, ...trades, ...payments, ...campaigns, ...elsewhere];
}

/** What is stored about a person. @param key seals ticket codes */
export const recordsOf = async (email: string, key: string): Promise<Shown[]> =>
  (await itemsAbout(email, key)).flatMap((item) => shownOf(item, email) ?? []);
