/** The events that are not yet delivered to all of their targets. A kill does not lose them. */
import { join } from "node:path";
import { Journal } from "../service-kit/journal.ts";
import type { BusEvent } from "./event.ts";

/** An event and its remaining targets. */
export interface Undelivered {
  readonly event: BusEvent;
  /** When the bus accepted it, in epoch milliseconds. */
  readonly at: number;
  /** Addresses of targets. */
  readonly to: readonly string[];
}

type Line = Undelivered | { readonly done: string; readonly to: string };

export class UndeliveredEvents {
  readonly #events = new Map<string, Undelivered>();
  readonly #journal: Journal<Line>;

  /** @param directory absent: nothing is kept */
  constructor(directory: string | undefined) {
    const file = directory && join(directory, "undelivered.jsonl");
    this.#journal = Journal.open({ file, current: () => this.all() }, (line: Line) => {
      if ("done" in line) this.#strike(line.done, line.to);
      else this.#events.set(line.event.id, line);
    });
  }

  all(): Undelivered[] {
    return [...this.#events.values()];
  }

  add(undelivered: Undelivered): void {
    this.#events.set(undelivered.event.id, undelivered);
    this.#journal.append(undelivered);
  }

  /** Records that an event is delivered to an address. */
  done(id: string, address: string): void {
    this.#strike(id, address);
    this.#journal.append({ done: id, to: address });
  }

  close(): void {
    this.#journal.close();
  }

  #strike(id: string, address: string): void {
    const undelivered = this.#events.get(id);
    if (!undelivered) return;
    const to = undelivered.to.filter((one) => one !== address);
    if (to.length > 0) this.#events.set(id, { ...undelivered, to });
    else this.#events.delete(id);
  }
}
