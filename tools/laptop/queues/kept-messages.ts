/** The visible and the hidden messages of one queue, kept in a journal. */
import { Journal } from "../service-kit/journal.ts";
import type { Message, ReceivedMessage } from "./message.ts";

export interface Hidden {
  readonly message: Message;
  /** Epoch milliseconds. */
  readonly until: number;
  /** The handle of the last receipt. */
  readonly receiptHandle: string;
}

/** A message was put into the queue, received, or deleted. */
type Line =
  | { readonly put: Message }
  | { readonly got: readonly string[]; readonly at: number }
  | { readonly gone: string };

/** The message after one more receipt. */
export const received = (message: Message, now: number): Message => ({
  ...message,
  receiveCount: message.receiveCount + 1,
  receivedHere: message.receivedHere + 1,
  firstReceivedAt: message.firstReceivedAt ?? now,
});

export class KeptMessages {
  readonly #visible = new Map<string, Message>();
  readonly #hidden = new Map<string, Hidden>();
  /** Ids of hidden messages by the handle of their last receipt. */
  readonly #handles = new Map<string, string>();
  readonly #journal: Journal<Line>;

  /**
   * Messages that were in flight when the process ended can be received again at once: their receivers ended with it.
   * @param file absent: in memory
   */
  constructor(file: string | undefined) {
    this.#journal = Journal.open({ file, current: () => this.#lines() }, (line: Line) => this.#replay(line));
  }

  get visible(): ReadonlyMap<string, Message> {
    return this.#visible;
  }

  get hidden(): ReadonlyMap<string, Hidden> {
    return this.#hidden;
  }

  /** The number of messages that were received and are hidden. */
  get inFlight(): number {
    return this.#handles.size;
  }

  /** The message of this receipt handle, while it is hidden. */
  byHandle(receiptHandle: string): Hidden | undefined {
    return this.#hidden.get(this.#handles.get(receiptHandle) ?? "");
  }

  has(id: string): boolean {
    return this.#visible.has(id) || this.#hidden.has(id);
  }

  add(message: Message): void {
    this.#journal.append({ put: message });
    this.#visible.set(message.messageId, message);
  }

  /** Notes that messages were received and hides them. */
  receive(messages: readonly ReceivedMessage[], at: number, until: number): void {
    if (messages.length > 0) this.#journal.append({ got: messages.map(({ messageId }) => messageId), at });
    for (const { receiptHandle, ...message } of messages) {
      this.#visible.delete(message.messageId);
      this.#hidden.set(message.messageId, { message, until, receiptHandle });
      this.#handles.set(receiptHandle, message.messageId);
    }
  }

  show({ message, receiptHandle }: Hidden): void {
    this.#hidden.delete(message.messageId);
    this.#handles.delete(receiptHandle);
    this.#visible.set(message.messageId, message);
  }

  remove(id: string): void {
    const receiptHandle = this.#hidden.get(id)?.receiptHandle;
    if (receiptHandle !== undefined) this.#handles.delete(receiptHandle);
    this.#hidden.delete(id);
    this.#visible.delete(id);
    this.#journal.append({ gone: id });
  }

  close(): void {
    this.#journal.close();
  }

  #replay(line: Line): void {
    if ("put" in line) {
      this.#visible.set(line.put.messageId, line.put);
    } else if ("gone" in line) {
      this.#visible.delete(line.gone);
    } else {
      for (const id of line.got) {
        const message = this.#visible.get(id);
        if (message) this.#visible.set(id, received(message, line.at));
      }
    }
  }

  #lines(): Line[] {
    const hidden = [...this.#hidden.values()].map(({ message }) => message);
    return [...this.#visible.values(), ...hidden].map((put) => ({ put }));
  }
}
