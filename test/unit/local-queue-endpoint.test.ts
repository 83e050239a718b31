/** SQS's protocol in front of the queues. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type QueueEndpoint, type Queues, startQueueEndpoint, startQueues } from "../../lib/local/queues/index.ts";
import { fakeClock } from "./local-time.ts";

const arn = "arn:aws:sqs:us-west-2:000000000000:Mail";
let queues: Queues;
let endpoint: QueueEndpoint;

beforeEach(async () => {
  const definition = { name: "Mail", arn, properties: { MaximumMessageSize: 1_024 } };
  queues = startQueues({ queues: [definition], clock: fakeClock() });
  endpoint = await startQueueEndpoint({ queues, accountId: "000000000000" });
});
afterEach(async () => {
  await endpoint.close();
  await queues.close();
});

async function call(operation: string, fields: object = {}, QueueUrl = endpoint.urlOf("Mail")): Promise<unknown> {
  const response = await fetch(endpoint.url, {
    method: "POST",
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `AmazonSQS.${operation}` },
    body: JSON.stringify({ QueueUrl, ...fields }),
  });
  return response.json();
}

test("messages are sent, received with the requested attributes, and deleted", async () => {
  const MessageAttributes = { kind: { DataType: "String", StringValue: "mail" } };
  expect(await call("SendMessage", { MessageBody: '{"a":1}', MessageAttributes })).toEqual({
    MessageId: expect.any(String),
    MD5OfMessageBody: "bb6cb5c68df4652941caf652a366f2d8",
  });
  const asked = { MessageAttributeNames: ["All"], MessageSystemAttributeNames: ["ApproximateReceiveCount"] };
  const received = (await call("ReceiveMessage", asked)) as { Messages: [{ ReceiptHandle: string }] };
  expect(received).toEqual({
    Messages: [
      {
        MessageId: expect.any(String),
        ReceiptHandle: expect.any(String),
        Body: '{"a":1}',
        MD5OfBody: "bb6cb5c68df4652941caf652a366f2d8",
        Attributes: { ApproximateReceiveCount: "1" },
        MessageAttributes,
      },
    ],
  });
  expect(await call("ReceiveMessage")).toEqual({});
  expect(await call("DeleteMessage", { ReceiptHandle: received.Messages[0].ReceiptHandle })).toEqual({});
  expect(queues.of(arn).inFlight).toBe(0);
});

test("in a batch each message is accepted or refused on its own", async () => {
  const Entries = [
    { Id: "0", MessageBody: "A" },
    { Id: "1", MessageBody: "x".repeat(1_025) },
    { Id: "2", MessageBody: "B" },
  ];
  expect(await call("SendMessageBatch", { Entries })).toMatchObject({
    Successful: [{ Id: "0" }, { Id: "2" }],
    Failed: [{ Id: "1", SenderFault: true, Code: "InvalidParameterValue" }],
  });
});

test("a queue is counted and emptied", async () => {
  await call("SendMessage", { MessageBody: "A" });
  await call("SendMessage", { MessageBody: "B", DelaySeconds: 5 });
  expect(await call("GetQueueAttributes", { AttributeNames: ["All"] })).toEqual({
    Attributes: {
      ApproximateNumberOfMessages: "1",
      ApproximateNumberOfMessagesDelayed: "1",
      ApproximateNumberOfMessagesNotVisible: "0",
      QueueArn: arn,
    },
  });
  await call("PurgeQueue");
  expect([queues.of(arn).visible, queues.of(arn).delayed]).toEqual([0, 0]);
});

test("refused messages and unknown queues get SQS's errors", async () => {
  expect(await call("SendMessage", { MessageBody: "x".repeat(1_025) })).toMatchObject({
    __type: "com.amazonaws.sqs#InvalidParameterValue",
  });
  expect(await call("SendMessage", { MessageBody: "A" }, endpoint.urlOf("Other"))).toMatchObject({
    __type: "com.amazonaws.sqs#QueueDoesNotExist",
  });
  expect(queues.of(arn).visible).toBe(0);
});
