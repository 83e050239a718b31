/**
 * Held seats that cost nothing any more, of people who confirm them or ask to pay (`docs/contract.md`, "Moves of a
 * registration" and "Payments"): given on the condition that the price is the one that was read.
 */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { systemContext } from "#kit/request/context.ts";
import { MemoryTable, writesOf } from "../model/table.ts";
import "./environment.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { amend } = await import("#domain/registrations/amend/amend.ts");
const { openCheckout } = await import("#domain/payments/checkout/open-checkout.ts");

const email = "ada@unit.example";
const now = 1_800_000_000_000;
const event = { id: "gala", year: 2030 };
const context = { ...systemContext("r", now), actor: email };
const pages = { successUrl: "https://app.club.example/paid", cancelUrl: "https://app.club.example/" };
/** The address of the provider's page. */
const page = "https://pay.example/1";
let table: MemoryTable;
let sessions: number;
/** Called between the read and the write. */
let meanwhile: ((command: TransactWriteCommand) => void) | undefined;

beforeEach(() => {
  table = new MemoryTable();
  sessions = 0;
  meanwhile = undefined;
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
    if (command instanceof TransactWriteCommand) {
      const happens = meanwhile;
      meanwhile = undefined;
      happens?.(command);
    }
    return table.execute(command, () => 0);
  }) as never);
});

function givenPrice(nonMember: number, termsVersion = 1): void {
  const terms = { termsVersion, version: termsVersion, pricing: { member: 0, nonMember } };
  const record = eventRecord({ ...terms, isApplicationBased: true });
  table.seed(eventItem(record));
  table.seed(seatsItem(record, { seats: 1, incomplete: 1, accepted: 1 }));
}
const given = (status: RegistrationRecord["status"], more: Partial<RegistrationRecord> = {}) =>
  table.seed(registrationItem({ email, status, applicationBased: true, holdExpiresAt: now + 3_600_000, ...more }));
const stored = () => table.peek({ PK: `USER#${email}`, SK: "REG#gala#2030" });

const pay = () => {
  const provider = {
    sessionFor: async () => {
      sessions += 1;
      return { sessionId: "cs_1", url: page };
    },
    end: async () => ({ status: "expired" }),
  };
  const request = { email, isAdmin: false, purpose: { kind: "event", event } as const, ...pages };
  return openCheckout(request, { membership: 1_500, memberships: {}, currency: "CAD" }, provider, context);
};
const put = (registrationStatus: string) =>
  amend({ email, event, by: "self", amendment: { registrationStatus } }, context);

describe.each([
  ["incomplete, and becomes registered", "incomplete", "registered", () => put("registered")],
  ["acceptedPending, and is confirmed", "acceptedPending", "acceptedComplete", () => put("acceptedComplete")],
  ["acceptedPending, and asks to pay", "acceptedPending", "acceptedComplete", pay],
] as const)("a person who is %s", (_, from, to, ask) => {
  test("has the seat without payment, and link and hold are removed", async () => {
    givenPrice(0);
    given(from, { checkoutLink: page, heldWithoutCheckout: now });
    await ask();
    expect(stored()).toMatchObject({ status: to, version: 2 });
    for (const gone of ["holdExpiresAt", "checkoutLink", "heldWithoutCheckout"])
      expect(stored()).not.toHaveProperty(gone);
  });

  test.each([
    ["while it costs something", 5, () => undefined],
    ["when it gets a price before the write", 0, () => givenPrice(5, 2)],
  ])("has to pay %s", async (_name, price, happens) => {
    givenPrice(price);
    given(from);
    meanwhile = happens;
    await ask().catch((error: unknown) =>
      expect((error as { code: string }).code).toBe(from === "incomplete" ? "FORBIDDEN" : "ILLEGAL_TRANSITION"),
    );
    expect(stored()?.status).toBe(from);
    expect(sessions).toBe(ask === pay ? 1 : 0);
  });

  test("control: would get it if the write did not demand the price that was read", async () => {
    givenPrice(0);
    given(from);
    meanwhile = (command) => {
      givenPrice(5, 2);
      for (const write of writesOf(command)) {
        if (!write.ConditionExpression?.includes(" AND termsVersion = :termsVersion")) continue;
        write.ConditionExpression = write.ConditionExpression.replace(" AND termsVersion = :termsVersion", "");
        const { ":termsVersion": _version, ...values } = write.ExpressionAttributeValues ?? {};
        write.ExpressionAttributeValues = values;
      }
    };
    await ask();
    expect(stored()?.status).toBe(to);
  });
});

test.each([
  ["is not decided yet", 5, "registered", { applicant: true, holdExpiresAt: undefined }, "registered"],
  ["was accepted while it cost nothing", 5, "accepted", {}, "acceptedComplete"],
  ["has been confirmed", 0, "acceptedComplete", {}, "acceptedComplete"],
] as const)(
  "an application that %s pays nothing, and is answered as if it had",
  async (_, price, status, more, becomes) => {
    givenPrice(price);
    given(status, more);
    expect(await pay()).toBe(pages.successUrl);
    expect([stored()?.status, sessions]).toEqual([becomes, 0]);
  },
);

test.each([
  ["incomplete", {}],
  ["acceptedComplete", { paidBy: "cs_0" }],
] as const)("a free registration that is %s has nothing to pay: %j", async (status, more) => {
  givenPrice(0);
  given(status, more);
  await expect(pay()).rejects.toMatchObject({ code: "NOTHING_TO_PAY" });
  expect(stored()).toMatchObject({ status, version: 1 });
});
