/** Moves whose transactions do not demand everything that was read, on facts that have changed or are outdated. */
import { expect, jest, test } from "@jest/globals";
import { emailOf, givenGala, start } from "./gala.ts";

jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "ticket-key" }));
const { client } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { settle } = await import("#domain/payments/settling/settle-registration.ts");

const workshop = (participantCap: number) => {
  const question = { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false, choices: ["a", "b"] };
  return { registrationQuestions: [{ ...question, participantCap }] } as never;
};

test("people keep their workshop in each later move when its limit is lowered below its holders", async () => {
  const gala = givenGala({ capac: 10, pricing: { member: 5, nonMember: 10 }, ...(workshop(5) as object) });
  for (const name of ["ada", "ben", "cleo"]) await gala.register(name, { dynamicResponses: { w: "a" } });
  gala.change(workshop(1));
  const { queueKey } = gala.registrationOf("ada");
  const money = { amount: 1_000, currency: "CAD" };
  const payment = { email: emailOf("ada"), event: { id: "gala", year: 2030 }, paymentId: "cs_1", money, queueKey };
  expect(await settle(payment, systemContext("r", start))).toBe("seat");
  for (const status of ["registered", "checkedIn"]) await gala.become("ben", status, "admin");
  expect(["ada", "ben"].map((name) => gala.registrationOf(name).status)).toEqual(["registered", "checkedIn"]);
});

test.each([
  ["not a member any more", true, "incomplete"],
  ["a member now", false, "registered"],
])("a person who is %s pays by the present membership, not by an old read", async (_, was, status) => {
  const gala = givenGala({ capac: 5, pricing: { member: 0, nonMember: 20 } });
  gala.givenMember("ada", was);
  gala.givenMember("ada", !was);
  // Seeded twice, so that an old read of the event is the same event.
  gala.change({});
  jest
    .mocked(client.send)
    .mockImplementation((async (command: unknown) => gala.table.execute(command, () => 1)) as never);
  expect((await gala.register("ada")).registration.status).toBe(status);
});

/** The next read finds the event as it was before these changes, and its seats as they are now. */
function givenOldEvent(gala: ReturnType<typeof givenGala>, changes: Parameters<typeof gala.change>[0]): void {
  const key = { PK: "EVENT#gala#2030", SK: "META" };
  const old = gala.table.peek(key);
  gala.change(changes);
  const now = gala.table.peek(key);
  gala.table.seed(old as never);
  jest.mocked(client.send).mockImplementation((async (command: unknown) => {
    const found = gala.table.execute(command, () => 0);
    gala.table.seed(now as never);
    return found;
  }) as never);
}

test("a newcomer of an event that is changed between the reads of event and seats pays its present price", async () => {
  const gala = givenGala({ capac: 5 });
  givenOldEvent(gala, { pricing: { member: 5, nonMember: 20 } });
  expect((await gala.register("ada")).registration.status).toBe("incomplete");
});

test("an answer to a question that has become a workshop between the reads of event and seats is counted", async () => {
  const gala = givenGala({ capac: 5, ...(workshop(5) as object) });
  gala.change({ registrationQuestions: [{ questionId: "w", label: "W", type: "TEXT", required: false, choices: [] }] });
  await gala.register("ada");
  givenOldEvent(gala, workshop(5));
  await gala.amend("ada", { dynamicResponses: { w: "a" } });
  expect(gala.registrationOf("ada").choices).toEqual({ w: "a" });
  expect(gala.seats().choiceHolders).toEqual({ w: { a: 1 } });
});
