/** The canonical form of an email, by which one person has one address (`docs/contract.md`, "Conventions"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { formats } from "#kit/schema/formats.ts";
import { canonicalEmail } from "#kit/text/email.ts";

/** A domain of `length` characters: labels of at most 63 characters, then `.co`. */
const longDomain = (length: number): string => `${"d".repeat(63)}.${"d".repeat(63)}.${"d".repeat(length - 131)}.co`;

test.each([
  ...["a@x.example", "o'neil.a+b_c-d@x.example", "!$&'*+=^_`{|}~-@x.example", "1@1.2", "a@sub.x-y.example"],
  ...[`${"a".repeat(64)}@x.example`, `a@${"d".repeat(63)}.example`, `${"a".repeat(64)}@${longDomain(189)}`],
])("%s is an email", (email) => expect(canonicalEmail(email)).toBe(email));

test.each([
  ...["a/b@x.example", "a?b@x.example", "a#b@x.example", "a%b@x.example", "a@b@x.example", "a@localhost"],
  ...[".a@x.example", "a..b@x.example", "a@.example.co", "a@x.example.", "a@-x.example", "a@x_y.example"],
  ...["a@x-.example", "a@[127.0.0.1]", '"a b"@x.example', "a b@x.example", "a@x.example\0"],
  ...["\u00a0a@x.example", "é@x.example", "a@éxample.co", "a＠x.example", "a@\u212a.example"],
  ...["a@x.example\nbcc: b@x.example"],
  // One character too many.
  ...[`${"a".repeat(65)}@x.example`, `a@${"d".repeat(64)}.example`, `${"a".repeat(64)}@${longDomain(190)}`],
])("%j is no email", (text) => expect(canonicalEmail(text)).toBeUndefined());

const email = fc.emailAddress().filter((text) => canonicalEmail(text) !== undefined);
const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\r", "\n"), maxLength: 3 });

test("differently typed spellings of an address are the same email", () => {
  const capitals = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(email, space, space, capitals, (address, before, after, shouted) => {
      const typed = [...address].map((letter) => (shouted.next().value ? letter.toUpperCase() : letter)).join("");
      expect(canonicalEmail(before + typed + after)).toBe(address.toLowerCase());
    }),
  );
});

test("an accepted email is lower-case ASCII without spaces, and as short as mail servers demand", () => {
  const letters = [..."aZ0.-_@+ \tKé\u0130\u017f\u212a＠\n"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 }), email, (noise, address) => {
      for (const text of [noise, `${noise}@x.example`, `a@${noise}.example`, noise + address, address + noise]) {
        const canonical = canonicalEmail(text);
        if (canonical === undefined) continue;
        expect(canonical).toMatch(/^[!-?^-~]{1,64}@[a-z0-9.-]{3,}$/);
        expect(canonical.length).toBeLessThanOrEqual(254);
      }
    }),
    { numRuns: 500 },
  );
});

describe("an email in a query", () => {
  const { check, canonical } = formats["query-email"];

  test("is the same address with a plus sign or with the space that a browser sends for one", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 2, maxLength: 4 }), (parts) => {
        const address = `${parts.join("+")}@x.example`;
        const received = new URLSearchParams(`email=${address}`).get("email") as string;
        expect([check(received), canonical(received)]).toEqual([true, address]);
        const escaped = new URLSearchParams(`email=${encodeURIComponent(address)}`).get("email") as string;
        expect([check(escaped), canonical(escaped)]).toEqual([true, address]);
      }),
    );
  });

  test.each(["a b", "a@b c.example", "", " "])("%j is no email", (text) => expect(check(text)).toBe(false));
});
