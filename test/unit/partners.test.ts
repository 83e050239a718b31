/** Partners: the seats that they take, and who becomes one (`docs/contract.md`, "Registrations"). */
import { describe, expect, test } from "@jest/globals";
import { systemContext } from "#kit/request/context.ts";
import { countsAfter } from "../../tools/once/import/write/taken-over.ts";
import { type Gala, givenGala } from "./gala.ts";

const { adoptTerms, seatPartners } = await import("#domain/registrations/reactions/adopt-terms.ts");

const partner = { isPartner: true, basicInformation: { role: "Recruiter" } };
const statusesOf = (gala: Gala, names: string) => [...names].map((name) => gala.registrationOf(name).status);
const seatsOf = (gala: Gala) => {
  const { seats, registered, checkedIn, partnerSeats, partners, partnersCheckedIn } = gala.seats();
  return { seats, registered, checkedIn, partnerSeats, partners, partnersCheckedIn };
};
const none = { seats: 0, registered: 0, checkedIn: 0, partnerSeats: 0, partners: 0, partnersCheckedIn: 0 };

/** One seat of each kind is taken, by a partner p and an attendee a; q and b wait for the next ones. */
async function givenFull(fields: object = {}): Promise<Gala> {
  const gala = givenGala({ capac: 1, partnerCapac: 1, ...fields });
  for (const name of "pq") await gala.register(name, partner);
  for (const name of "ab") await gala.register(name);
  return gala;
}

test("with seats of their own, a partner takes none of `capac`, and an attendee none of `partnerCapac`", async () => {
  const gala = await givenFull();
  expect(statusesOf(gala, "pqab")).toEqual(["registered", "waitlist", "registered", "waitlist"]);
  expect(seatsOf(gala)).toEqual({ ...none, seats: 1, registered: 1, partnerSeats: 1, partners: 1 });
});

test("who becomes a partner, or is one no more, offers another seat than the one that was offered", async () => {
  const gala = givenGala({ transfers: 1 });
  const offer = { PK: "OFFERS#gala#2030", SK: "m" };
  await gala.register("a");
  gala.remember("a", { offer: "m" });
  gala.table.seed({ ...offer, mark: "m", isPartner: false });
  await gala.amend("a", { isPartner: false });
  expect([gala.registrationOf("a").offer, gala.table.peek(offer)]).toEqual(["m", expect.anything()]);
  await gala.amend("a", { isPartner: true });
  expect([gala.registrationOf("a").offer, gala.table.peek(offer)]).toEqual([undefined, undefined]);
});

