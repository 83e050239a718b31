/** The secret of a mail's link (`docs/contract.md`, "Links"). */
import { expect, jest, test } from "@jest/globals";
import { base32nopad } from "@scure/base";
import fc from "fast-check";
import { linkPurposes, linkSecret, openedLink, sentLink } from "#domain/registrations/links/link.ts";
import { ticketCode, ticketHashOf, ticketIn } from "#domain/registrations/links/ticket-code.ts";
import { emailOf, givenGala } from "./gala.ts";

const key = "a key";
jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => key }));
const { bearerOf } = await import("#domain/registrations/links/by-link.ts");
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

test.each<[string, (gala: ReturnType<typeof givenGala>) => unknown, boolean]>([
  ["as it was", () => undefined, true],
  ["with another ticket", (gala) => gala.remember("ada", { ticketId: "other" }), false],
  ["of an earlier event with this id", (gala) => gala.remember("ada", { generation: "earlier" }), false],
  ["deleted", (gala) => gala.remember("ada", { status: "deleted" }), false],
])("a link opens its registration while the ticket is the same: %s", async (_, happens, opens) => {
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
