/** The secret of a mail's link (`docs/contract.md`, "Links"). */
import { describe, expect, test } from "@jest/globals";
import { base32nopad } from "@scure/base";
import fc from "fast-check";
import type { EventRecord } from "#domain/events/event.ts";
import { newSeats } from "#domain/events/seat-settings.ts";
import { termsOf } from "#domain/registrations/form/eligibility.ts";
import { linkPurposes, linkSecret, openedLink, sentLink } from "#domain/registrations/links/link.ts";
import { ticketCode, ticketHashOf, ticketIn } from "#domain/registrations/links/ticket-code.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { emailOf, givenGala } from "./gala.ts";
import { eventRecord, registrationRecord } from "./given.ts";
import { ticketSecret as key } from "./ticket-secret.ts";

const { bearerOf, possibleByLink } = await import("#domain/registrations/links/by-link.ts");
const { registerAgainByLink } = await import("#domain/registrations/register/again.ts");
const { systemContext } = await import("#kit/request/context.ts");

const ticket = { ticketId: "ZmlndXJlcy1vZi1hLXRpY2tldA", email: "ada@student.example", eventID: "gala", year: 2030 };
const event = { startDate: "2030-05-01T18:00:00Z", endDate: "2030-05-01T22:00:00Z" };
const sent = Date.parse("2030-04-01T12:00:00Z");
const secret = linkSecret("registration", ticket, event, key, sent);
const { ticketId, ...named } = ticket;
const opened = { ...named, ticketHash: ticketHashOf(ticketId), purpose: "registration" };

test.each(linkPurposes)("a link for %s names its ticket, and ends sixty days after the event", (purpose) => {
  const link = openedLink(linkSecret(purpose, ticket, event, key, sent), key);
  expect(link).toEqual({ ...opened, purpose, until: Date.parse("2030-07-01T00:00:00Z") });
});

test("a link to an event without a date, or sent after its event, has an end, too", () => {
  const without = openedLink(linkSecret("registration", ticket, {}, key, sent), key);
  expect(without?.until).toBe(Date.parse("2031-05-07T00:00:00Z"));
  const late = openedLink(linkSecret("registration", ticket, event, key, Date.parse("2031-01-01T12:00:00Z")), key);
  expect(late?.until).toBe(Date.parse("2031-01-02T00:00:00Z"));
});

test.each([
  [`Link ${secret}`, secret],
  [` lINK ${secret} `, secret],
  [`Door ${secret}`, ""],
  [`Link ${secret} more`, ""],
  [undefined, ""],
])("the header %j carries the secret %j", (header, sent) => expect(sentLink(header)).toBe(sent));

test("a link that people have in their mails opens with every later build", () => {
  const mailed = "L1.WOOP3MRDWMUWQYYA5QJTZWCANRW2EQ7TI6Q4QQBOSLVM6ZVCNYKI5TXX6THRHSHBJ77NFL6VB4HUYGZHJZVJ5G7U";
  expect(openedLink(mailed, key)).toMatchObject(opened);
});

test("a changed bit, another key, a ticket's code and guesses open nothing", () => {
  const bytes = base32nopad.decode(secret.slice(3));
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    expect([bit, openedLink(`L1.${base32nopad.encode(changed)}`, key)]).toEqual([bit, undefined]);
  }
  expect(openedLink(secret, "another key")).toBeUndefined();
  expect(openedLink(ticketCode(ticket, key).replace("V2.", "L1."), key)).toBeUndefined();
  expect(ticketIn(secret.replace("L1.", "V2."), key)).toBeUndefined();
  const guesses = fc.oneof(
    fc.string(),
    fc.uint8Array({ maxLength: 120 }).map((one) => `L1.${base32nopad.encode(one)}`),
  );
  fc.assert(fc.property(guesses, (guess) => openedLink(guess, key) === undefined));
  // The control: the link as it was.
  expect(openedLink(secret, key)).toMatchObject(opened);
});

const happenings: [string, (gala: ReturnType<typeof givenGala>) => unknown, boolean][] = [
  ["as it was", () => undefined, true],
  ["with another ticket", (gala) => gala.remember("ada", { ticketId: "other" }), false],
  ["of an earlier event with this id", (gala) => gala.remember("ada", { generation: "earlier" }), false],
  ["deleted", (gala) => gala.remember("ada", { status: "deleted" }), false],
];

