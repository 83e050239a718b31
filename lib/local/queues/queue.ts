/** One standard queue: what can be received, what is hidden for a while, and a journal of both. */
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { Journal } from "../journal.ts";
import { type Message, type MessageAttribute, newMessage, newReceiptHandle, type ReceivedMessage } from "./message.ts";
import { type QueueDefinition, type QueueSettings, readQueueSettings } from "./properties.ts";

/** A request that SQS would refuse. */
export class QueueProblem extends Error {}

export interface SendOptions {
  readonly messageAttributes?: Readonly<Record<string, MessageAttribute>>;
  /** The queue's own when absent. */
  readonly delaySeconds?: number;
}

export interface QueueOptions {
  readonly definition: QueueDefinition;
  /** Absent: in memory. */
  readonly directory: string | undefined;
  readonly clock: Clock;
  /** Takes a message that was received too often. It is out of this queue when this returns. */
  readonly giveUp: (message: Message, toArn: string) => void;
}

interface Hidden {
  readonly message: Message;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Of whoever received it; absent while it is delayed. */
  readonly receiptHandle?: string;
}

/** Put into the queue, received, deleted. */
type Line =
  | { readonly put: Message; readonly until?: number }
  | { readonly got: readonly string[]; readonly at: number }
  | { readonly gone: string };

const received = (message: Message, now: number): Message => ({
  ...message,
  receiveCount: message.receiveCount + 1,
  receivedHere: message.receivedHere + 1,
  firstReceivedAt: message.firstReceivedAt ?? now,
});

export class Queue {
  readonly definition: QueueDefinition;
  readonly settings: QueueSettings;
  readonly #clock: Clock;
  readonly #giveUp: QueueOptions["giveUp"];
  readonly #visible = new Map<string, Message>();
  readonly #hidden = new Map<string, Hidden>();
  /** Ids of hidden messages by the receipt handle that they were last received with. */
  readonly #handles = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #journal: Journal<Line>;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor({ definition, directory, clock, giveUp }: QueueOptions) {
    this.definition = definition;
    this.settings = readQueueSettings(definition);
    this.#clock = clock;
    this.#giveUp = giveUp;
    const file = directory && join(directory, `${definition.name}.jsonl`);
    // Whoever had received a message ended with the process: it is delivered again at once.
    this.#journal = Journal.open({ file, current: () => this.#lines() }, (line: Line) => this.#replay(line));
    for (const { until } of this.#hidden.values()) this.#surfaceAt(until);
  }

  /** Messages that can be received now. */
  get visible(): number {
    this.#tidy();
    return this.#visible.size;
  }

  /** Messages that somebody has received and that come back unless they are deleted. */
  get inFlight(): number {
    this.#tidy();
    return this.#handles.size;
  }

  get delayed(): number {
    return this.#hidden.size - this.inFlight;
  }

