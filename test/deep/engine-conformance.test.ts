/** Thousands of random operations on the local engine and on AWS's DynamoDB Local, with the same results. */
import { afterAll, expect, test } from "@jest/globals";
import { startTableEngine } from "../../tools/laptop/dynamodb/index.ts";
import { compareSequences } from "../../tools/laptop/test/engine/compare.ts";
import { startDynamoDbLocal } from "../../tools/laptop/test/engine/dynamodb-local.ts";
import { protocolClient } from "../../tools/laptop/test/engine/protocol-client.ts";

process.env.COMPARED = "1";
await import("../../tools/laptop/test/engine-conformance.test.ts");

const reference = await startDynamoDbLocal().catch((error: Error) => {
  console.warn(`NOT compared with AWS's DynamoDB Local: ${error.message}`);
});
const compared = reference ? test : test.skip;

afterAll(() => reference?.stop());

compared(
  "4,000 random operations leave the same answers and the same items",
  async () => {
    const engine = await startTableEngine({ conflictMilliseconds: 0 });
    const [ours, theirs] = [protocolClient(engine.url), protocolClient(reference?.url as string)];
    try {
      const tally = await compareSequences(ours, theirs, { sequences: 100, steps: 40 });
      console.info("compared with DynamoDB Local:", Object.fromEntries(tally));
      expect(tally.get("UpdateItem ValidationException")).toBeGreaterThan(0);
      expect(tally.get("TransactWriteItems ValidationException")).toBeGreaterThan(0);
      expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(4_000);
    } finally {
      ours.close();
      theirs.close();
      await engine.close();
    }
  },
  300_000,
);