test.each(happenings)("a link opens its registration while the ticket is the same: %s", async (_, happens, opens) => {
  const gala = givenGala();
  await gala.register("ada");
  const { ticketId } = gala.registrationOf("ada");
  const link = linkSecret("registration", { ...ticket, email: emailOf("ada"), ticketId }, event, key, sent);
  happens(gala);
  const found = bearerOf("registration")(`Link ${link}`, systemContext("r", sent)).catch(({ message }) => message);
  expect(await found).toEqual(
    opens ? expect.objectContaining({ event: gala.event() }) : "This link is not valid (any more).",
  );
});

test.each(happenings)(
  "it registers again what it has opened, and no other registration: %s",
  async (_, happens, does) => {
    const gala = givenGala();
    await gala.register("ada");
    await gala.become("ada", "cancelled");
    const registration = gala.registrationOf("ada");
    happens(gala);
    const linked = { registration, hasAccount: true };
    const again = registerAgainByLink(linked, {}, "nobody", { ...systemContext("r", gala.now()), actor: "link" });
    const status = again.then(({ registration: { status } }) => status).catch(({ message }) => message);
    expect(await status).toBe(does ? "registered" : "This link is not valid (any more).");
  },
);

test("registering again ends the link that it was asked by", async () => {
  const gala = givenGala();
  await gala.register("ada");
  await gala.become("ada", "cancelled");
  const registration = gala.registrationOf("ada");
  const link = linkSecret("registration", registration, event, key, sent);
  const open = () => bearerOf("registration")(`Link ${link}`, systemContext("r", sent));
  expect((await open()).registration.status).toBe("cancelled");
  await gala.register("ada");
  await expect(open()).rejects.toThrow("This link is not valid (any more).");
});

describe("a link offers", () => {
  const now = Date.parse("2030-04-01T12:00:00Z");
  const priced = { pricing: { member: 0, nonMember: 10 } };
  /** What is offered at an event in a month. */
  const offered = (changes: Partial<RegistrationRecord>, about: Partial<EventRecord> = {}, isMember = false) => {
    const shown = eventRecord({ startDate: "2030-05-01T18:00:00Z", ...about });
    const registration = registrationRecord({ coming: 1, ...changes });
    const terms = termsOf(shown, { isMember, isPartner: false }, registration);
    const seats = newSeats(shown, false);
    return possibleByLink({ registration, event: shown, seats, terms, isMember, hasAccount: false }, "everyone", now);
  };
  const unpaid = { status: "incomplete", holdExpiresAt: now + 1 } as const;

  test.each<[string, readonly string[], ...Parameters<typeof offered>]>([
    ["to pay while the seat is held", ["cancel", "pay"], unpaid, priced],
    ["no payment at the hold's end", ["cancel"], { ...unpaid, holdExpiresAt: now }, priced],
    ["no payment without a hold", ["cancel"], { status: "incomplete" }, priced],
    [
      "to pay for an accepted seat",
      ["cancel", "pay"],
      { ...unpaid, status: "acceptedPending" },
      { ...priced, isApplicationBased: true },
    ],
    [
      "an accepted person whom it costs nothing to confirm",
      ["cancel", "accept"],
      { ...unpaid, status: "acceptedPending" },
      { ...priced, isApplicationBased: true },
      true,
    ],
    ["no payment to a member who goes free", ["cancel"], unpaid, priced, true],
    ["no payment of what is paid", ["cancel"], { status: "registered", paidBy: "cs_1" }, priced],
    ["no payment to a person in line", ["cancel"], { status: "waitlist" }, priced],
    ["to register again after cancelling", ["again"], { status: "cancelled" }],
    ["no more after the deadline", [], { status: "cancelled" }, { deadline: "2030-04-01T12:00:00Z" }],
    ["nothing after a rejection", [], { status: "rejected" }],
    ["no more of a hidden event", [], { status: "cancelled" }, { isPublished: false }],
    ["no second seat", ["cancel"], { status: "registered" }],
  ])("%s", (_, expected, ...situation) => expect(offered(...situation)).toEqual(expected));
});