  /** Hears when there may be something to receive. */
  onVisible(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws QueueProblem when the message is empty or too large */
  send(body: string, { messageAttributes = {}, delaySeconds }: SendOptions = {}): Message {
    const { largestMessage } = this.settings;
    if (body === "") throw new QueueProblem("The request must contain the parameter MessageBody.");
    if (Buffer.byteLength(body) > largestMessage) {
      throw new QueueProblem(
        `One or more parameters are invalid. Reason: Message must be shorter than ${largestMessage} bytes.`,
      );
    }
    const message = newMessage(body, messageAttributes, this.#clock.now());
    this.put(message, delaySeconds === undefined ? this.settings.delay : delaySeconds * 1000);
    return message;
  }

  /** Takes a message as it is; one that the queue has already is not doubled. */
  put(message: Message, delay = 0): void {
    if (this.#visible.has(message.messageId) || this.#hidden.has(message.messageId)) return;
    const until = this.#clock.now() + delay;
    this.#journal.append({ put: message, ...(delay > 0 && { until }) });
    if (delay > 0) this.#hide({ message, until });
    else this.#show(message);
  }

  /** Receives messages and hides them from others for a time, the queue's own when absent. */
  receive(most: number, visibilitySeconds?: number): ReceivedMessage[] {
    this.#tidy();
    const now = this.#clock.now();
    const until = now + (visibilitySeconds === undefined ? this.settings.visibility : visibilitySeconds * 1000);
    const { redrive } = this.settings;
    const messages: ReceivedMessage[] = [];
    for (const message of this.#visible.values()) {
      if (messages.length >= most) break;
      if (redrive && message.receivedHere >= redrive.receives) {
        this.#giveUp({ ...message, receivedHere: 0, sourceArn: this.definition.arn }, redrive.arn);
        this.#remove(message.messageId);
      } else messages.push({ ...received(message, now), receiptHandle: newReceiptHandle() });
    }
    if (messages.length > 0) this.#journal.append({ got: messages.map(({ messageId }) => messageId), at: now });
    for (const { receiptHandle, ...message } of messages) {
      this.#visible.delete(message.messageId);
      this.#hide({ message, until, receiptHandle });
    }
    return messages;
  }

  /** Deletes what was received; without effect when it has been received again since. */
  delete(receiptHandle: string): void {
    const id = this.#handles.get(receiptHandle);
    if (id !== undefined) this.#remove(id);
  }

  /** Changes for how long from now what was received stays hidden. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    this.#tidy();
    const hidden = this.#hidden.get(this.#handles.get(receiptHandle) ?? "");
    if (!hidden) throw new QueueProblem("The message referred to is not in flight.");
    this.#hide({ ...hidden, until: this.#clock.now() + seconds * 1000 });
  }

  /** Deletes everything. */
  purge(): void {
    for (const id of [...this.#visible.keys(), ...this.#hidden.keys()]) this.#remove(id);
  }

  close(): void {
    this.#timer?.cancel();
    this.#listeners.clear();
    this.#journal.close();
  }

  #show(message: Message): void {
    this.#visible.set(message.messageId, message);
    for (const listener of this.#listeners) listener();
  }

  #hide(hidden: Hidden): void {
    const { messageId } = hidden.message;
    this.#hidden.set(messageId, hidden);
    if (hidden.receiptHandle !== undefined) this.#handles.set(hidden.receiptHandle, messageId);
    this.#surfaceAt(hidden.until);
  }

  #remove(id: string): void {
    const hidden = this.#hidden.get(id);
    if (hidden?.receiptHandle !== undefined) this.#handles.delete(hidden.receiptHandle);
    this.#hidden.delete(id);
    this.#visible.delete(id);
    this.#journal.append({ gone: id });
  }

  /** Makes sure that what is hidden until then is noticed. */
  #surfaceAt(until: number): void {
    if (this.#timer && this.#timer.at <= until) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(until - this.#clock.now(), () => {
      this.#timer = undefined;
      this.#tidy();
      const times = [...this.#hidden.values()].map((hidden) => hidden.until);
      if (times.length > 0) this.#surfaceAt(times.reduce((least, one) => Math.min(least, one)));
    });
    this.#timer = { at: until, cancel };
  }

  /** Shows what has been hidden for long enough, and drops what has been kept for long enough. */
  #tidy(): void {
    const now = this.#clock.now();
    for (const [id, { until, message, receiptHandle }] of this.#hidden) {
      if (until > now) continue;
      this.#hidden.delete(id);
      if (receiptHandle !== undefined) this.#handles.delete(receiptHandle);
      this.#show(message);
    }
    for (const { messageId, sentAt } of this.#visible.values()) {
      if (sentAt + this.settings.retention > now) break;
      this.#remove(messageId);
    }
  }

  #replay(line: Line): void {
    if ("put" in line) {
      const { put: message, until = 0 } = line;
      if (until > this.#clock.now()) this.#hidden.set(message.messageId, { message, until });
      else this.#visible.set(message.messageId, message);
    } else if ("gone" in line) {
      this.#visible.delete(line.gone);
      this.#hidden.delete(line.gone);
    } else {
      for (const id of line.got) {
        const message = this.#visible.get(id) ?? this.#hidden.get(id)?.message;
        if (message) this.#visible.set(id, received(message, line.at));
        this.#hidden.delete(id);
      }
    }
  }

  #lines(): Line[] {
    return [
      ...[...this.#visible.values()].map((put) => ({ put })),
      ...[...this.#hidden.values()].map(({ message, until, receiptHandle }) =>
        receiptHandle === undefined ? { put: message, until } : { put: message },
      ),
    ];
  }
}
