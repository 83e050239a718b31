/** When a deployed stage has done what requests asked for. */
import { setTimeout as pause } from "node:timers/promises";
import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from "@aws-sdk/client-sqs";

/** Between a write and its message in a queue are the stream, the relay and the bus. */
const longestWayToQueue = 4_000;
const betweenLooks = 250;
const longestWait = 90_000;

const counts: readonly QueueAttributeName[] = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
];

/**
 * @returns resolves when no queue of the stack had a message for longer than a message is on its way to a queue.
 * Dead-letter queues do not count.
 */
export function quietStack(stackName: string, settings: { readonly region: string }): () => Promise<void> {
  const stacks = new CloudFormationClient(settings);
  // An emulator's URL of a queue may be without TLS, which the queue's policy refuses.
  const queues = new SQSClient({ ...settings, useQueueUrlAsEndpoint: false });
  let known: Promise<string[]> | undefined;

  async function urls(): Promise<string[]> {
    const found: string[] = [];
    const pages = paginateListStackResources({ client: stacks }, { StackName: stackName });
    for await (const { StackResourceSummaries = [] } of pages) {
      for (const { ResourceType, LogicalResourceId = "", PhysicalResourceId } of StackResourceSummaries) {
        const isWork = ResourceType === "AWS::SQS::Queue" && !/Failures|DeadLetter/.test(LogicalResourceId);
        if (isWork && PhysicalResourceId) found.push(PhysicalResourceId);
      }
    }
    return found;
  }

  const messagesIn = async (QueueUrl: string): Promise<number> => {
    const { Attributes = {} } = await queues.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] }),
    );
    return counts.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  };

  return async () => {
    known ??= urls();
    const all = await known;
    let quietSince = Date.now();
    for (const end = Date.now() + longestWait; Date.now() < end; await pause(betweenLooks)) {
      const messages = await Promise.all(all.map(messagesIn));
      if (messages.some((count) => count > 0)) quietSince = Date.now();
      if (Date.now() - quietSince >= longestWayToQueue) return;
    }
    throw new Error(`The queues of ${stackName} were not empty within ${longestWait / 1_000} seconds.`);
  };
}
