/** `npm run ops -- redrive`: a dead letter of the relay goes when its rows are on the bus. */
import "../../../test/unit/environment.ts";

import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { Run } from "../run.ts";

process.env.BUS_NAME = "club-bus";
const { redrive } = await import("../redrive.ts");

const table = mockClient(DynamoDBDocumentClient);
const sqs = mockClient(SQSClient);

const arrival = "2030-01-01T12:00:00Z";
const span = { approximateArrivalOfFirstRecord: arrival, approximateArrivalOfLastRecord: arrival };
const letter = JSON.stringify({ DDBStreamBatchInfo: span });
/** The bus takes no row that is not a message. */
const broken = { PK: "OUT", SK: "1", detailType: "registration.registered" };
/** It would be refused, too, if it were sent. */
const ofErased = { ...broken, detail: { data: { email: "erased-0@erased.invalid" } } };

test.each([
  ["goes when its rows are on the bus", letter, [], { exitCode: 0, deleted: 1 }],
  ["stays when a row cannot be sent", letter, [broken], { exitCode: 1, deleted: 0 }],
  [
    "goes without a row about a person who is erased, which is not sent",
    letter,
    [ofErased],
    { exitCode: 0, deleted: 1 },
  ],
  ["stays when it is not understood", "no JSON", [], { exitCode: 1, deleted: 0 }],
])("a dead letter of the relay %s", async (_, Body, Items, expected) => {
  sqs.reset();
  sqs.on(ListQueuesCommand).resolves({ QueueUrls: ["https://sqs.example/relay"] });
  const QueueArn = "arn:aws:sqs:ca-central-1:123456789012:ClubEvents-staging-RelayFailures";
  sqs.on(GetQueueAttributesCommand).resolves({ Attributes: { QueueArn, ApproximateNumberOfMessages: "1" } });
  sqs
    .on(ReceiveMessageCommand)
    .resolvesOnce({ Messages: [{ Body, ReceiptHandle: "1" }] })
    .resolves({});
  table.on(QueryCommand).resolves({ Items });
  const run = {
    target: { region: "ca-central-1", prefix: "ClubEvents-staging-" },
    terminal: { print: () => undefined, note: () => undefined },
    isApplied: true,
    flags: {},
  };
  const exitCode = await redrive(run as unknown as Run);
  expect({ exitCode, deleted: sqs.commandCalls(DeleteMessageCommand).length }).toEqual(expected);
});
