/** Table, stream, relay, bus, queue and consumer, wired as the stack wires them. */
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startBus } from "../bus/index.ts";
import { startTableEngine } from "../dynamodb/index.ts";
import { startQueueMapping, startQueues } from "../queues/index.ts";
import { Activity } from "../service-kit/activity.ts";
import { startStreamMapping } from "../stream/index.ts";
import { protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
const region = "us-west-2";
const accountId = "000000000000";
const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${accountId}:${rest}`;
const queueArn = arn("sqs", "Mail");
const Pattern = JSON.stringify({ eventName: ["INSERT"], dynamodb: { Keys: { PK: { S: [{ prefix: "OUT#" }] } } } });

/** File of the numbers that the consumer got, one on each line. */
export const deliveredFile = (directory: string): string => join(directory, "delivered.txt");

/** The relay: outbox rows become events. */
async function relay(busUrl: string, partitions: readonly string[]): Promise<void> {
  for (let index = 0; index < partitions.length; index += 10) {
    const Entries = partitions.slice(index, index + 10).map((partition) => ({
      EventBusName: "club",
      Source: "club.events",
      DetailType: "registration.registered",
      Detail: JSON.stringify({ number: Number(partition.slice("OUT#".length)) }),
    }));
    const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": "AWSEvents.PutEvents" };
    const response = await fetch(busUrl, { method: "POST", headers, body: JSON.stringify({ Entries }) });
    const answer = (await response.json()) as { FailedEntryCount: number };
    if (answer.FailedEntryCount !== 0) throw new Error("The bus refused an event.");
  }
}

export interface ChainOptions {
  /** How long the consumer takes for a batch. */
  readonly consumerMilliseconds?: number;
  /** Whether bus and queue keep their data in files. True when absent. */
  readonly keeps?: boolean;
  /** Called when the relay gets a batch. The mapping has the batches before it on record as delivered. */
  readonly onRelay?: () => void;
}

export async function startChain(directory: string, options: ChainOptions = {}) {
  const { consumerMilliseconds = 0, keeps = true, onRelay = () => undefined } = options;
  mkdirSync(directory, { recursive: true });
  const activity = new Activity();
  const engine = await startTableEngine({ conflictMilliseconds: 0, directory: join(directory, "table") });
  await engine.ensureTable(givenDefinition());
  const client = protocolClient(engine.url);
  const queues = startQueues({
    ...(keeps && { directory: join(directory, "queues") }),
    queues: [{ name: "Mail", arn: queueArn, properties: {} }],
  });
  const bus = await startBus({
    region,
    accountId,
    ...(keeps && { directory: join(directory, "bus") }),
    buses: ["club"],
    rules: [
      {
        name: "Mail",
        arn: arn("events", "rule/club/Mail"),
        properties: {
          EventBusName: "club",
          EventPattern: { source: ["club.events"] },
          Targets: [{ Id: "Target0", Arn: queueArn }],
        },
      },
    ],
    deliver: async (target, payload) => queues.of(target).send(JSON.stringify(payload)),
    deadLetter: () => Promise.reject(new Error("There is no such queue.")),
    activity,
  });
  const consumer = startQueueMapping({
    properties: { EventSourceArn: queueArn, ScalingConfig: { MaximumConcurrency: 2 } },
    queue: queues.of(queueArn),
    invoke: async ({ Records }) => {
      await pause(consumerMilliseconds);
      const numbers = Records.map(({ body }) => JSON.parse(body).detail.number);
      appendFileSync(deliveredFile(directory), numbers.map((number) => `${number}\n`).join(""));
      return null;
    },
    activity,
  });
  const mapping = await startStreamMapping({
    name: "Relay",
    properties: {
      EventSourceArn: arn("dynamodb", "table/Club/stream/local"),
      FilterCriteria: { Filters: [{ Pattern }] },
    },
    stream: engine.stream,
    directory: join(directory, "stream"),
    functionArn: arn("lambda", "function:Relay"),
    invoke: ({ Records }) => {
      onRelay();
      const partitions = Records.map(({ dynamodb }) => String(dynamodb.Keys.PK?.S));
      return relay(bus.url, partitions);
    },
    onDiscarded: async () => undefined,
    activity,
  });
  return {
    /** Commits a registration with its outbox row. */
    async commit(number: number): Promise<void> {
      const TransactItems = [`REG#${number}`, `OUT#${number}`].map((partition) => ({
        Put: { TableName, Item: givenKey(partition) },
      }));
      const { status } = await client.call("TransactWriteItems", { TransactItems });
      if (status !== 200) throw new Error(`The table answered ${status}.`);
    },
    settled: () => activity.settled(),
    async close(): Promise<void> {
      client.close();
      await mapping.close();
      await consumer.close();
      await bus.close();
      await queues.close();
      await engine.close();
    },
  };
}
