/** Rules of a table at rest, and the pure parts of the operators' commands (`docs/operating.md`). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { newSeats, type Seats } from "#domain/registrations/seats/seats.ts";
import { registrationStatuses } from "#domain/registrations/statuses.ts";
import type { Item, Key } from "#kit/table.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { kinds } from "../../lib/invariants/finding.ts";
import { markersOf } from "../../lib/invariants/messages.ts";
import { pointsMissing } from "../../lib/invariants/people.ts";
import { judged, ruleOf } from "../../lib/invariants/rules.ts";
import { Counts, countDifferences } from "../../lib/invariants/seats.ts";
import { originOf, type QueueFacts } from "../../lib/ops/origin.ts";
import { timeIn } from "../../lib/ops/times.ts";
import { shownOf } from "../../lib/ops/who.ts";
import { eventRecord, registrationItem } from "./given.ts";

const registrations = fc.array(
  fc.record({
    status: fc.constantFrom(...registrationStatuses),
    isPartner: fc.boolean(),
    choices: fc.constantFrom<Record<string, string>>({}, { w: "A" }, { w: "B", x: "A" }),
  }),
  { maxLength: 15 },
) as fc.Arbitrary<Pick<RegistrationRecord, "status" | "isPartner" | "choices">[]>;

test("adding the differences makes any counters those of the registrations, and then there is none", () => {
  const counter = fc.integer({ min: -3, max: 9 });
  const stored = fc.record({ seats: counter, registered: counter, partners: counter, w: counter, y: counter });
  fc.assert(
    fc.property(registrations, stored, (all, { w, y, ...counters }) => {
      const counts = new Counts();
      for (const one of all) counts.add(one);
      const taken: Record<string, Record<string, number>> = { w: { A: w }, y: { Z: y } };
      const seats = { ...newSeats(eventRecord(), false), ...counters, taken } as Seats;
      const mended = structuredClone(seats) as unknown as Record<string, number> & { taken: typeof taken };
      for (const { of, by } of countDifferences(counts, seats)) {
        if (typeof of === "string") mended[of] = (mended[of] ?? 0) + by;
        else
          mended.taken[of.question] = {
            ...mended.taken[of.question],
            [of.choice]: (mended.taken[of.question]?.[of.choice] ?? 0) + by,
          };
      }
      expect(countDifferences(counts, mended as unknown as Seats)).toEqual([]);
    }),
  );
});

test("every kind of damage is on the operators' page", () => {
  const page = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8");
  expect(Object.keys(kinds).filter((kind) => !page.includes(`| ${kind} |`))).toEqual([]);
});

test("no item of the table, however damaged, breaks its rule without a finding", () => {
  const key = fc.constantFrom(
    ...["EVENT#a#1", "SEAT#a#1#00", "WAIT#a#1", "USER#a@b.ca", "HOLD", "PID#a", "PAY#a"],
    ...["OUT#2030010100#1", "SENT#a#mail#b", "CMP", "CMP#a", "TPL", "TPL#a", "FB#a", "BTXP#a", "BTXA#a", "BTXT#a", "X"],
  );
  const sort = fc.constantFrom(
    "META",
    "POOL",
    "REG#a#1",
    "USER",
    "MEMBER",
    "PROFILE",
    "CHECKOUT#MEMBER",
    "BTX#a",
    "SENT",
    "BATCH#00000",
    "x",
  );
  const facts = { find: () => undefined, now: 0, isImported: false };
  fc.assert(
    fc.property(key, sort, fc.dictionary(fc.string(), fc.jsonValue()), (PK, SK, fields) => {
      const item = { ...fields, PK, SK } as unknown as Item;
      const look = () => {
        ruleOf(item, true)?.rule.related(item);
        return judged(item, true, facts);
      };
      // The walk turns an error into a finding of its own; only a loop or a wrong key could hurt it.
      try {
        expect(Array.isArray(look())).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
      }
    }),
  );
});

test("a member whose account is not marked is found after an import, and may be meant so otherwise", () => {
  const email = "ann@x.ca";
  const list = { GSI1PK: "MEMBERS#0", GSI1SK: email };
  const member = { PK: `USER#${email}`, SK: "MEMBER", ...list, email, createdBy: "import" } as unknown as Item;
  const found = (isMember: boolean, isImported: boolean) => {
    const user = { PK: `USER#${email}`, SK: "USER", email, isMember } as unknown as Item;
    const facts = { find: ({ SK }: Item) => (SK === "USER" ? user : undefined), now: 0, isImported };
    return judged(member, true, facts as never).map(({ kind }) => kind);
  };
  expect(found(false, true)).toEqual(["unmarked member"]);
  expect([found(true, true), found(false, false)]).toEqual([[], []]);
});

describe("the hold of an unpaid seat", () => {
  const minute = 60_000;
  const now = Date.parse("2030-01-01T00:00:00Z");
  const email = "ann@x.ca";
  /** All times are minutes from now. */
  const registrationUntil = (end: number) =>
    registrationItem({ email, status: "incomplete", holdExpiresAt: now + end * minute }) as unknown as Item;
  const hold = (end: number, moved: { readonly to?: number; readonly failures?: number } = {}): Item => {
    const { to = end, ...failures } = moved;
    const SK = `${now + to * minute}#gala#2030#${email}`;
    return { PK: "HOLD", SK, email, event: { id: "gala", year: 2030 }, expiresAt: now + end * minute, ...failures };
  };

  test.each<[string, Item, Item | undefined, string[], string[]]>([
    ["is there", registrationUntil(30), hold(30), [], []],
    ["is missing", registrationUntil(30), undefined, ["no hold"], []],
    ["is of another end", registrationUntil(30), hold(31), ["no hold"], ["hold of no person"]],
    ["waits for the sweeper", registrationUntil(-14), hold(-14), [], []],
    ["is over", registrationUntil(-15), hold(-15), [], ["hold over"]],
    ["was moved a short while ago", registrationUntil(-14), hold(-14, { to: 1, failures: 4 }), [], []],
    ["was moved and is over", registrationUntil(-15), hold(-15, { to: 1, failures: 4 }), ["hold over"], []],
    ["is missing and over", registrationUntil(-15), undefined, ["hold over"], []],
  ])("that %s", (_name, registration, stored, ofRegistration, ofHold) => {
    const all = stored ? [registration, stored] : [registration];
    const find = ({ PK, SK }: Key) => all.find((one) => one.PK === PK && one.SK === SK);
    const found = (item: Item) => judged(item, true, { find, now, isImported: false }).map(({ kind }) => kind);
    expect(found(registration).filter((kind) => kind.includes("hold"))).toEqual(ofRegistration);
    expect(stored ? found(stored) : []).toEqual(ofHold);
  });

  test.each<[string, Item, string[]]>([
    ["is removed at the next try", hold(-15, { to: -14, failures: 1 }), []],
    ["should have been removed at the next try", hold(-30, { to: -15, failures: 1 }), ["hold of no person"]],
  ])("that was left behind by a longer one %s", (_name, left, expected) => {
    const facts = { find: () => registrationUntil(30), now, isImported: false };
    expect(judged(left, true, facts).map(({ kind }) => kind)).toEqual(expected);
  });
});

