/** The version of a list of events (`lambda/domain/events/list-version.ts`). */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import "./environment.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { eventRecord } from "./given.ts";

const { listVersionMove, listVersionsOf } = await import("#domain/events/list-version.ts");
const { eventItem, putNewEvent, removeEvent, replaceEvent } = await import("#domain/events/store.ts");
const { startingNext } = await import("#domain/events/list.ts");

type Moves = { ":visible": number; ":hidden": number };

/** A table of events, and what their writers add to the versions. */
class Written {
  readonly events = new Map<string, EventRecord>();
  stored = { visible: 0, hidden: 0 };

  apply({ listVersions }: ReturnType<typeof putNewEvent>): void {
    const moves = listVersions.Update?.ExpressionAttributeValues as Moves;
    this.stored = { visible: this.stored.visible + moves[":visible"], hidden: this.stored.hidden + moves[":hidden"] };
  }

  /** Creates the event, edits it, or deletes it. */
  step({ id, isPublished, isDeleted }: { id: string; isPublished: boolean; isDeleted: boolean }, at: number): void {
    const known = this.events.get(id);
    const fields = { id, isPublished, generation: known?.generation ?? `i${at}`, version: (known?.version ?? 0) + 1 };
    const after = eventRecord(fields);
    if (!known) this.apply(putNewEvent(after));
    else this.apply(isDeleted ? removeEvent(known) : replaceEvent(after, known));
    if (known && isDeleted) this.events.delete(id);
    else this.events.set(id, after);
  }
}

const steps = fc.array(
  fc.record({ id: fc.constantFrom("a", "b", "c"), isPublished: fc.boolean(), isDeleted: fc.boolean() }),
  { maxLength: 12 },
);

test("after any writes the stored versions are those of the events, and an earlier list has another one", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const written = new Written();
      const earlier: EventRecord[][] = [];
      for (const [at, step] of all.entries()) {
        earlier.push([...written.events.values()]);
        written.step(step, at);
      }
      expect(listVersionsOf([...written.events.values()])).toEqual(written.stored);
      const events = JSON.stringify([...written.events.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
      for (const list of earlier) {
        const isSame = JSON.stringify(list.sort((a, b) => (a.id < b.id ? -1 : 1))) === events;
        const { visible, hidden } = listVersionsOf(list);
        expect([isSame, visible === written.stored.visible && hidden === written.stored.hidden]).toEqual([
          isSame,
          isSame,
        ]);
      }
    }),
  );
});

test("two million events have an exact version", () => {
  const most = listVersionsOf([eventRecord()]).visible;
  expect(most).toBeLessThan(2 ** 32);
  expect(Number.isSafeInteger(2 ** 32 * 2_000_000)).toBe(true);
});

test.each<[string, Partial<EventRecord>, boolean]>([
  ["an edit", { version: 2 }, true],
  ["another generation", { generation: "again" }, true],
  ["nothing that an edit would count", { ename: "Other" }, false],
])("%s moves the version: %p", (_, changes, isMoved) => {
  const before = eventRecord({ version: 1 });
  expect(listVersionMove(before, { ...before, ...changes }).visible !== 0).toBe(isMoved);
});

test("the item of an event is in the list whose version it moves", () => {
  for (const isPublished of [true, false]) {
    const event = eventRecord({ isPublished });
    const { visible, hidden } = listVersionMove(undefined, event);
    expect([eventItem(event).GSI1PK, visible !== 0, hidden !== 0]).toEqual(
      isPublished ? ["EVENTS#0", true, false] : ["EVENTS#H", false, true],
    );
  }
});

test("only the three writers of the store put the item of an event into the table", () => {
  const root = new URL("../../", import.meta.url);
  const files = ["lambda", "lib"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const naming = files.filter(
    (file) => file.endsWith(".ts") && /\beventItem\b/.test(readFileSync(new URL(file, root), "utf8")),
  );
  // The invariants compare the index attributes of an item with those that it must have.
  expect(naming.sort()).toEqual(["lambda/domain/events/store.ts", "lib/invariants/others.ts"]);
});

test("the active event of a list is the one that the index would find", () => {
  const now = Date.parse("2030-01-01T00:00:00.000Z");
  const starting = (id: string, startDate?: string) =>
    eventRecord({ id, ...(startDate !== undefined && { startDate }) });
  const list = [
    starting("z", "2031-01-01T00:00:00.000Z"),
    starting("b", "2030-01-01T00:00:00.001Z"),
    starting("a", "2030-01-01T00:00:00.001Z"),
    starting("now", "2030-01-01T00:00:00.000Z"),
    starting("past", "2029-12-31T00:00:00.000Z"),
    starting("undated"),
  ];
  expect(startingNext(list, now)?.id).toBe("a");
  expect(startingNext(list, now + 1)?.id).toBe("z");
  expect(startingNext(list, Date.parse("2031-01-01T00:00:00.000Z"))).toBeUndefined();
});
