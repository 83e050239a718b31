/**
 * How a failed call to the table is understood: whether anything was written, and whether to try again
 * (`docs/design.md`, "The executor").
 */

import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { Conflict, Unanswered, UnknownOutcome } from "#kit/table/conflict.ts";
import { keyFrom } from "#kit/table/item.ts";
import { client, commit, getItem, writeIf } from "#kit/table/table.ts";

const table = mockClient(client as never) as unknown as ReturnType<typeof mockClient<never, never, never>>;
beforeEach(() => {
  table.reset();
});

const failure = (name: string, more: object = {}) => Object.assign(new Error("upstream's words"), { name, ...more });
const refused = (name: string) => failure(name, { $metadata: { httpStatusCode: 400 } });
const member = { Delete: { TableName: "Unit", Key: { PK: "a", SK: "a" } } };

type Reason = NonNullable<TransactionCanceledException["CancellationReasons"]>[number];
const cancelled = (CancellationReasons: Reason[] | undefined) =>
  new TransactionCanceledException({ message: "", $metadata: { httpStatusCode: 400 }, CancellationReasons });
const givenCancelled = (...reasons: Reason[]) => {
  table.on(TransactWriteCommand as never).rejects(cancelled(reasons));
};

/** Each way to call the table. The meaning of a failure is the same in each. */
const calls = {
  commit: () => commit({ member }),
  writeIf: () => writeIf({ Key: keyFrom(["A", "A"], {}) }),
  getItem: () => getItem(keyFrom(["A", "A"], {}), "strong"),
};

describe.each(Object.entries(calls))("%s", (name, call) => {
  test.each(["TransactionConflictException", "ProvisionedThroughputExceededException", "ThrottlingException"])(
    "after %s: nothing was written, and the call may be tried again",
    async (code) => {
      const error = refused(code);
      table.onAnyCommand().rejects(error);
      const thrown = await call().catch((reason: Error) => reason);
      expect(thrown).toBeInstanceOf(Conflict);
      expect(thrown).toHaveProperty("cause", error);
    },
  );

  test.each([
    ["an answer that says 500", failure("InternalServerError", { $metadata: { httpStatusCode: 500 } })],
    ["an answer that says nothing", failure("SyntaxError", { $metadata: {} })],
    ["a socket that was closed", failure("Error", { code: "ECONNRESET" })],
    ["an earlier try that is under way", refused("TransactionInProgressException")],
  ])("after %s: the outcome of a write is unknown", async (_name, error) => {
    table.onAnyCommand().rejects(error);
    const thrown = await call().catch((reason: Error) => reason);
    // A read without an answer has written nothing.
    expect(thrown).toBeInstanceOf(name === "getItem" ? Unanswered : UnknownOutcome);
    expect(thrown).toHaveProperty("cause", error);
  });

  test("after another failure the error is thrown unchanged", async () => {
    const error = refused("ValidationException");
    table.onAnyCommand().rejects(error);
    await expect(call()).rejects.toBe(error);
  });
});

describe("a transaction", () => {
  const failed = "ConditionalCheckFailed";
  const transaction = { event: member, seats: member, message: member };

  test("is committed, or names the members whose conditions failed, with their items", async () => {
    table.on(TransactWriteCommand as never).resolvesOnce({} as never);
    expect(await commit(transaction)).toEqual({ committed: true });
    givenCancelled({ Code: failed, Item: { PK: { S: "a" }, seats: { N: "5" } } }, { Code: "None" }, { Code: failed });
    const refusal = { event: { PK: "a", seats: 5 }, message: null };
    expect(await commit(transaction)).toStrictEqual({ committed: false, refused: refusal, wasRepeated: false });
  });

  test.each(["TransactionConflict", "ProvisionedThroughputExceeded"])(
    "with a conflict (%s) wrote nothing, whatever else failed",
    async (Code) => {
      givenCancelled({ Code: failed }, { Code }, { Code: "None" });
      await expect(commit(transaction)).rejects.toBeInstanceOf(Conflict);
    },
  );

  test("cancelled for another reason than a condition is an internal error", async () => {
    for (const reasons of [[{ Code: "ValidationError" }], [], undefined]) {
      const error = cancelled(reasons);
      table.on(TransactWriteCommand as never).rejects(error);
      await expect(commit(transaction)).rejects.toBe(error);
    }
  });
});