describe("points of a person", () => {
  const reg = (points: number, createdAt: number) => ({ status: "checkedIn" as const, points, createdAt });
  test.each([
    ["agree", { createdAt: 1 }, 5, [reg(5, 2)], 0],
    ["are too few", { createdAt: 1 }, 3, [reg(5, 2)], 2],
    ["are too many", undefined, 9, [reg(5, 2)], -4],
    ["of before the account was deleted are forgotten", { createdAt: 9 }, undefined, [reg(5, 2)], 0],
    ["of a person without an account may be forgotten", undefined, undefined, [reg(5, 2)], 0],
  ])("%s", (_name, user, points, all, missing) => {
    expect(pointsMissing({ user, points, registrations: all }, false)).toBe(missing);
  });

  test("are never forgotten after an import", () => {
    expect(pointsMissing({ user: undefined, points: undefined, registrations: [reg(5, 2)] }, true)).toBe(5);
  });
});

test.each<[string, object, string[]]>([
  ["registration.registered", { notice: "registered", email: "a" }, ["mail", "chat"]],
  ["registration.updated", { notice: "registered", email: "a" }, ["mail"]],
  ["registration.checkedIn", { notice: "checkedIn", email: "a" }, ["chat"]],
  ["registration.updated", { email: "a" }, []],
  ["registration.registered", { notice: "constructor", email: "a" }, []],
  ["payment.refundRequired", { email: "a" }, ["chat"]],
  ["member.granted", { email: "a" }, ["mail"]],
  ["event.created", { id: "a" }, []],
])("%s with %j has the markers %j", (type, data, channels) => {
  const markers = markersOf({ type, data } as unknown as OutboxMessage, "id");
  expect(markers.map(({ channel }) => channel)).toEqual(channels);
});

