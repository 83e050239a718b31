/**
 * One standard queue. It hands out messages, hides received ones for a time, and moves messages that were received too
 * often to the dead-letter queue.
 */
import { join } from "node:path";
import type { Clock } from "../service-kit/clock.ts";
import type { Disorder } from "../service-kit/disorder.ts";
import { KeptMessages, received } from "./kept-messages.ts";
import { type Message, type MessageAttribute, newMessage, newReceiptHandle, type ReceivedMessage } from "./message.ts";
import { type QueueDefinition, type QueueSettings, readQueueSettings } from "./properties.ts";

/** Bytes. */
const largestMessage = 1_048_576;

/** A request that SQS would refuse. */
class QueueProblem extends Error {}

export interface SendOptions {
  readonly messageAttributes?: Readonly<Record<string, MessageAttribute>>;
}

export interface QueueOptions {
  readonly definition: QueueDefinition;
  /** Absent: in memory. */
  readonly directory: string | undefined;
  readonly clock: Clock;
  /** Takes a message that was received too often. When this returns, the message is stored in another queue. */
  readonly giveUp: (message: Message, toArn: string) => void;
  /** Messages are received in random order. */
  readonly disorder: Disorder | undefined;
}

export class Queue {
  readonly definition: QueueDefinition;
  readonly settings: QueueSettings;
  readonly #clock: Clock;
  readonly #giveUp: QueueOptions["giveUp"];
  readonly #disorder: Disorder | undefined;
  readonly #messages: KeptMessages;
  readonly #listeners = new Set<() => void>();
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor({ definition, directory, clock, giveUp, disorder }: QueueOptions) {
    this.definition = definition;
    this.settings = readQueueSettings(definition);
    this.#clock = clock;
    this.#giveUp = giveUp;
    this.#disorder = disorder;
    this.#messages = new KeptMessages(directory && join(directory, `${definition.name}.jsonl`));
  }

  /** Messages that can be received now. */
  get visible(): number {
    this.#tidy();
    return this.#messages.visible.size;
  }

  /** The messages that can be received now. Listing them does not receive them. */
  list(): readonly Message[] {
    this.#tidy();
    return [...this.#messages.visible.values()];
  }

  /** Messages that were received and come back unless they are deleted. */
  get inFlight(): number {
    this.#tidy();
    return this.#messages.inFlight;
  }

  /** Calls the listener when there may be a message to receive. */
  onVisible(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws QueueProblem when the message is empty or too large */
  send(body: string, { messageAttributes = {} }: SendOptions = {}): Message {
    if (body === "") throw new QueueProblem("The request must contain the parameter MessageBody.");
    if (Buffer.byteLength(body) > largestMessage) {
      throw new QueueProblem(
        `One or more parameters are invalid. Reason: Message must be shorter than ${largestMessage} bytes.`,
      );
    }
    const message = newMessage(body, messageAttributes, this.#clock.now());
    this.put(message);
    return message;
  }

  /** Takes a message unchanged. A message that the queue already has is not added again. */
  put(message: Message): void {
    if (this.#messages.has(message.messageId)) return;
    this.#messages.add(message);
    this.#tell();
  }

  /** Receives messages and hides them for a time, the queue's visibility timeout when absent. */
  receive(most: number, visibilitySeconds?: number): ReceivedMessage[] {
    this.#tidy();
    const now = this.#clock.now();
    const until = now + (visibilitySeconds === undefined ? this.settings.visibility : visibilitySeconds * 1000);
    const { redrive } = this.settings;
    const messages: ReceivedMessage[] = [];
    const visible = this.#messages.visible.values();
    for (const message of this.#disorder?.shuffled(visible) ?? visible) {
      if (messages.length >= most) break;
      if (redrive && message.receivedHere >= redrive.receives) {
        this.#giveUp({ ...message, receivedHere: 0, sourceArn: this.definition.arn }, redrive.arn);
        this.#messages.remove(message.messageId);
      } else messages.push({ ...received(message, now), receiptHandle: newReceiptHandle() });
    }
    this.#messages.receive(messages, now, until);
    if (messages.length > 0) this.#surfaceAt(until);
    return messages;
  }

  /** Deletes a received message. An older receipt handle has no effect. */
  delete(receiptHandle: string): void {
    const hidden = this.#messages.byHandle(receiptHandle);
    if (hidden) this.#messages.remove(hidden.message.messageId);
  }

  close(): void {
    this.#timer?.cancel();
    this.#listeners.clear();
    this.#messages.close();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Schedules the moment at which messages hidden until then become visible. */
  #surfaceAt(until: number): void {
    if (this.#timer && this.#timer.at <= until) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(until - this.#clock.now(), () => {
      this.#timer = undefined;
      this.#tidy();
      const times = [...this.#messages.hidden.values()].map((hidden) => hidden.until);
      if (times.length > 0) this.#surfaceAt(times.reduce((least, one) => Math.min(least, one)));
    });
    this.#timer = { at: until, cancel };
  }

  /** Makes messages visible whose timeout is over. */
  #tidy(): void {
    const now = this.#clock.now();
    const due = [...this.#messages.hidden.values()].filter(({ until }) => until <= now);
    for (const hidden of due) this.#messages.show(hidden);
    if (due.length > 0) this.#tell();
  }
}
