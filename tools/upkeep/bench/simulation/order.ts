/**
 * Checks the order in which a rush gets its seats at every commit, like the model of the capacity protocol
 * (`test/model/judge.ts`, JUMP and FIFO), for people without workshops.
 */
import type { SimulatedCall } from "./table.ts";

type Data = Record<string, unknown>;
interface Member {
  readonly Item?: Data;
  readonly Key?: Data;
  readonly ExpressionAttributeValues?: Data;
}

/** What an actor had read of the line. */
interface Known {
  /** Virtual milliseconds at which the actor began. */
  readonly began: number;
  places: Set<string>;
  /** The time of that read. */
  readAt: number;
}

const isPlace = (key: Data | undefined): boolean => String(key?.PK).startsWith("WAIT#");

export class OrderJudge {
  /** Newcomers who took a seat although they could know of a person in line. */
  jumps = 0;
  /** People who were seated from the line before a person ahead whom the promotion had read. */
  overtaken = 0;
  readonly #line = new Set<string>();
  readonly #known = new Map<string, Known>();
  /** Virtual milliseconds since which a place is in line. */
  readonly #joined = new Map<string, number>();

  begins(actor: string, now: number): void {
    this.#known.set(actor, { began: now, places: new Set(), readAt: -1 });
  }

  /** Observes each call, in the order of execution. */
  sees({ actor, operation, input, answer, sent }: SimulatedCall, now: number): void {
    const known = this.#known.get(actor);
    if (operation === "Query" && known && input.Select !== "COUNT" && sent >= known.readAt) {
      const items = (answer?.Items ?? []) as Data[];
      if (!input.ExclusiveStartKey) known.places = new Set();
      known.readAt = sent;
      for (const item of items) if (isPlace(item)) known.places.add(String(item.SK));
    }
    if (operation !== "TransactWriteItems" || !answer) return;
    this.#commit(
      (input.TransactItems as Record<string, Member>[]).map((item) => Object.entries(item)[0] as [string, Member]),
      known,
      now,
    );
  }

  #commit(members: readonly (readonly [string, Member])[], known: Known | undefined, now: number): void {
    const heirs: string[] = [];
    let isNewcomer = false;
    for (const [kind, { Item, Key, ExpressionAttributeValues: values }] of members) {
      if (kind === "Put" && isPlace(Item)) {
        this.#line.add(String(Item?.SK));
        this.#joined.set(String(Item?.SK), now);
      }
      if (kind === "Delete" && isPlace(Key)) this.#line.delete(String(Key?.SK));
      const isRegistration = String((Item ?? Key)?.SK).startsWith("REG#");
      if (isRegistration && kind === "Update" && values?.[":queueKey"]) heirs.push(String(values[":queueKey"]));
      if (isRegistration && kind === "Put" && Item?.status === "registered") isNewcomer = true;
    }
    if (!known || (heirs.length === 0 && !isNewcomer)) return;
    const last = heirs.toSorted().at(-1) ?? "";
    for (const place of this.#line) {
      const wasThere = (this.#joined.get(place) ?? Number.POSITIVE_INFINITY) <= known.began;
      if (isNewcomer && (known.places.has(place) || wasThere)) this.jumps += 1;
      if (place < last && known.places.has(place)) this.overtaken += 1;
    }
  }
}
