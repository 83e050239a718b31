/** A mapping without the rights that Lambda demands does not start, and the message is AWS's. */
import { expect, test } from "@jest/globals";
import { checkMapping } from "../stage/mapping-rights.ts";

const stream = "arn:aws:dynamodb:us-west-2:0:table/Club/stream/local";
const streams = "arn:aws:dynamodb:us-west-2:0:table/Club/stream/*";
const queue = "arn:aws:sqs:us-west-2:0:Mail";
const failures = "arn:aws:sqs:us-west-2:0:Failures";

const ofStream = {
  [`dynamodb:GetRecords ${stream}`]: /^Stream: Cannot access stream arn:.*\/local\. Please ensure the role can perform/,
  [`dynamodb:GetShardIterator ${stream}`]: /Cannot access stream/,
  [`dynamodb:DescribeStream ${stream}`]: /Cannot access stream/,
  [`dynamodb:ListStreams ${streams}`]:
    /GetShardIterator, DescribeStream, and ListStreams Actions on your stream in IAM/,
  [`sqs:SendMessage ${failures}`]: /^Stream: The function execution role .* permissions to call SendMessage on SQS$/,
};
const ofQueue = {
  [`sqs:ReceiveMessage ${queue}`]: /permissions to call ReceiveMessage on SQS$/,
  [`sqs:DeleteMessage ${queue}`]: /permissions to call DeleteMessage on SQS$/,
  [`sqs:GetQueueAttributes ${queue}`]: /permissions to call GetQueueAttributes on SQS$/,
};

function check(granted: readonly string[], EventSourceArn: string, failuresTo?: string): void {
  const permissions = {
    refusalOf: (id: string, { action, resource }: { action: string; resource: string }) =>
      id === "Fn" && granted.includes(`${action} ${resource}`) ? undefined : "refused",
  };
  const DestinationConfig = failuresTo === undefined ? {} : { OnFailure: { Destination: failuresTo } };
  checkMapping(permissions, "Stream", "Fn", { FunctionName: "Fn", EventSourceArn, DestinationConfig });
}

const [streamRights, queueRights] = [Object.keys(ofStream), Object.keys(ofQueue)];

test("with all rights a mapping starts", () => {
  expect(() => check(streamRights, stream, failures)).not.toThrow();
  expect(() => check(queueRights, queue)).not.toThrow();
});

test.each(Object.entries(ofStream))("a stream's mapping without %s does not start", (right, sentence) => {
  const others = streamRights.filter((one) => one !== right);
  expect(() => check(others, stream, failures)).toThrow(sentence);
});

test.each(Object.entries(ofQueue))("a queue's mapping without %s does not start", (right, sentence) => {
  const others = queueRights.filter((one) => one !== right);
  expect(() => check(others, queue)).toThrow(sentence);
});
