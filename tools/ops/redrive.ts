/** `redrive`: moves dead letters back to where they came from (docs/runbook.md). */
import { setTimeout as pause } from "node:timers/promises";
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  paginateListQueues,
  ReceiveMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from "@aws-sdk/client-sqs";
import { UsageError } from "../kit/outputs.ts";
import { originOf, type QueueFacts } from "./origin.ts";
import { rowsBetween, sendAll } from "./replay.ts";
import type { Run } from "./run.ts";
import { type ExitCode, number } from "./terminal.ts";

/** A queue's name without the stack's name and CloudFormation's suffix. */
const shortName = (name: string, prefix: string): string =>
  name
    .slice(prefix.length)
    .replace(/-[A-Za-z0-9]{12,13}$/, "")
    .replace(/[0-9A-F]{8}$/, "");

async function queuesOf(sqs: SQSClient, prefix: string): Promise<QueueFacts[]> {
  const queues: QueueFacts[] = [];
  for await (const { QueueUrls = [] } of paginateListQueues(
    { client: sqs },
    { QueueNamePrefix: prefix, MaxResults: 100 },
  )) {
    for (const url of QueueUrls) {
      const AttributeNames = ["QueueArn", "RedrivePolicy", "ApproximateNumberOfMessages"] as const;
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...AttributeNames] }),
      );
      const { deadLetterTargetArn } = JSON.parse(Attributes.RedrivePolicy ?? "{}") as { deadLetterTargetArn?: string };
      const arn = Attributes.QueueArn ?? "";
      queues.push({
        url,
        arn,
        name: shortName(arn.split(":").at(-1) ?? "", prefix),
        messages: Number(Attributes.ApproximateNumberOfMessages ?? 0),
        ...(deadLetterTargetArn !== undefined && { givesUpTo: deadLetterTargetArn }),
      });
    }
  }
  return queues;
}

/** Milliseconds between two status checks of a move. */
const lookEvery = 1_000;

/** @returns the number of moved messages, and why the move failed */
async function moved(
  sqs: SQSClient,
  { arn }: QueueFacts,
  to: QueueFacts,
  note: (line: string) => void,
  stop: AbortSignal | undefined,
): Promise<{ readonly count: number; readonly failure?: string }> {
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: arn, DestinationArn: to.arn }));
  for (;;) {
    const { Results = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn: arn, MaxResults: 1 }));
    const [task] = Results;
    const count = task?.ApproximateNumberOfMessagesMoved ?? 0;
    if (task?.Status === "COMPLETED") return { count };
    if (task?.Status !== "RUNNING") return { count, failure: task?.FailureReason ?? String(task?.Status) };
    if (stop?.aborted) return { count, failure: "the move goes on in SQS" };
    note(`${number(count)} of ${number(task.ApproximateNumberOfMessagesToMove ?? 0)} moved`);
    await pause(lookEvery);
  }
}

/** Lambda's message about discarded stream records. */
interface GivenUp {
  readonly DDBStreamBatchInfo?: {
    readonly approximateArrivalOfFirstRecord?: string;
    readonly approximateArrivalOfLastRecord?: string;
  };
}

/** Milliseconds: a row has the time of its request, which may have started long before its commit. */
const beforeArrival = 15 * 60_000;
const afterArrival = 60_000;

/**
 * The time span of the rows that the relay discarded, from its dead letter. Other rows of the span are sent again too,
 * which is harmless.
 */
function spanOf(body: string): { readonly from: number; readonly to: number; readonly type: string } | undefined {
  try {
    const { DDBStreamBatchInfo: batch = {} } = JSON.parse(body) as GivenUp;
    const from = Date.parse(batch.approximateArrivalOfFirstRecord ?? "") - beforeArrival;
    const to = Date.parse(batch.approximateArrivalOfLastRecord ?? "") + afterArrival;
    return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to, type: "" };
  } catch {
    return undefined;
  }
}

/** Resends the rows that the relay discarded, and then deletes its dead letters. */
async function relayAgain(sqs: SQSClient, { url }: QueueFacts, stop: AbortSignal | undefined) {
  let [letters, rows, left] = [0, 0, 0];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout: 300 }),
    );
    if (Messages.length === 0 || stop?.aborted) return { letters, rows, left };
    for (const { Body = "", ReceiptHandle } of Messages) {
      const span = spanOf(Body);
      const { sent, refused } = span ? await sendAll(rowsBetween(span), () => undefined) : { sent: 0, refused: [Body] };
      rows += sent;
      left += refused.length > 0 ? 1 : 0;
      if (refused.length > 0) continue;
      await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
      letters += 1;
    }
  }
}

export async function redrive({ target, terminal, isApplied, flags, stop }: Run): Promise<ExitCode> {
  const sqs = new SQSClient({ region: target.region });
  const queues = await queuesOf(sqs, target.prefix);
  const targets = new Set(queues.map(({ givesUpTo }) => givesUpTo));
  const isDeadLetterQueue = ({ arn, givesUpTo, name }: QueueFacts) =>
    givesUpTo === undefined && (targets.has(arn) || name.endsWith("Failures"));
  const dead = queues.filter(isDeadLetterQueue).sort((a, b) => (a.name < b.name ? -1 : 1));
  const asked = flags.queue === undefined ? dead : dead.filter(({ name }) => name === flags.queue);
  if (asked.length === 0) {
    const names = dead.map(({ name }) => name).join(", ");
    throw new UsageError(
      `There is no dead-letter queue ${flags.queue ?? `of ${target.prefix}*`}. There are: ${names || "none"}.`,
    );
  }
  for (const { name, messages, givesUpTo } of queues) {
    if (givesUpTo !== undefined && targets.has(queues.find((one) => one.name === name)?.arn) && messages > 0) {
      terminal.print(`${name}: ${number(messages)} are tried again every hour by themselves.`);
    }
  }
  let [found, failed] = [0, 0];
  for (const queue of asked) {
    found += queue.messages;
    const origin = originOf(queue.arn, queues);
    const isRelay = origin === undefined && queue.name.startsWith("Relay");
    const to = origin ? `to ${origin.name}` : isRelay ? "to the bus, from the rows of the table" : "nowhere";
    if (queue.messages === 0) terminal.print(`${queue.name}: empty.`);
    else if (!isApplied) terminal.print(`${queue.name}: ${number(queue.messages)}, would go ${to}.`);
    else if (origin) {
      const { count, failure } = await moved(sqs, queue, origin, terminal.note, stop);
      terminal.print(
        `${queue.name}: ${number(count)} moved ${to}${failure === undefined ? "." : `; then ${failure}.`}`,
      );
      failed += failure === undefined ? 0 : 1;
    } else if (isRelay) {
      const { letters, rows, left } = await relayAgain(sqs, queue, stop);
      terminal.print(
        `${queue.name}: ${number(letters)} done, ${number(rows)} rows are on the bus again, ${number(left)} left.`,
      );
      failed += left;
    } else {
      terminal.print(
        `${queue.name}: ${number(queue.messages)} stay. They came from no queue: docs/runbook.md says what they are.`,
      );
      failed += 1;
    }
  }
  if (!isApplied && found > 0) terminal.print("Nothing is moved. To move them, add --apply.");
  if (stop?.aborted) return 130;
  return isApplied ? (failed === 0 ? 0 : 1) : found === 0 ? 0 : 1;
}
