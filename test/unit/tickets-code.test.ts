/** The ticket code that a QR code shows (`docs/contract.md`, "Check-in"). */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { ticketCode, ticketIdOf } from "#domain/registrations/tickets/code.ts";
import { newTicketId } from "#domain/registrations/tickets/store.ts";

const key = "a key";

test("a code names its ticket to a reader with the key", () => {
  const ticketId = newTicketId();
  const code = ticketCode(ticketId, key);
  expect(code).toMatch(/^v1\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}$/);
  expect(ticketIdOf(code, key)).toBe(ticketId);
  expect(ticketIdOf(` ${code}\n`, key)).toBe(ticketId);
  expect(ticketIdOf(code, "another key")).toBeUndefined();
});

test("two tickets have different ids and signatures", () => {
  const codes = Array.from({ length: 200 }, () => ticketCode(newTicketId(), key));
  expect(new Set(codes.map((code) => code.split(".")[1])).size).toBe(200);
  expect(new Set(codes.map((code) => code.split(".")[2])).size).toBe(200);
});

test("a code with any other character is forged", () => {
  const ticketId = newTicketId();
  const code = ticketCode(ticketId, key);
  const other = fc.constantFrom(..."ABCxyz019-_.v".split(""));
  fc.assert(
    fc.property(fc.nat(code.length - 1), other, (at, character) => {
      fc.pre(code[at] !== character);
      const named = ticketIdOf(code.slice(0, at) + character + code.slice(at + 1), key);
      // The last of 22 characters carries only two bits, so another character may stand for the same signature.
      expect(named === undefined || (named === ticketId && at === code.length - 1)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each(["", "v1", "v1..", "v2.a.b", "v1.a.b", "https://example.com", "v1.\0.\0", "x".repeat(10_000)])(
  "%j is no code",
  (code) => {
    expect(ticketIdOf(code, key)).toBeUndefined();
  },
);
