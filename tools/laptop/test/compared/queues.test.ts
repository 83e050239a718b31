/** SQS: what is sent, received, hidden, given up and moved. */

import { setTimeout as pause } from "node:timers/promises";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type QueueAttributeName,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import { fakeClock } from "../../../../test/unit/local-time.ts";
import { startQueueService, startQueues } from "../../queues/index.ts";
import { compareWithMiniStack, type Difference, laptopClient, type Operation } from "./compare.ts";

const names = ["Mail", "MailDead", "Small"] as const;
type Name = (typeof names)[number];
const arnOf = (name: string) => `arn:aws:sqs:us-west-2:000000000000:${name}`;
const redrive = { deadLetterTargetArn: arnOf("MailDead"), maxReceiveCount: 2 };

interface Side {
  readonly client: SQSClient;
  readonly urls: Readonly<Record<Name, string>>;
  wait(seconds: number): unknown;
  close(): unknown;
}

const sendTo = ({ client, urls }: Side, name: Name, MessageBody: string) =>
  client.send(new SendMessageCommand({ QueueUrl: urls[name], MessageBody }));
const receiveFrom = async ({ client, urls }: Side, name: Name, most = 10, VisibilityTimeout?: number) =>
  (await client.send(new ReceiveMessageCommand({ QueueUrl: urls[name], MaxNumberOfMessages: most, VisibilityTimeout })))
    .Messages ?? [];
const bodies = async (side: Side, name: Name, most?: number, visibility?: number) =>
  (await receiveFrom(side, name, most, visibility)).map(({ Body }) => Body);
const removeFrom = ({ client, urls }: Side, name: Name, ReceiptHandle: string) =>
  client.send(new DeleteMessageCommand({ QueueUrl: urls[name], ReceiptHandle }));
/** How many messages can be received, and are hidden. */
const counts = async ({ client, urls }: Side, name: Name) => {
  const asked = ["", "NotVisible"].map((kind) => `ApproximateNumberOfMessages${kind}` as QueueAttributeName);
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: urls[name], AttributeNames: asked }),
  );
  return asked.map((attribute) => Number(Attributes[attribute]));
};
const isRefused = async (call: () => unknown) => {
  try {
    await call();
    return false;
  } catch {
    return true;
  }
};
const move = ({ client }: Side, from: string, to?: string) =>
  client.send(new StartMessageMoveTaskCommand({ SourceArn: arnOf(from), ...(to && { DestinationArn: arnOf(to) }) }));

const operations: readonly Operation<Side>[] = [
  [
    "receives what was sent, with the hash of its body",
    async (side) => {
      await sendTo(side, "Mail", "é");
      return (await receiveFrom(side, "Mail")).map(({ Body, MD5OfBody }) => ({ Body, MD5OfBody }));
    },
    [{ Body: "é", MD5OfBody: "66ddcd97cfdeabb2f6fb8a999b4bc76f" }],
  ],
  ["hides what was received", (side) => bodies(side, "Mail"), []],
  [
    "shows a message when its timeout is over, and for the time that a receiver asks for",
    async (side) => {
      await side.wait(1.1);
      return [await bodies(side, "Mail", 10, 20), await counts(side, "Mail")];
    },
    [["é"], [0, 1]],
  ],
  [
    "gives a message up that was received too often",
    async (side) => {
      await sendTo(side, "Mail", "often");
      for (let receipt = 1; receipt <= 2; receipt += 1) await receiveFrom(side, "Mail", 10, 0);
      return [await bodies(side, "Mail"), await bodies(side, "MailDead", 10, 0)];
    },
    [[], ["often"]],
  ],
  [
    "moves it back, for another number of receipts",
    async (side) => {
      await move(side, "MailDead");
      const task = await side.client.send(new ListMessageMoveTasksCommand({ SourceArn: arnOf("MailDead") }));
      const { Status, ApproximateNumberOfMessagesMoved } = task.Results?.[0] ?? {};
      return [Status, ApproximateNumberOfMessagesMoved, await bodies(side, "Mail", 10, 20)];
    },
    ["COMPLETED", 1, ["often"]],
  ],
  [
    "moves nothing out of a queue that is nobody's dead-letter queue",
    (side) => move(side, "Mail"),
    "InvalidParameterValue",
  ],
  [
    "deletes with the latest handle only",
    async (side) => {
      await sendTo(side, "Small", "twice");
      const [first] = await receiveFrom(side, "Small", 1, 0);
      const [second] = await receiveFrom(side, "Small", 1, 20);
      const isOldRefused = await isRefused(() => removeFrom(side, "Small", first?.ReceiptHandle ?? ""));
      const before = await counts(side, "Small");
      await removeFrom(side, "Small", second?.ReceiptHandle ?? "");
      return [isOldRefused, before, await counts(side, "Small")];
    },
    [false, [0, 1], [0, 0]],
  ],
  [
    "has no queue of another name",
    ({ client, urls }) => client.send(new ReceiveMessageCommand({ QueueUrl: urls.Mail.replace("Mail", "Other") })),
    "QueueDoesNotExist",
  ],
];

const page = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API";
const noMoves = [
  "InvalidAction",
  `${page}_StartMessageMoveTask.html: an operation that MiniStack does not know`,
] as const;
const differences: readonly Difference[] = [
  ["moves it back, for another number of receipts", ...noMoves],
  ["moves nothing out of a queue that is nobody's dead-letter queue", ...noMoves],
  [
    "deletes with the latest handle only",
    [true, [0, 1], [0, 0]],
    `${page}_DeleteMessage.html: with an old receipt handle the request succeeds, and nothing is deleted`,
  ],
];

compareWithMiniStack<Side>({
  operations,
  differences,
  ours: async () => {
    const clock = fakeClock();
    const settings = {
      Mail: { VisibilityTimeout: 1, RedrivePolicy: redrive },
      MailDead: {},
      Small: {},
    };
    const queues = startQueues({
      queues: names.map((name) => ({ name, arn: arnOf(name), properties: settings[name] })),
      clock,
    });
    const service = await startQueueService({ queues, accountId: "000000000000" });
    const client = new SQSClient(laptopClient(service.url));
    const urls = Object.fromEntries(names.map((name) => [name, `${service.url}/000000000000/${name}`]));
    return {
      client,
      urls: urls as Side["urls"],
      wait: (seconds) => clock.advance(seconds * 1000),
      close: async () => {
        client.destroy();
        await service.close();
        await queues.close();
      },
    };
  },
  theirs: async (partner) => {
    const client = new SQSClient(partner.client);
    const create = async (QueueName: Name, Attributes: Record<string, string> = {}) =>
      (await client.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl as string;
    const MailDead = await create("MailDead");
    const urls = {
      MailDead,
      Mail: await create("Mail", { VisibilityTimeout: "1", RedrivePolicy: JSON.stringify(redrive) }),
      Small: await create("Small", {}),
    };
    return {
      client,
      urls,
      wait: (seconds) => pause(seconds * 1000),
      close: () => client.destroy(),
    };
  },
});
