/** Applications that have nothing to pay, of people who ask to pay (`docs/contract.md`, "Payments"). */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { systemContext } from "#kit/request/context.ts";
import { MemoryTable, writesOf } from "../model/table.ts";
import "./environment.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { openCheckout } = await import("#domain/payments/checkout/open-checkout.ts");

const email = "ada@unit.example";
const now = 1_800_000_000_000;
const event = { id: "gala", year: 2030 };
const pages = { successUrl: "https://app.club.example/paid", cancelUrl: "https://app.club.example/" };
/** The address of the provider's page. */
const page = "https://pay.example/1";
let table: MemoryTable;
let sessions: number;
/** Called between the read and the write. */
let meanwhile: ((command: TransactWriteCommand) => void) | undefined;

function givenPrice(nonMember: number, termsVersion = 1): void {
  const record = eventRecord({
    termsVersion,
    version: termsVersion,
    isApplicationBased: true,
    pricing: { member: 0, nonMember },
  });
  table.seed(eventItem(record));
  table.seed(seatsItem(record, { seats: 1, accepted: 1 }));
}

const givenRegistration = (
  status: "accepted" | "acceptedPending" | "acceptedComplete" | "incomplete" | "registered",
  more = {},
) => table.seed(registrationItem({ email, status, applicationBased: true, holdExpiresAt: now + 3_600_000, ...more }));

beforeEach(() => {
  table = new MemoryTable();
  sessions = 0;
  meanwhile = undefined;
  const mock = mockClient(client as never) as unknown as {
    send: { callsFake(fake: (command: unknown) => Promise<object>): void };
  };
  mock.send.callsFake(async (command) => {
    if (command instanceof TransactWriteCommand) {
      const happens = meanwhile;
      meanwhile = undefined;
      happens?.(command);
    }
    return table.execute(command, () => 0);
  });
});

const pay = () => {
  const context = { ...systemContext("r", now), actor: email };
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
const stored = () => table.peek({ PK: `USER#${email}`, SK: "REG#gala#2030" });

describe.each(["accepted", "acceptedPending"] as const)("a free application that is %s", (status) => {
  test("is confirmed at the address for people who have paid, and asking again answers the same", async () => {
    givenPrice(0);
    givenRegistration(status);
    expect(await pay()).toBe(pages.successUrl);
    expect(stored()).toMatchObject({ status: "acceptedComplete", version: 2 });
    expect(stored()).not.toHaveProperty("holdExpiresAt");
    expect(await pay()).toBe(pages.successUrl);
    expect(stored()).toMatchObject({ version: 2 });
    expect(sessions).toBe(0);
  });

  test("of an event that was created again is not found", async () => {
    givenPrice(0);
    givenRegistration(status, { generation: "other" });
    await expect(pay()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("that is asked for ten times at once is confirmed once", async () => {
    givenPrice(0);
    givenRegistration(status);
    expect(new Set(await Promise.all(Array.from({ length: 10 }, pay)))).toEqual(new Set([pages.successUrl]));
    expect(stored()).toMatchObject({ status: "acceptedComplete", version: 2 });
  });
});

test.each([0, 5])(
  "an application to an event for %d dollars that is not decided yet pays nothing now",
  async (price) => {
    givenPrice(price);
    givenRegistration("registered", { applicant: true, holdExpiresAt: undefined });
    expect(await pay()).toBe(pages.successUrl);
    expect(stored()).toMatchObject({ status: "registered", applicant: true, version: 1 });
    expect(sessions).toBe(0);
  },
);

test("a person who was accepted while it cost nothing stays free when the event gets a price", async () => {
  givenPrice(5);
  givenRegistration("accepted");
  expect(await pay()).toBe(pages.successUrl);
  expect(stored()).toMatchObject({ status: "acceptedComplete" });
});

test.each([
  ["acceptedPending with a price", "acceptedPending", 5, page, 1],
  ["incomplete with a price", "incomplete", 5, page, 1],
] as const)("a registration that is %s is paid at the provider", async (_, status, price, url, made) => {
  givenPrice(price);
  givenRegistration(status);
  expect(await pay()).toBe(url);
  expect([sessions, stored()?.status]).toEqual([made, status]);
});

test.each([
  ["incomplete", {}],
  ["acceptedComplete", { paidBy: "cs_0" }],
] as const)("a free registration that is %s has nothing to pay: %j", async (status, more) => {
  givenPrice(0);
  givenRegistration(status, more);
  await expect(pay()).rejects.toMatchObject({ code: "NOTHING_TO_PAY" });
  expect(stored()).toMatchObject({ status, version: 1 });
});

test("an acceptedPending that gets a price before the write is not confirmed, but paid", async () => {
  givenPrice(0);
  givenRegistration("acceptedPending");
  meanwhile = () => givenPrice(5, 2);
  expect(await pay()).toBe(page);
  expect(stored()).toMatchObject({ status: "acceptedPending", checkoutLink: page });
});

test("control: it would be given away if the write did not demand the price that was read", async () => {
  givenPrice(0);
  givenRegistration("acceptedPending");
  meanwhile = (command) => {
    givenPrice(5, 2);
    for (const write of writesOf(command)) {
      if (!write.ConditionExpression?.includes(" AND termsVersion = :termsVersion")) continue;
      write.ConditionExpression = write.ConditionExpression.replace(" AND termsVersion = :termsVersion", "");
      const { ":termsVersion": _, ...values } = write.ExpressionAttributeValues ?? {};
      write.ExpressionAttributeValues = values;
    }
  };
  expect(await pay()).toBe(pages.successUrl);
  expect(stored()).toMatchObject({ status: "acceptedComplete" });
});
