import { expect, test } from "@jest/globals";
import { priceFor } from "./price.ts";

test.each([
  [undefined, false, undefined, 1_000],
  [0, false, 1, 0],
  [300, false, 2, 600],
  [300, true, 1, 150],
])("%p for a member (%p) and %p people is %p", (asked, isMember, people, price) => {
  expect(priceFor(asked, isMember, people)).toBe(price);
});
