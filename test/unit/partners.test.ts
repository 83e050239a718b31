/** Partners have seats and a line of their own (`docs/contract.md`, "Registrations"). */
import { expect, test } from "@jest/globals";
import { countsAfter } from "../../tools/once/import/write/taken-over.ts";
import { type Gala, givenGala } from "./gala.ts";

const partner = { isPartner: true, basicInformation: { role: "Recruiter" } };
const statusesOf = (gala: Gala, names: string) => [...names].map((name) => gala.registrationOf(name).status);
const seatsOf = (gala: Gala) => {
  const { seats, registered, checkedIn, partnerSeats, partners, partnersCheckedIn } = gala.seats();
  return { seats, registered, checkedIn, partnerSeats, partners, partnersCheckedIn };
};
const none = { seats: 0, registered: 0, checkedIn: 0, partnerSeats: 0, partners: 0, partnersCheckedIn: 0 };

/** One seat of each kind is taken, by a partner p and an attendee a; q and b wait for the next ones. */
async function givenFull(): Promise<Gala> {
  const gala = givenGala({ capac: 1, partnerCapac: 1 });
  for (const name of "pq") await gala.register(name, partner);
  for (const name of "ab") await gala.register(name);
  return gala;
}

test("a partner takes no seat of `capac`, and an attendee none of `partnerCapac`", async () => {
  const gala = await givenFull();
  expect(statusesOf(gala, "pqab")).toEqual(["registered", "waitlist", "registered", "waitlist"]);
  expect(seatsOf(gala)).toEqual({ ...none, seats: 1, registered: 1, partnerSeats: 1, partners: 1 });
});

test("without `partnerCapac` partners have no limit; with 0 each of them waits", async () => {
  const gala = givenGala({ capac: 1 });
  for (const name of "pq") await gala.register(name, partner);
  expect(statusesOf(gala, "pq")).toEqual(["registered", "registered"]);
  const closed = givenGala({ partnerCapac: 0 });
  await closed.register("p", partner);
  expect(statusesOf(closed, "p")).toEqual(["waitlist"]);
});

test.each([
  ["a partner", "p", ["cancelled", "registered", "registered", "waitlist"]],
  ["an attendee", "a", ["registered", "waitlist", "cancelled", "registered"]],
])("the seat of %s goes to the own line", async (_, leaver, expected) => {
  const gala = await givenFull();
  await gala.become(leaver, "cancelled");
  expect(statusesOf(gala, "pqab")).toEqual(expected);
});

test("more seats of one kind go to its own line", async () => {
  const gala = await givenFull();
  gala.change({ partnerCapac: 2 });
  await gala.promote();
  expect(statusesOf(gala, "pqab")).toEqual(["registered", "registered", "registered", "waitlist"]);
});

test("an admin's decision, a check-in and its undoing count among the partners", async () => {
  const gala = givenGala({ capac: 1, partnerCapac: 1, isApplicationBased: true });
  for (const name of "pq") await gala.register(name, partner);
  await gala.become("p", "accepted", "admin");
  await gala.become("p", "checkedIn", "admin");
  expect(seatsOf(gala)).toEqual({ ...none, partnerSeats: 1, partners: 1, partnersCheckedIn: 1 });
  await expect(gala.become("q", "accepted", "admin")).rejects.toMatchObject({ code: "EVENT_FULL" });
  await gala.become("p", "registered", "admin");
  expect(seatsOf(gala)).toEqual({ ...none, partnerSeats: 1, partners: 1 });
});

/** An event of earlier times: the partner p has a seat of `capac`, and the partner q waits for one. */
async function givenEarlier(): Promise<Gala> {
  const gala = givenGala({ capac: 1 });
  for (const name of "pq") await gala.register(name);
  for (const name of "pq") gala.remember(name, { isPartner: true });
  const { partnerSeats, partnersCheckedIn, partnerCapacity, ...seats } = gala.seats();
  gala.table.seed({ ...(seats as object), partners: 1 } as never);
  return gala;
}

test("who registered before partners had seats of their own keeps the seat or place, and the next partner has an own one", async () => {
  const gala = await givenEarlier();
  for (const name of "rs") await gala.register(name, partner);
  expect(statusesOf(gala, "pqrs")).toEqual(["registered", "waitlist", "registered", "registered"]);
  await gala.become("p", "cancelled");
  expect(statusesOf(gala, "pq")).toEqual(["cancelled", "registered"]);
  await gala.become("p", "registered");
  expect(seatsOf(gala)).toMatchObject({ seats: 1, partnerSeats: 3 });
  gala.change({ partnerCapac: 3 });
  await gala.register("t", partner);
  expect(statusesOf(gala, "t")).toEqual(["waitlist"]);
});

test("imported partners take no seat of `capac`, also in seats of earlier times", async () => {
  const gala = await givenEarlier();
  const after = { choices: {}, counters: { partnerSeats: 1, partners: 1 } };
  const counted = countsAfter(gala.seats(), [
    { after, waits: false, pool: "partners" },
    { after: { choices: {}, counters: {} }, waits: true, pool: "partners" },
  ]);
  expect(counted).toMatchObject({ seats: 1, partners: 2, partnerSeats: 1, gate: "queued", partnerGate: "queued" });
});
