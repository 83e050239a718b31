/** The messages of one queue, those that can be received and those that are hidden, with a journal of them. */
import { Journal } from "../service-kit/journal.ts";
import type { Message, ReceivedMessage } from "./message.ts";

export interface Hidden {
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

/** A message after it was received once more. */
export const received = (message: Message, now: number): Message => ({
  ...message,
  receiveCount: message.receiveCount + 1,
  receivedHere: message.receivedHere + 1,
  firstReceivedAt: message.firstReceivedAt ?? now,
});

export class KeptMessages {
  readonly #visible = new Map<string, Message>();
  readonly #hidden = new Map<string, Hidden>();
  /** Ids of hidden messages by the receipt handle that they were last received with. */
  readonly #handles = new Map<string, string>();
  readonly #journal: Journal<Line>;

  /**
   * Whoever had received a message ended with the process: it can be received again at once.
   * @param file absent: in memory
   */
  constructor(file: string | undefined, now: number) {
    this.#journal = Journal.open({ file, current: () => this.#lines() }, (line: Line) => this.#replay(line, now));
  }

  get visible(): ReadonlyMap<string, Message> {
    return this.#visible;
  }

  get hidden(): ReadonlyMap<string, Hidden> {
    return this.#hidden;
  }

  /** How many are hidden because somebody received them. */
  get inFlight(): number {
    return this.#handles.size;
  }

  /** The message that was last received with this handle, while it is hidden. */
  byHandle(receiptHandle: string): Hidden | undefined {
    return this.#hidden.get(this.#handles.get(receiptHandle) ?? "");
  }

  has(id: string): boolean {
    return this.#visible.has(id) || this.#hidden.has(id);
  }

  /** @param until epoch milliseconds; absent: it can be received now */
  add(message: Message, until?: number): void {
    this.#journal.append({ put: message, ...(until !== undefined && { until }) });
    if (until === undefined) this.#visible.set(message.messageId, message);
    else this.hide({ message, until });
  }

  /** Notes that messages were received and hides them. */
  receive(messages: readonly ReceivedMessage[], at: number, until: number): void {
    if (messages.length > 0) this.#journal.append({ got: messages.map(({ messageId }) => messageId), at });
    for (const { receiptHandle, ...message } of messages) {
      this.#visible.delete(message.messageId);
      this.hide({ message, until, receiptHandle });
    }
  }

  hide(hidden: Hidden): void {
    this.#hidden.set(hidden.message.messageId, hidden);
    if (hidden.receiptHandle !== undefined) this.#handles.set(hidden.receiptHandle, hidden.message.messageId);
  }

  show({ message, receiptHandle }: Hidden): void {
    this.#hidden.delete(message.messageId);
    if (receiptHandle !== undefined) this.#handles.delete(receiptHandle);
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

  #replay(line: Line, now: number): void {
    if ("put" in line) {
      const { put: message, until = 0 } = line;
      if (until > now) this.#hidden.set(message.messageId, { message, until });
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
