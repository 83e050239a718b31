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
