/** The ticket code that a QR code shows (`docs/contract.md`, "Check-in"). */
import { describe, expect, test } from "@jest/globals";
import { base32nopad } from "@scure/base";
import fc from "fast-check";
import { create } from "qrcode";
import { newTicketId, ticketCode, ticketHashOf, ticketIn } from "#domain/registrations/links/ticket-code.ts";

const key = "a key";
const ticket = { ticketId: newTicketId(), email: "ada.lovelace@student.ubc.ca", eventID: "kickstart", year: 2026 };
const code = ticketCode(ticket, key);
const opened = {
  ticketHash: ticketHashOf(ticket.ticketId),
  email: ticket.email,
  eventID: ticket.eventID,
  year: ticket.year,
};

const emails = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,60}@[a-z0-9]{1,60}\.[a-z]{2,60}$/);
const tickets = fc.record({
  ticketId: fc.string({ minLength: 1 }),
  email: emails,
  eventID: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
  year: fc.integer({ min: 1900, max: 2200 }),
});

test("a code names its registration and ticket to a reader with the key, and is the same each time", () => {
  fc.assert(
    fc.property(tickets, (one) => {
      const { ticketId, ...rest } = one;
      const sealed = ticketCode(one, key);
      expect(ticketIn(sealed, key)).toEqual({ ...rest, ticketHash: ticketHashOf(ticketId) });
      expect(ticketCode({ ...one }, key)).toBe(sealed);
      // Another secret drops the codes that are kept, so this one is made anew.
      expect(ticketCode(one, "another key")).not.toBe(sealed);
      expect(ticketCode(one, key)).toBe(sealed);
    }),
  );
  expect(ticketIn(` ${code}\n`, key)).toEqual(opened);
});

test("a code that people have in their mails opens with every later build", () => {
  const mailed =
    "V2.URNZEFOUUQRHSDCR2QPVRBNW522T4ZBOJBYYFSQSDEA7M6M2DQMJ75UQSGXFOZWZ72W7ILFFCJVRIY2NRRIBEZ4Y7BTTWKQQUGPWXDKOXA";
  const { ticketId, ...rest } = {
    ticketId: "ZmlndXJlcy1vZi1hLXRpY2tldA",
    email: "ada.lovelace@student.example",
    eventID: "kickstart",
    year: 2026,
  };
  expect(ticketIn(mailed, key)).toEqual({ ...rest, ticketHash: ticketHashOf(ticketId) });
});

describe("a code is refused", () => {
  test("with any one bit changed, in every byte", () => {
    const bytes = base32nopad.decode(code.slice(3));
    expect(bytes.length).toBeGreaterThan(60);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect([bit, ticketIn(`V2.${base32nopad.encode(changed)}`, key)]).toEqual([bit, undefined]);
    }
    // The control: the bytes as they were.
    expect(ticketIn(`V2.${base32nopad.encode(bytes)}`, key)).toEqual(opened);
  });

  test("when another key has sealed it, such as that of another stage", () => {
    const foreign = ticketCode(ticket, "the key of another stage");
    expect(foreign).not.toBe(code);
    expect(ticketIn(foreign, key)).toBeUndefined();
    expect(ticketIn(code, "the key of another stage")).toBeUndefined();
    expect(ticketIn(foreign, "the key of another stage")).toEqual(opened);
  });

  test.each(["", "V2.", "V2.AAAA", "V3.AAAA", "https://example.com", "V2.\0"])("that is none: %j", (text) => {
    expect(ticketIn(text, key)).toBeUndefined();
  });
});

test.each([
  ["a usual person", ticket, 109, 37],
  [
    "the longest there is",
    { ...ticket, email: `${"n".repeat(64)}@${"d".repeat(185)}.com`, eventID: "e".repeat(64) },
    560,
    81,
  ],
])("the code of %s is short enough for a phone", (_, one, letters, modules) => {
  const text = ticketCode(one as typeof ticket, key);
  expect(text.length).toBeLessThanOrEqual(letters);
  expect(create(text, { errorCorrectionLevel: "M" }).modules.size).toBeLessThanOrEqual(modules);
});
