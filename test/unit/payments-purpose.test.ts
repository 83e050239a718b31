/** What a request wants to pay for. */
import { describe, expect, test } from "@jest/globals";
import { requestedPurpose } from "#api/payments/requested-purpose.ts";
import type { NewPayment } from "#api/payments/schemas.ts";
import { ValidationFailed } from "#kit/errors.ts";

const ofYear = (year: NewPayment["year"]) => ({ paymentType: "Event", eventID: "gala", year }) as NewPayment;

describe("the year of an event", () => {
  test.each([2030, "2030"])("may be a number or a text: %j", (year) => {
    expect(requestedPurpose(ofYear(year))).toEqual({ kind: "event", event: { id: "gala", year: 2030 } });
  });

  test.each([null, 7, 1899, 2201, "", "7", "2201", "02030", " 2030", "2030.0", "2e03", "0x7E", "٢٠٣٠"])(
    "is not %j",
    (year) => expect(() => requestedPurpose(ofYear(year))).toThrow(ValidationFailed),
  );
});

test("the year of a membership form stays a text", () => {
  const form = { paymentType: "Member", firstName: "Ada", year: "2030" } as NewPayment;
  expect(requestedPurpose(form)).toEqual({ kind: "membership", form: { firstName: "Ada", year: "2030" } });
});
