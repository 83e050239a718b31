/** The ticket code that a QR code shows (`docs/contract.md`, "Check-in"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { create } from "qrcode";
import { base32, bytesOfBase32 } from "#domain/registrations/tickets/base32.ts";
import { markOf, newTicketId, ticketCode, ticketIn } from "#domain/registrations/tickets/code.ts";

const key = "a key";
const ticket = { ticketId: newTicketId(), email: "ada.lovelace@student.ubc.ca", eventID: "kickstart", year: 2026 };
const code = ticketCode(ticket, key);
const opened = { mark: markOf(ticket.ticketId), email: ticket.email, eventID: ticket.eventID, year: ticket.year };

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
      expect(ticketIn(sealed, key)).toEqual({ ...rest, mark: markOf(ticketId) });
      expect(ticketCode({ ...one }, key)).toBe(sealed);
      // Another secret drops the codes that are kept, so this one is made anew.
      expect(ticketCode(one, "another key")).not.toBe(sealed);
      expect(ticketCode(one, key)).toBe(sealed);
    }),
  );
  expect(ticketIn(` ${code}\n`, key)).toEqual(opened);
});

test("tickets that differ in one thing have codes without a common beginning", () => {
  const others = [
    { ...ticket, ticketId: newTicketId() },
    { ...ticket, email: "adb.lovelace@student.ubc.ca" },
    { ...ticket, eventID: "kickstaru" },
    { ...ticket, year: 2027 },
  ].map((one) => ticketCode(one, key));
  // Ten letters are fifty bits.
  expect(new Set([code, ...others].map((one) => one.slice(3, 13))).size).toBe(5);
});

test("more tickets than are kept have their own codes", () => {
  const many = Array.from({ length: 5_100 }, (_, n) => ({ ...ticket, ticketId: `ticket ${n}` }));
  const codes = many.map((one) => ticketCode(one, key));
  expect(new Set(codes).size).toBe(many.length);
  expect(many.map((one) => ticketCode(one, key))).toEqual(codes);
});

describe("a code is refused", () => {
  test("with any one bit changed, in every byte", () => {
    const bytes = bytesOfBase32(code.slice(3)) ?? Buffer.alloc(0);
    expect(bytes.length).toBeGreaterThan(60);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect([bit, ticketIn(`V2.${base32(changed)}`, key)]).toEqual([bit, undefined]);
    }
    // The control: the bytes as they were.
    expect(ticketIn(`V2.${base32(bytes)}`, key)).toEqual(opened);
  });

  test("with any other letter, one letter less or one more: a ticket has one code only", () => {
    for (let at = 0; at < code.length; at += 1) {
      for (const letter of "AZ27a.") {
        if (code[at] === letter) continue;
        expect(ticketIn(code.slice(0, at) + letter + code.slice(at + 1), key)).toBeUndefined();
      }
      expect(ticketIn(code.slice(0, at) + code.slice(at + 1), key)).toBeUndefined();
    }
    expect(ticketIn(`${code}A`, key)).toBeUndefined();
  });

  test("when another key has sealed it, such as that of another stage", () => {
    const foreign = ticketCode(ticket, "the key of another stage");
    expect(foreign).not.toBe(code);
    expect(ticketIn(foreign, key)).toBeUndefined();
    expect(ticketIn(code, "the key of another stage")).toBeUndefined();
    expect(ticketIn(foreign, "the key of another stage")).toEqual(opened);
  });

  test("when its parts come from two codes", () => {
    const other = ticketCode({ ...ticket, email: "eve.lovelace@student.ubc.ca" }, key);
    const [mine, theirs] = [code, other].map((one) => bytesOfBase32(one.slice(3)) as Buffer) as [Buffer, Buffer];
    for (let at = 1; at < mine.length; at += 1) {
      const mixed = Buffer.concat([mine.subarray(0, at), theirs.subarray(at)]);
      if (mixed.equals(mine) || mixed.equals(theirs)) continue;
      expect([at, ticketIn(`V2.${base32(mixed)}`, key)]).toEqual([at, undefined]);
    }
  });

  test.each(["", "V2", "V2.", "V2..", "V2.a.b", "V2.AAAA", "V3.AAAA", "v1.a.b", "https://example.com", "V2.\0"])(
    "that is none: %j",
    (text) => {
      expect(ticketIn(text, key)).toBeUndefined();
    },
  );
  test("of random bytes of any length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => ticketIn(`V2.${base32(bytes)}`, key) === undefined),
    );
    expect(ticketIn(`V2.${"A".repeat(100_000)}`, key)).toBeUndefined();
  });
});

test("nothing about the person can be read in a code", () => {
  const bytes = (bytesOfBase32(code.slice(3)) ?? Buffer.alloc(0)).toString("latin1");
  // Shorter parts occur among random letters now and then.
  const parts = ["lovelace", "student", "kickstart"];
  for (const part of parts) {
    expect(bytes.toLowerCase()).not.toContain(part);
    expect(code.toLowerCase()).not.toContain(part);
  }
  // The control: the same look finds them in a text that is not sealed.
  expect(Buffer.from(`${ticket.eventID} ${ticket.email}`).toString("latin1")).toContain("lovelace");
});

test.each([
  ["a usual person", ticket, 109, 37],
  ["a long name", { ...ticket, email: `${"n".repeat(40)}@alumni.student.example`, eventID: "e".repeat(30) }, 200, 49],
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

test("base32 is that of RFC 4648, each text stands for one sequence of bytes", () => {
  // https://www.rfc-editor.org/rfc/rfc4648#section-10
  const vectors = { f: "MY", fo: "MZXQ", foo: "MZXW6", foob: "MZXW6YQ", fooba: "MZXW6YTB", foobar: "MZXW6YTBOI" };
  for (const [bytes, text] of Object.entries(vectors)) expect(base32(Buffer.from(bytes))).toBe(text);
  fc.assert(fc.property(fc.uint8Array(), (bytes) => bytesOfBase32(base32(bytes))?.equals(bytes) === true));
  for (const wrong of ["M", "MZ", "my", "MY=", "M1", "MZX"]) expect(bytesOfBase32(wrong)).toBeUndefined();
});