test("dead letters go back to the first queue of their chain, and those of no queue nowhere", () => {
  const queue = (arn: string, givesUpTo?: string) =>
    ({ arn, name: arn, url: arn, messages: 0, ...(givesUpTo && { givesUpTo }) }) as QueueFacts;
  const queues = [
    queue("Mail", "Later"),
    queue("Later", "Dead"),
    queue("Dead"),
    queue("Relay"),
    queue("A", "B"),
    queue("B", "A"),
  ];
  expect([originOf("Dead", queues)?.arn, originOf("Relay", queues), originOf("A", queues) !== undefined]).toEqual([
    "Mail",
    undefined,
    true,
  ]);
});

test("times are durations before now, or dates with an offset", () => {
  const now = Date.parse("2030-01-02T00:00:00Z");
  expect(timeIn("from", "90m", now)).toBe(now - 5_400_000);
  expect(timeIn("from", "2030-01-01T16:00-08:00", now)).toBe(now);
  for (const wrong of ["", "1", "1w", "2030-01-01", "2030-01-01T10:00", "soon", "2030-01-03T00:00Z", "-1h"]) {
    expect(() => timeIn("from", wrong, now)).toThrow("--from");
  }
});

describe("what is kept about a person", () => {
  const me = "ann@x.ca";
  const shown = (item: object) => shownOf({ PK: "X", SK: "Y", ...item } as Item, me);

  test("leaves out records of longer addresses, and the other recipients of a batch", () => {
    for (const other of ["joann@x.ca", "ann@x.ca.example", "ann@x.cab", "b.ann@x.ca"]) {
      expect(shown({ PK: `USER#${other}`, email: other })).toBeUndefined();
    }
    const batch = { PK: "CMP#c", SK: "BATCH#00000", recipients: [{ email: me }, { email: "bob@x.ca" }] };
    expect(shown(batch)?.record).toEqual({ PK: "CMP#c", SK: "BATCH#00000", recipients: [{ email: me }] });
  });

  test("tells of an action about another person only its kind and time", () => {
    const metadata = { actor: me, occurredAt: "t" };
    const row = {
      PK: "OUT#2030010100#1",
      SK: "id",
      detailType: "user.deleted",
      detail: { metadata, data: { email: "bob@x.ca" } },
    };
    expect(shown(row)).toEqual({ kind: "actions about others", record: { detailType: "user.deleted", metadata } });
    expect(JSON.stringify(shown({ PK: "PRIZE", SK: "p", note: `given by ${me}.`, to: "bob@x.ca" }))).not.toContain(
      "bob",
    );
  });
});

/** One key of each item in the data model of `docs/design.md`. A word in place of a value is its own example. */
function documentedKeys(): { PK: string; SK: string }[] {
  const design = readFileSync(new URL("../../docs/design.md", import.meta.url), "utf8");
  const table = /^\| item \| PK \/ SK \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(design)?.[1] ?? "";
  const words = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
  return table.split("\n").flatMap((row) =>
    (row.split(" | ")[1] ?? "").split(", and ").flatMap((keys) => {
      const [partition, sort = ""] = keys.split(" / ");
      const sorts = words(sort).length > 0 ? words(sort) : [sort];
      return words(partition).flatMap((PK) => sorts.map((SK) => ({ PK: PK.replace(/0\.\.7$/, "0"), SK })));
    }),
  );
}

test("every item of the data model is known", () => {
  const keys = documentedKeys();
  expect(keys.length).toBeGreaterThan(40);
  expect(keys.filter((key) => ruleOf(key, true) === undefined)).toEqual([]);
  expect(ruleOf({ PK: "NEW#x", SK: "NEW" }, true)).toBeUndefined();
});
