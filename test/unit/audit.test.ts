/** What the audit notes of a change (`docs/contract.md`, "Audit"). */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { changesOf } from "#outbox/audit.ts";
import { changeIn } from "#outbox/trail.ts";

test("fields that differ, with their values; personal and long ones by name; counters not at all", () => {
  const before = { status: "registered", points: 3, phone: "1", text: "short", version: 1, updatedAt: 1 };
  const after = {
    status: "waitlist",
    phone: "2",
    text: "x".repeat(400),
    version: 2,
    updatedAt: 2,
    again: { since: 1 },
  };
  expect(changesOf(before, after, ["phone"])).toEqual([
    { field: "phone" },
    { field: "points", before: 3 },
    { field: "status", before: "registered", after: "waitlist" },
    { field: "text" },
  ]);
  expect(changesOf(before, before)).toEqual([]);
});

test("whatever a record has, no personal value is noted, and a changed field is", () => {
  const fields = fc.dictionary(fc.constantFrom("a", "b", "diet", "phone"), fc.string());
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const changes = changesOf(before, after, ["diet", "phone"]);
      for (const change of changes) {
        if (change.field === "diet" || change.field === "phone") expect(Object.keys(change)).toEqual(["field"]);
      }
      const changed = new Set(changes.map(({ field }) => field));
      for (const field of ["a", "b", "diet", "phone"]) {
        expect([field, changed.has(field)]).toEqual([field, before[field] !== after[field]]);
      }
    }),
  );
});

test("a row of the outbox and one of the audit read the same", () => {
  const metadata = { occurredAt: "2030-01-01T00:00:00.000Z", actor: "exec@club.example", correlationId: "r1" };
  const said = { at: Date.parse(metadata.occurredAt), actor: metadata.actor, requestId: "r1" };
  const message = {
    ...{ PK: "OUT#2030010100#1", SK: "01", detailType: "event.updated" },
    ...{ detail: { metadata, data: { id: "gala", year: 2030 } }, audit: { changes: [{ field: "capac" }] } },
  };
  const event = { eventID: "gala", year: 2030 };
  expect(changeIn(message as never)).toEqual({
    id: "01",
    action: "event.updated",
    ...said,
    ...event,
    changes: [{ field: "capac" }],
  });
  const row = { PK: "AUD#2030010100", SK: "02", action: "prize.updated", ...said, id: "p1", audit: { reason: "typo" } };
  expect(changeIn(row as never)).toEqual({ id: "02", action: "prize.updated", ...said, of: "p1", reason: "typo" });
});
