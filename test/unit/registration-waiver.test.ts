/**
 * A held seat that costs nothing any more is given to the person, on the condition that the price is the one that was
 * read.
 */

import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { systemContext } from "#kit/request/context.ts";
import { MemoryTable, writesOf } from "../model/table.ts";
import "./environment.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { amend } = await import("#domain/registrations/amend/amend.ts");

const email = "ada@unit.example";
const now = 1_800_000_000_000;
const event = { id: "gala", year: 2030 };
const context = { ...systemContext("r", now), actor: email };
let table: MemoryTable;
/** Called between the read and the write. It decides about the answer to the write. */
let meanwhile: ((command: TransactWriteCommand) => void) | undefined;

function givenPrice(member: number, termsVersion: number): void {
  const record = eventRecord({ termsVersion, version: termsVersion, capac: 5, pricing: { member, nonMember: member } });
  table.seed(eventItem(record));
  table.seed(seatsItem(record, { seats: 1, incomplete: 1, accepted: 1 }));
}

function givenHeld(status: "incomplete" | "acceptedPending"): void {
  table.seed(
    registrationItem({
      email,
      status,
      holdExpiresAt: now + 1,
      checkoutLink: "https://pay.example",
      heldWithoutCheckout: now,
    }),
  );
}

beforeEach(() => {
  table = new MemoryTable();
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

const settle = (registrationStatus: string) =>
  amend({ email, event, by: "self", amendment: { registrationStatus } }, context);
const stored = () => registrationIn(table.peek({ PK: `USER#${email}`, SK: "REG#gala#2030" }) as never);

const settlements = [
  ["incomplete", "registered", "FORBIDDEN"],
  ["acceptedPending", "acceptedComplete", "ILLEGAL_TRANSITION"],
] as const;
const moves = settlements.map(([from, to]) => [from, to] as const);

test.each(moves)("%s becomes %s without payment, and link and hold are removed", async (from, to) => {
  givenPrice(0, 1);
  givenHeld(from);
  expect(await settle(to)).toMatchObject({ changed: true });
  expect(stored()).toMatchObject({ status: to, version: 2, noticeVersion: 2 });
  for (const gone of ["holdExpiresAt", "checkoutLink", "heldWithoutCheckout"])
    expect(stored()).not.toHaveProperty(gone);
});

test.each(settlements)("%s stays as it is while it costs something", async (from, to, code) => {
  givenPrice(5, 1);
  givenHeld(from);
  await expect(settle(to)).rejects.toMatchObject({ code });
  expect(stored()).toMatchObject({ status: from, version: 1 });
});

test.each(settlements)("%s stays as it is when it gets a price again before the write", async (from, to, code) => {
  givenPrice(0, 1);
  givenHeld(from);
  meanwhile = () => givenPrice(5, 2);
  await expect(settle(to)).rejects.toMatchObject({ code });
  expect(stored()).toMatchObject({ status: from, version: 1 });
});

test.each(moves)("%s would be given away if the write did not demand the price that was read", async (from, to) => {
  givenPrice(0, 1);
  givenHeld(from);
  meanwhile = (command) => {
    givenPrice(5, 2);
    for (const write of writesOf(command)) {
      if (!write.ConditionExpression?.includes(" AND termsVersion = :termsVersion")) continue;
      write.ConditionExpression = write.ConditionExpression.replace(" AND termsVersion = :termsVersion", "");
      const { ":termsVersion": _, ...values } = write.ExpressionAttributeValues ?? {};
      write.ExpressionAttributeValues = values;
    }
  };
  await settle(to);
  expect(stored()).toMatchObject({ status: to });
});
