/** Prices are sent and stored in dollars and charged in cents (`docs/contract.md`, "Events"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { pricingAnswer } from "#api/events/event-answer.ts";
import { minimumCharges } from "#domain/events/minimum-charges.ts";
import { normalizePricing, type PricingInput, priceFor, pricingIssues } from "#domain/events/pricing.ts";

const free = { member: 0, nonMember: 0 };
const issuesOf = (pricing: PricingInput, before = free, currency = "CAD") => pricingIssues(pricing, before, currency);
const cents = fc.oneof(fc.constant(0), fc.integer({ min: 50, max: 10_000_000 }));

test("every whole number of cents that the provider takes is a valid price and is charged exactly", () => {
  fc.assert(
    fc.property(cents, cents, (member, nonMember) => {
      const pricing = { member: member / 100, nonMember: nonMember / 100 };
      expect(issuesOf(pricing)).toEqual([]);
      expect(priceFor({ pricing }, { isMember: true })).toBe(member);
      expect(priceFor({ pricing }, { isMember: false })).toBe(nonMember);
    }),
  );
});

test("a tenth of a cent is refused", () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 9 }), (whole, tenths) => {
      const issue = { path: "/pricing/nonMember", message: "must have at most two decimals" };
      expect(issuesOf({ member: 1, nonMember: (whole * 10 + tenths) / 1000 })).toEqual([issue]);
    }),
  );
});

describe("a price below the provider's least amount of the currency", () => {
  test.each(Object.entries(minimumCharges))(
    "in %s, below %d, is refused; the least amount and 0 are not",
    (currency, least) => {
      const message = `must be 0 or at least ${(least / 100).toFixed(2)} ${currency}, the least that the payment provider takes`;
      for (const tooSmall of [1, least - 1]) {
        for (const name of ["member", "members", "nonMember", "nonMembers"]) {
          expect(issuesOf({ [name]: tooSmall / 100 }, free, currency)).toEqual([{ path: `/pricing/${name}`, message }]);
        }
      }
      expect(issuesOf({ member: least / 100, nonMember: 0 }, free, currency)).toEqual([]);
    },
  );

  test("that is stored already blocks no other change", () => {
    const before = { member: 0.1, nonMember: 0.333 };
    expect(issuesOf({ member: 0.1, nonMember: 0.333 }, before)).toEqual([]);
    expect(issuesOf({ member: 0.2, nonMember: 5 }, before)).toHaveLength(1);
  });
});

test.each<[PricingInput, number, number]>([
  [{}, 0, 0],
  [{ members: 5 }, 5, 0],
  [{ member: 5, nonMembers: 9 }, 5, 9],
  [{ member: 0, members: 5, nonMember: 0, nonMembers: 9 }, 0, 0],
])("%j is stored as %d for members and %d for others", (sent, member, nonMember) => {
  expect(normalizePricing(sent)).toStrictEqual({ member, nonMember });
});

test("an answer has both spellings, and is stored unchanged when it is sent back", () => {
  const both = { member: 5, members: 5, nonMember: 0, nonMembers: 0 };
  expect(pricingAnswer({ member: 5, nonMember: 0 }, false)).toStrictEqual(both);
  fc.assert(
    fc.property(cents, cents, (member, nonMember) => {
      const pricing = { member, nonMember };
      expect(normalizePricing(pricingAnswer(pricing, false))).toStrictEqual(pricing);
      // The price for others stays when a members-only event is saved as it was read.
      expect(normalizePricing(pricingAnswer(pricing, true), pricing)).toStrictEqual(pricing);
    }),
  );
});
