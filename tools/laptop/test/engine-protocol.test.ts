/** Requests that are no requests of DynamoDB, and those without a right. */
import { expect, test } from "@jest/globals";
import { givenTable } from "./engine/given.ts";
import { errorName, outcomeOf } from "./engine/protocol-client.ts";

test.each([
  ["DynamoDB_20120810.GetItem", "{not json", "SerializationException"],
  ["DynamoDB_20120810.GetItem", "[]", "SerializationException"],
  ["DynamoDB_20120810.GetItem", "", "SerializationException"],
  ["DynamoDB_20120810.DropTable", "{}", "UnknownOperationException"],
  ["nothing", "{}", "UnknownOperationException"],
  ["DynamoDB_20120810.toString", "{}", "UnknownOperationException"],
])("%s of %j gets DynamoDB's error", async (target, text, error) => {
  const table = await givenTable();
  const reply = await table.send(target, text);
  expect([reply.status, reply.contentType, errorName(reply)]).toEqual([400, "application/x-amz-json-1.0", error]);
});

test("a request without its right is refused", async () => {
  const authorize = (_: string, action: string) => (action === "dynamodb:PutItem" ? `No ${action}.` : undefined);
  const guarded = await givenTable({ authorize });
  const refused = await guarded.put("A");
  expect([outcomeOf(refused), refused.body.Message]).toEqual(["AccessDeniedException", "No dynamodb:PutItem."]);
  expect((await guarded.get("A")).body).toEqual({});
});
