/** A consumer of the bus behind its queue: every message by itself, and only those that failed come again. */
import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { deadlineWithin, type RemainingTime, type RequestContext, systemContext } from "#kit/context.ts";
import { log } from "#kit/log.ts";
import { type Message, UnknownMessage } from "#outbox/messages.ts";

/** Nothing is wrong: the message only has to come again. */
export class NotYet extends Error {}

/** Where it happened, and nothing of what: messages of others quote addresses and names. */
function traceOf({ name, stack = "", cause }: Error): Record<string, unknown> {
  const places = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name,
    places: places.slice(0, 5).map((line) => line.trim()),
    ...(cause instanceof Error && { cause: cause.name }),
  };
}

function report(error: Error, messageId: string, id: string | undefined): void {
  const which = { messageId, ...(id !== undefined && { id }) };
  if (error instanceof NotYet) log.info("message has to come again", { ...which, reason: error.message });
  else if (error instanceof UnknownMessage) log.error("message is not understood", { ...which, reason: error.message });
  else log.error("message failed", { ...which, trace: traceOf(error) });
}

/**
 * The handler of a queue that reports failures of single messages. What fails comes again, and goes to the dead-letter
 * queue in the end; so does what cannot be read. One after the other, so that a batch keeps to the pace of whom it calls.
 */
export function consumer<N extends Message>(
  read: (body: string) => N,
  act: (message: N, context: RequestContext) => Promise<void>,
) {
  const handleRecord = async ({ messageId, body }: SQSRecord, lambda: RemainingTime): Promise<void> => {
    let id: string | undefined;
    try {
      const message = read(body);
      id = message.id;
      await act(
        message,
        systemContext(message.id, message.correlationId, Date.now(), deadlineWithin(lambda, Number.POSITIVE_INFINITY)),
      );
    } catch (error) {
      report(error as Error, messageId, id);
      throw error;
    }
  };
  // A processor keeps the state of a batch, and a function may run several at once on the laptop: each gets its own.
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
