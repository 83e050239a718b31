/** The registrations of a deleted event are removed. One that cannot be removed does not block the others. */
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { registrationItem } from "./given.ts";

const { client } = await import("#kit/table.ts");
const { handler } = await import("#consumers/remove-event-data.ts");

const people = Array.from({ length: 12 }, (_, n) => `p${n}@unit.example`);
const key = (email: string) => ({ PK: `USER#${email}`, SK: "REG#gala#2030" });
const registration = (email: string) => registrationItem({ email, ticketId: `t-${email}` });

test("a registration that cannot be removed makes the message come again, after all others are removed", async () => {
  const table = new MemoryTable();
  for (const email of people) table.seed(registration(email));
  const mock = mockClient(client as never) as unknown as {
    send: { callsFake(fake: (command: unknown) => Promise<object>): void };
  };
  mock.send.callsFake(async (command) => {
    if (command instanceof QueryCommand && command.input.IndexName) return { Items: people.map(registration) };
    const { input } = command as { input: object };
    if (JSON.stringify(input).includes(`"PK":"USER#${people[0]}"`)) throw new Error("cannot be read");
    return table.execute(command, () => 0);
  });
  const metadata = { id: "01", occurredAt: "2030-01-01T00:00:00.000Z", actor: "exec@club.example", correlationId: "r" };
  const data = { id: "gala", year: 2030, incarnation: "i" };
  const body = JSON.stringify({ "detail-type": "event.deleted", detail: { metadata, data } });
  const answer = await handler({ Records: [{ messageId: "m0", body }] } as never);
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "m0" }] });
  expect(people.map((email) => table.peek(key(email))?.status)).toEqual([
    "registered",
    ...people.slice(1).map(() => "cancelled"),
  ]);
});
