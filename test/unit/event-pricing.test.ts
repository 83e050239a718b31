/** Prices are sent and stored in dollars and charged in cents (`docs/contract.md`, "Events"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { pricingAnswer } from "#api/events/event-answer.ts";
import { isPriced, normalizePricing, type PricingInput, priceFor, pricingIssues } from "#domain/events/pricing.ts";

const cents = fc.integer({ min: 0, max: 10_000_000 });

test("every whole number of cents is a valid price and is charged exactly", () => {
  fc.assert(
    fc.property(cents, cents, (member, nonMember) => {
      const pricing = { member: member / 100, nonMember: nonMember / 100 };
      expect(pricingIssues(pricing)).toEqual([]);
      expect(priceFor({ pricing }, true)).toBe(member);
      expect(priceFor({ pricing }, false)).toBe(nonMember);
    }),
  );
});

test("a tenth of a cent is refused", () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 9 }), (whole, tenths) => {
      const issue = { path: "/pricing/nonMember", message: "must have at most two decimals" };
      expect(pricingIssues({ member: 1, nonMember: (whole * 10 + tenths) / 1000 })).toEqual([issue]);
    }),
  );
});

test("each wrong price is named in the spelling that was sent", () => {
  const issues = pricingIssues({ member: 1.999, members: 2.5, nonMember: 0.29, nonMembers: 0.001 });
  expect(issues.map(({ path }) => path)).toEqual(["/pricing/member", "/pricing/nonMembers"]);
});

test.each<[PricingInput, object]>([
  [{}, { member: 0 }],
  [{ member: 5 }, { member: 5 }],
  [{ members: 5 }, { member: 5 }],
  [{ nonMember: 9 }, { member: 0, nonMember: 9 }],
  [
    { members: 5, nonMembers: 9 },
    { member: 5, nonMember: 9 },
  ],
  [
    { member: 5, nonMembers: 9 },
    { member: 5, nonMember: 9 },
  ],
  [
    { member: 0, members: 5, nonMember: 0, nonMembers: 9 },
    { member: 0, nonMember: 0 },
  ],
])("%j is stored as %j", (sent, stored) => {
  expect(normalizePricing(sent)).toStrictEqual(stored);
});

test("an answer has both spellings, and is stored unchanged when it is sent back", () => {
  expect(pricingAnswer({ member: 5 })).toStrictEqual({ member: 5, members: 5 });
  expect(pricingAnswer({ member: 5, nonMember: 0 })).toStrictEqual({
    member: 5,
    members: 5,
    nonMember: 0,
    nonMembers: 0,
  });
  fc.assert(
    fc.property(cents, fc.option(cents, { nil: undefined }), (member, nonMember) => {
      const pricing = { member, ...(nonMember !== undefined && { nonMember }) };
      expect(normalizePricing(pricingAnswer(pricing))).toStrictEqual(pricing);
    }),
  );
});

describe("the prices for a member and a non-member", () => {
  test.each<[string, Parameters<typeof priceFor>[0], number | "members-only", number | "members-only"]>([
    ["without pricing", {}, 0, 0],
    ["with both prices", { pricing: { member: 5, nonMember: 9.5 } }, 500, 950],
    ["free for all", { pricing: { member: 0, nonMember: 0 } }, 0, 0],
    ["without a price for non-members", { pricing: { member: 5 } }, 500, "members-only"],
    ["closed to non-members, free", { nonBizTechAllowed: false }, 0, "members-only"],
    [
      "closed to non-members, with a price for them",
      { nonBizTechAllowed: false, pricing: { member: 5, nonMember: 9 } },
      500,
      "members-only",
    ],
    [
      "open to non-members without a price for them",
      { nonBizTechAllowed: true, pricing: { member: 5 } },
      500,
      "members-only",
    ],
    ["open to non-members, free", { nonBizTechAllowed: true }, 0, 0],
    ["1.15, which is 114.99999999999999 cents in floating point", { pricing: { member: 1.15 } }, 115, "members-only"],
  ])("of %s", (_, event, forMember, forOther) => {
    expect(priceFor(event, true)).toBe(forMember);
    expect(priceFor(event, false)).toBe(forOther);
  });
});

test.each([
  [undefined, false],
  [{ member: 0 }, false],
  [{ member: 0, nonMember: 0 }, false],
  [{ member: 0.01 }, true],
  [{ member: 0, nonMember: 9 }, true],
])("some people pay for an event priced %j: %s", (pricing, priced) => {
  expect(isPriced({ pricing })).toBe(priced);
});
