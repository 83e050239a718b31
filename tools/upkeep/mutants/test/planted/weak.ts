import { expect, test } from "@jest/globals";
import { priceFor } from "./price.ts";

test("never asks what happens without a price", () => {
  expect([priceFor(300, false, 2), priceFor(300, true)]).toEqual([600, 150]);
});

let runs = 0;
test("fails when it is repeated", () => {
  runs += 1;
  expect(runs).toBe(1);
});
