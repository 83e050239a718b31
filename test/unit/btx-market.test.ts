/** What a share costs and what a trade does, in exact cents (`docs/contract.md`, "Investment game"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  highestBase,
  lowestPrice,
  maxShares,
  type PriceState,
  priceOf,
  quote,
  type Side,
} from "#domain/game/market.ts";
import { inUnits, roundedHalfUp, share } from "#domain/game/money.ts";
import { bumped, seeded, type Worth } from "#domain/game/worth.ts";

const fresh: PriceState = { basePrice: 100, netShares: 0 };
const after = (state: PriceState, change: number): PriceState => ({ ...state, netShares: state.netShares + change });

describe("the contract's examples", () => {
  test("buying 5 of a fresh project moves 1.00 to 1.10, executes at 1.05 and costs 5.36; selling them back pays 5.15", () => {
    const trade = { price: 105, gross: 525 };
    expect(quote("BUY", 5, fresh)).toEqual({ ...trade, change: 5, fee: 11, cashDelta: -536, priceAfter: 110 });
    const sold = quote("SELL", 5, after(fresh, 5));
    expect(sold).toEqual({ ...trade, change: -5, fee: 10, cashDelta: 515, priceAfter: 100 });
  });
});

const state = fc.record({
  basePrice: fc.oneof(fc.integer({ min: lowestPrice, max: 400 }), fc.integer({ min: lowestPrice, max: highestBase })),
  netShares: fc.oneof(fc.nat(50), fc.nat(10_000_000)),
});
const shares = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: maxShares }));

describe("a trade", () => {
  test("is whole cents at the mean of both prices, its fee 2 % to the half cent, at the bounds as well", () => {
    fc.assert(
      fc.property(state, shares, fc.constantFrom<Side>("BUY", "SELL"), (from, count, side) => {
        const at = side === "SELL" ? after(from, count) : from;
        const { price, gross, fee, cashDelta, priceAfter } = quote(side, count, at);
        for (const amount of [price, fee, cashDelta, priceAfter, gross * 102])
          expect(Number.isSafeInteger(amount)).toBe(true);
        expect(price * 2).toBe(priceOf(at) + priceAfter);
        expect(gross).toBe(price * count);
        expect(Math.abs(fee * 100 - gross * 2)).toBeLessThanOrEqual(50);
        expect(cashDelta).toBe(side === "BUY" ? -gross - fee : gross - fee);
        expect(priceAfter).toBeGreaterThanOrEqual(lowestPrice);
      }),
    );
  });
});

const none: Worth = { seed: 0, bumped: 0, basePrice: 100 };
const million = 1_000_000;
const seededTo = (worth: Worth, seed: number) => seeded(worth, seed * million, "/seed");

describe("the base price", () => {
  test.each([
    [0, 100],
    [25, 350],
    [-9, 10],
    [-9.1, 10],
    [0.05, 101],
    [0.049999, 100],
    [-0.05, 100],
    [-0.050001, 99],
  ])("of a seed of %d is 1.00 + 0.1 x seed, to the cent and never below 0.10", (seed, cents) => {
    expect(seeded(none, Math.round(seed * million), "/seed").basePrice).toBe(cents);
  });

  test("returns when the seed returns, also from below the lowest price, after bumps and bad news", () => {
    const high = bumped(none, { type: "DEMO_WINNER" }, "/");
    expect(seededTo(seededTo(high, -500), 0)).toEqual(high);
    expect(seededTo(high, 3).basePrice).toBe(230);
    const low = seededTo(none, -1_000);
    expect(seededTo(bumped(low, { type: "VALIDATION_BAD" }, "/"), 0)).toEqual(none);
  });

  test.each([
    ["KICKOFF_HYPE", 115, 383],
    ["VALIDATION_GOOD", 110, 366],
    ["VALIDATION_BAD", 95, 316],
    ["MVP_SHIPPED", 130, 433],
    ["USER_FEEDBACK_GOOD", 110, 366],
    ["USER_FEEDBACK_BAD", 90, 300],
    ["DEMO_QUALIFIER", 150, 500],
    ["DEMO_WINNER", 200, 666],
  ] as const)("moves by %s from 1.00 to %d and from 3.33 to %d cents", (type, fromOne, fromOther) => {
    expect(bumped(none, { type }, "/")).toEqual({ seed: 0, bumped: fromOne - 100, basePrice: fromOne });
    const other = bumped(none, { type: "ADD", delta: 233 }, "/");
    expect(bumped(other, { type }, "/").basePrice).toBe(fromOther);
  });

  test.each([
    [{ type: "MULTIPLY", multiplier: 12_345 }, 123],
    [{ type: "MULTIPLY", multiplier: 12_350 }, 124],
    [{ type: "MULTIPLY", multiplier: 1 }, 10],
    [{ type: "ADD", delta: 5 }, 105],
    [{ type: "ADD", delta: -90 }, 10],
    [{ type: "ADD", delta: -9_000 }, 10],
  ] as const)("moves by %j from 1.00 to %d cents", (bump, cents) => {
    expect(bumped(none, bump, "/").basePrice).toBe(cents);
  });

  test("never leaves its range: a larger change is refused", () => {
    const high = bumped(none, { type: "ADD", delta: highestBase - 100 }, "/delta");
    expect(high.basePrice).toBe(highestBase);
    expect(() => bumped(high, { type: "KICKOFF_HYPE" }, "/bumpType")).toThrow(/bumpType would take/);
    expect(() => seededTo(high, 1)).toThrow(/seed would take/);
    expect(() => seededTo(none, -1_000_001)).toThrow(/seed would take/);
  });
});

describe("amounts of money", () => {
  test.each([
    [1.15, 2, 115],
    [0.1 + 0.2, 2, 30],
    [100_000.01, 2, 10_000_001],
    [0.000001, 6, 1],
    [-0, 2, 0],
  ])("%d with %d decimals is %d units", (value, decimals, units) => expect(inUnits(value, decimals, "/x")).toBe(units));

  test.each([
    [1.155, 2],
    [100_000.001, 2],
    [0.0000001, 6],
  ])("%d has more than %d decimals", (value, decimals) => {
    expect(() => inUnits(value, decimals, "/x")).toThrow("x must have at most");
  });

  test("are rounded half up, also below zero", () => {
    expect([5, 4, -5, -6, 15, -15].map((tenths) => roundedHalfUp(tenths, 10))).toEqual([1, 0, 0, -1, 2, -1]);
    expect(share(3, 1, 2)).toBe(2);
    expect(share(9_000_000_000_000_000, 99_999, 100_000)).toBe(8_999_910_000_000_000);
  });
});
