/** A person's favourites, while another request of the person changes them (`docs/contract.md`, "Users"). */
import { expect, test } from "@jest/globals";
import { eventItem } from "./given.ts";
import { caller, get, refusedBy, sent, table, transactWrite } from "./mocked-table.ts";

const { handler } = await import("#api/users/index.ts");

test("a toggle removes the favourite that another request has added between its read and its write", async () => {
  const email = "ada@unit.example";
  const user = { PK: `USER#${email}`, SK: "USER", email, isMember: false, favEvents: [], createdAt: 1, updatedAt: 1 };
  const added = { ...user, favEvents: ["gala;2030"] };
  const event = eventItem();
  table.on(get, { Key: { PK: event.PK, SK: event.SK } } as never).resolves({ Item: event } as never);
  table
    .on(get, { Key: { PK: user.PK, SK: user.SK } } as never)
    .resolvesOnce({ Item: user } as never)
    .resolves({ Item: added } as never);
  table
    .on(transactWrite)
    .rejectsOnce(refusedBy(added) as never)
    .resolves({} as never);
  const request = { as: email, params: { email: "self" }, body: { eventID: "gala", year: 2030 } };
  const { status, body } = await caller(handler)("PATCH /users/favEvent/{email}", request);
  expect({ status, favEvents: body.favEvents }).toEqual({ status: 200, favEvents: [] });
  const [adds, removes] = sent.transactions().map(({ TransactItems }) => TransactItems?.[0]?.Update);
  expect(adds?.ConditionExpression).toContain("NOT contains(favEvents, :favourite)");
  expect(removes?.UpdateExpression).toContain("REMOVE favEvents[0]");
});