test("without, they take seats and places as everybody does; with a number of 0 each of them waits", async () => {
  const gala = givenGala({ capac: 1 });
  await gala.register("a");
  await gala.register("p", partner);
  await gala.register("b");
  expect(statusesOf(gala, "apb")).toEqual(["registered", "waitlist", "waitlist"]);
  await gala.become("a", "cancelled");
  expect(statusesOf(gala, "apb")).toEqual(["cancelled", "registered", "waitlist"]);
  expect(seatsOf(gala)).toEqual({ ...none, seats: 1, registered: 1, partners: 1 });
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

describe("an executive makes a person a partner, or an attendee", () => {
  test("who has a seat takes a free one of the other kind, and the old one goes to the line", async () => {
    const gala = await givenFull({ partnerCapac: 2 });
    await gala.become("q", "cancelled");
    await gala.amend("a", { isPartner: true });
    expect(statusesOf(gala, "pab")).toEqual(["registered", "registered", "registered"]);
    expect(gala.registrationOf("a")).toMatchObject({ isPartner: true, pool: "partners" });
    expect(seatsOf(gala)).toEqual({ ...none, seats: 1, registered: 1, partnerSeats: 2, partners: 2 });
  });

  test("where none is free, the person waits for one, and the old seat goes to the line", async () => {
    const gala = await givenFull();
    await gala.amend("a", { isPartner: true });
    expect(statusesOf(gala, "pqab")).toEqual(["registered", "waitlist", "waitlist", "registered"]);
    expect(gala.messageOf("a").at(-1)).toMatchObject({
      detailType: "registration.waitlisted",
      detail: { data: { notice: "waitlist" } },
    });
    // By order of arrival, not of the change.
    await gala.become("p", "cancelled");
    expect(statusesOf(gala, "qa")).toEqual(["registered", "waitlist"]);
    await gala.become("q", "cancelled");
    expect(statusesOf(gala, "a")).toEqual(["registered"]);
  });

  test("no partner loses a seat that is paid, held for a payment, or checked in", async () => {
    const gala = await givenFull();
    gala.remember("a", { paidBy: "pay" });
    await expect(gala.amend("a", { isPartner: true })).rejects.toMatchObject({ code: "EVENT_FULL" });
    gala.remember("a", { paidBy: undefined as never });
    await gala.become("a", "checkedIn", "admin");
    await expect(gala.amend("a", { isPartner: true })).rejects.toMatchObject({ code: "EVENT_FULL" });
    expect(statusesOf(gala, "ab")).toEqual(["checkedIn", "waitlist"]);
  });

  test("who waits changes the line, and gets a seat that is free there", async () => {
    const gala = await givenFull({ partnerCapac: 3 });
    await gala.amend("b", { isPartner: true });
    expect(statusesOf(gala, "pqab")).toEqual(Array(4).fill("registered"));
    await gala.amend("p", { isPartner: false });
    expect(statusesOf(gala, "p")).toEqual(["waitlist"]);
    expect(seatsOf(gala)).toEqual({ ...none, seats: 1, registered: 1, partnerSeats: 2, partners: 2 });
  });

  test("where partners have no seats of their own, only label, price and workshop change", async () => {
    const question = (questionId: string) => ({
      ...{ questionId, label: questionId, required: false, choices: ["x"], participantCap: 1 },
      type: "WORKSHOP_SELECTION" as const,
    });
    const gala = givenGala({
      ...{ capac: 1, pricing: { member: 0, nonMember: 10 } },
      ...{ registrationQuestions: [question("w")], partnerRegistrationQuestions: [question("v")] },
    });
    gala.givenMember("a");
    await gala.register("a", { dynamicResponses: { w: "x" } });
    await gala.amend("a", { isPartner: true });
    expect(gala.registrationOf("a")).toMatchObject({ isPartner: true, choices: {}, entryPrice: 1_000 });
    expect(gala.seats()).toMatchObject({ seats: 1, partners: 1, choiceHolders: { w: { x: 0 } } });
    await gala.amend("a", { isPartner: true, dynamicResponses: { v: "x" } });
    expect(gala.seats().choiceHolders).toMatchObject({ w: { x: 0 }, v: { x: 1 } });
  });

  test("is done by itself, and by no other caller; who sends the label back unchanged may", async () => {
    const gala = await givenFull();
    await expect(gala.amend("b", { isPartner: true }, "self/account")).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(gala.amend("b", { isPartner: true }, "self/link")).rejects.toMatchObject({ code: "FORBIDDEN" });
    const both = { isPartner: true, registrationStatus: "cancelled" };
    await expect(gala.amend("a", { ...both, registrationStatus: "checkedIn" })).rejects.toMatchObject({
      code: "VALIDATION",
    });
    expect((await gala.amend("b", { isPartner: false }, "self/account")).registration.status).toBe("waitlist");
  });
});

test.each([
  ["the partner", "self/account"],
  ["an executive", "admin/desk"],
] as const)("a seat of the attendees that a partner has kept stays when %s sends the label back", async (_, origin) => {
  const gala = givenGala({ capac: 2 });
  for (const name of "pq") await gala.register(name, partner);
  gala.change({ partnerCapac: 1 });
  await seatPartners(gala.event(), systemContext("change", gala.now()));
  const [kept = ""] = [..."pq"].filter((name) => gala.registrationOf(name).pool === undefined);
  await gala.amend(kept, { isPartner: true }, origin);
  expect(statusesOf(gala, "pq")).toEqual(["registered", "registered"]);
});

test("an event that gives partners seats of their own moves those who wait or have a seat to them", async () => {
  const gala = givenGala({ capac: 2 });
  for (const name of "pq") await gala.register(name, partner);
  await gala.register("a");
  await gala.register("r", partner);
  await gala.register("b");
  expect(statusesOf(gala, "pqarb")).toEqual(["registered", "registered", "waitlist", "waitlist", "waitlist"]);
  gala.change({ partnerCapac: 1 });
  const context = systemContext("change", gala.now());
  await adoptTerms(gala.event(), context);
  await seatPartners(gala.event(), context);
  await gala.promote();
  // One partner has the partners' seat, the other keeps the one of the attendees; the third waits for the partners' seat.
  expect(statusesOf(gala, "pqarb")).toEqual(["registered", "registered", "registered", "waitlist", "waitlist"]);
  expect(seatsOf(gala)).toEqual({ ...none, seats: 2, registered: 2, partnerSeats: 1, partners: 2 });
  expect(gala.registrationOf("r").pool).toBe("partners");
});

test("imported partners take as many seats of their own", () => {
  const gala = givenGala({ capac: 1, partnerCapac: 1 });
  const counted = countsAfter(gala.seats(), [
    { after: { choices: {}, counters: { partnerSeats: 1, partners: 1 } }, waits: false, pool: "partners" },
    { after: { choices: {}, counters: {} }, waits: true, pool: "partners" },
  ]);
  expect(counted).toMatchObject({ seats: 0, partners: 1, partnerSeats: 1, gate: "direct", partnerGate: "queued" });
});
