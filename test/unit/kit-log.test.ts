/** Log lines name no person, also where an error carries items of people. */

import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { expect, jest, test } from "@jest/globals";
import { Contended } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { Conflict } from "#kit/table/conflict.ts";

const refused = new TransactionCanceledException({
  message: "Transaction cancelled",
  $metadata: {},
  CancellationReasons: [{ Code: "ConditionalCheckFailed", Item: { email: { S: "ada@unit.example" } } }],
});
const contended = new Contended({ cause: new Conflict("conflict", { cause: refused }) });

test.each([
  ["itself", refused],
  ["as a cause of a cause", contended],
])("an error is logged with its stack and causes, but without the items of a refusal: %s", (_, error) => {
  const lines: string[] = [];
  const level = log.getLevelName();
  log.setLogLevel("ERROR");
  const output = jest.spyOn((log as unknown as { console: Console }).console, "error");
  output.mockImplementation((line: string) => void lines.push(line));
  log.error("request failed", { error });
  log.setLogLevel(level);
  output.mockRestore();
  expect(lines).toEqual([expect.stringContaining("Transaction cancelled")]);
  expect(lines[0]).toContain("kit-log.test.ts");
  expect(lines[0]).not.toContain("ada@unit.example");
});
