/** Wrapper of every consumer: handles each message of a batch separately. Only failed messages are delivered again. */
import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord, SQSRecordAttributes } from "aws-lambda";
import { callLimits } from "#kit/call-limits.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import { refusedAction } from "#kit/refused-action.ts";
import { deadlineWithin, type RemainingTime, type RequestContext, systemContext } from "#kit/request/context.ts";
import { NotYet, UnknownMessage } from "#outbox/messages.ts";

/** The common fields of this service's messages and the events of AWS services. */
interface Named {
  readonly id: string;
  readonly type: string;
  readonly requestId: string;
}

/** Frames of an error: as many as stand between the SDK's innermost function and the line of ours that called it. */
Error.stackTraceLimit = 50;

const ours = /\blambda\/(?:api|consumers|domain|outbox|kit)\//;

/** Its first line, without what a library quotes: that may be an address or a name. */
const messageOf = ({ message }: Error): string =>
  (message.split("\n", 1)[0] ?? "").replaceAll(/"[^"]*"|Value '[^']*'|\S*@\S*/g, "…").slice(0, 300);

/**
 * The logged parts of an error: its name, its message, where it happened in this repository, the name of its cause, and the
 * action that IAM has refused.
 */
function traceOf(error: Error): Record<string, unknown> {
  const { name, stack = "", cause } = error;
  const refused = refusedAction(error);
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  const own = frames.filter((frame) => ours.test(frame) && !frame.includes("node_modules"));
  return {
    name,
    message: messageOf(error),
    places: (own.length > 0 ? own : frames).slice(0, 5).map((line) => line.trim()),
    ...(cause instanceof Error && { cause: cause.name }),
    ...(refused !== undefined && { refused }),
  };
}

function report(error: Error, messageId: string, message: Named | undefined): void {
  const which = { messageId, ...(message && { id: message.id, correlationId: message.requestId }) };
  if (error instanceof NotYet) log.info("message has to come again", { ...which, reason: error.message });
  else log.error("message failed", { ...which, trace: traceOf(error) });
}

/**
 * Puts a message that is not understood into the dead-letter queue, since every further try would fail like this one. The
 * client is loaded at its first use, which nearly no invocation has.
 * @param reason without the message's content
 */
async function giveUp(body: string, reason: string): Promise<void> {
  const { SendMessageCommand, SQSClient } = await import("@aws-sdk/client-sqs");
  // By default the client would call the host of the queue's address, which is not the laptop's.
  const client = new SQSClient({ maxAttempts: 3, requestHandler: callLimits(5_000), useQueueUrlAsEndpoint: false });
  const letter = new SendMessageCommand({ QueueUrl: requiredEnv("DEAD_LETTER_QUEUE"), MessageBody: body });
  const { MessageId: messageId } = await client.send(letter);
  log.error("message is not understood", { messageId, reason });
}

/** How the queue delivered a message. */
export interface Delivery {
  /** The queue has not delivered it before. */
  readonly isFirst: boolean;
}

const deliveryOf = (attributes: Partial<SQSRecordAttributes> | null | undefined): Delivery => ({
  isFirst: attributes?.ApproximateReceiveCount === "1",
});

/**
 * Makes the handler of a queue that reports failures of single messages. A message that fails is delivered again; after
 * the last try the queue moves it to the dead-letter queue. One that is not understood goes there at once. The messages of a batch are processed
 * sequentially, so that a consumer respects the rate limit of the service that it calls.
 */
export function consumer<N extends Named>(
  read: (body: string) => N,
  act: (message: N, context: RequestContext, delivery: Delivery) => Promise<void>,
) {
  const handleRecord = async (record: SQSRecord, lambda: RemainingTime): Promise<void> => {
    const { messageId, body, attributes } = record;
    let message: N | undefined;
    const handle = async (): Promise<void> => {
      message = read(body);
      const { id, type, requestId } = message;
      await act(
        message,
        systemContext(requestId, Date.now(), deadlineWithin(lambda, Number.POSITIVE_INFINITY)),
        deliveryOf(attributes),
      );
      log.info("message handled", { id, type, correlationId: requestId });
    };
    try {
      await handle().catch((error) => {
        if (!(error instanceof UnknownMessage)) throw error;
        return giveUp(body, error.message);
      });
    } catch (error) {
      report(error as Error, messageId, message);
      throw error;
    }
  };
  // Each call gets its own processor: a processor keeps the state of a batch, and on the laptop one process may run
  // several batches at once.
  return (event: SQSEvent, lambda: RemainingTime = {}): Promise<SQSBatchResponse> =>
    processPartialResponse(
      event,
      (record: SQSRecord) => handleRecord(record, lambda),
      new BatchProcessor(EventType.SQS),
      {
        processInParallel: false,
        throwOnFullBatchFailure: false,
      },
    );
}
