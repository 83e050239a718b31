/** Rules of a table at rest, and the pure parts of the operators' commands (`docs/runbook.md`). */
import { keyOf } from "#outbox/stored-kinds.ts";
import "../../../test/unit/environment.ts";

import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { EventRecord } from "#domain/events/event.ts";
import { shownOf } from "#domain/personal-data/shown.ts";
import type { Item, Key } from "#kit/table/table.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { eventRecord, registrationItem } from "../../../test/unit/given.ts";
import { asRead } from "../invariants/as-read.ts";
import { markersOf } from "../invariants/messages.ts";
import { pointsMissing } from "../invariants/people.ts";
import { QueueKeys, shareQueueKey } from "../invariants/queue-keys.ts";
import { choicesByAnswers } from "../invariants/registrations.ts";
import { judged, ruleOf } from "../invariants/rules.ts";
import { seatsPassWaiters } from "../invariants/seats.ts";
import { originOf, type QueueFacts } from "../origin.ts";

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
  const facts = { find: () => undefined, now: 0 };
  fc.assert(
    fc.property(key, sort, fc.dictionary(fc.string(), fc.jsonValue()), (PK, SK, fields) => {
      const item = { ...fields, PK, SK } as unknown as Item;
      const look = () => {
        ruleOf(item, true)?.rule.related(item);
        return judged(item, true, facts);
      };
      // The walk turns an error into a finding of its own; only a loop or a wrong key could hurt it.
      let found: unknown;
      try {
        found = look();
      } catch (error) {
        found = [error];
      }
      expect(Array.isArray(found)).toBe(true);
    }),
  );
});

test("a message that nobody has heard is damage, but not one about a person who is erased", () => {
  const [now, id] = [Date.parse("2030-01-10T00:00:00Z"), "01PS0S8H00D5R2Y8C1V6K9N4QA"];
  const row = (email: string): Item => ({
    ...keyOf("outbox row", { hour: "2030010100", shard: 1, ulid: id }),
    detailType: "registration.cancelled",
    detail: {
      metadata: { id, version: 1, occurredAt: "2030-01-08T00:00:00.000Z", actor: "system", correlationId: "r" },
      data: { email, fname: "", eventID: "gala", year: 2030, notice: "cancelled" },
    },
  });
  const kindsOf = (item: Item) => judged(item, true, { find: () => undefined, now }).map(({ kind }) => kind);
  expect(kindsOf(row("ann@x.ca"))).toEqual(["message not heard", "message not heard"]);
  expect(kindsOf(row("erased-0@erased.invalid"))).toEqual([]);
});

test("a member without an account is what an admin may make; after a grant or an import it is damage", () => {
  const email = "ann@x.ca";
  const list = { GSI1PK: "MEMBERS#0", GSI1SK: email };
  const found = (generation: string, profile?: object) => {
    const member = { PK: `USER#${email}`, SK: "MEMBER", ...list, email, generation } as unknown as Item;
    const facts = { find: ({ SK }: Item) => (SK === "PROFILE" ? (profile as Item) : undefined), now: 0 };
    return judged(member, true, facts).map(({ kind }) => kind);
  };
  expect(found("01ADMIN")).toEqual([]);
  expect(found("import")).toEqual([]);
  expect(found("import", { email, generation: "import" })).toEqual(["no account"]);
});

describe("the hold of an unpaid seat", () => {
  const minute = 60_000;
  const now = Date.parse("2030-01-01T00:00:00Z");
  const email = "ann@x.ca";
  /** All times are minutes from now. */
  const registrationUntil = (end: number) =>
    asRead(registrationItem({ email, status: "incomplete", holdExpiresAt: now + end * minute }) as unknown as Item);
  const hold = (end: number, moved: { readonly to?: number; readonly failures?: number } = {}): Item => {
    const { to = end, ...failures } = moved;
    const event = { id: "gala", year: 2030 };
    const key = keyOf("hold", { ms: now + to * minute, ...event, email });
    return { ...key, email, event, expiresAt: now + end * minute, ...failures };
  };

  test.each<[string, Item, Item | undefined, string[], string[]]>([
    ["is there", registrationUntil(30), hold(30), [], []],
    ["is missing", registrationUntil(30), undefined, ["no hold"], []],
    ["waits for the sweeper", registrationUntil(-14), hold(-14), [], []],
    ["is over", registrationUntil(-15), hold(-15), [], ["hold over"]],
    ["was moved a short while ago", registrationUntil(-14), hold(-14, { to: 1, failures: 4 }), [], []],
    ["is missing and over", registrationUntil(-15), undefined, ["hold over"], []],
  ])("that %s", (_name, registration, stored, ofRegistration, ofHold) => {
    const all = stored ? [registration, stored] : [registration];
    const find = ({ PK, SK }: Key) => all.find((one) => one.PK === PK && one.SK === SK);
    const found = (item: Item) => judged(item, true, { find, now }).map(({ kind }) => kind);
    expect(found(registration).filter((kind) => kind.includes("hold"))).toEqual(ofRegistration);
    expect(stored ? found(stored) : []).toEqual(ofHold);
  });

  test.each<[string, Item, string[]]>([
    ["is removed at the next try", hold(-15, { to: -14, failures: 1 }), []],
    ["should have been removed at the next try", hold(-30, { to: -15, failures: 1 }), ["hold of no person"]],
  ])("that was left behind by a longer one %s", (_name, left, expected) => {
    const facts = { find: () => registrationUntil(30), now };
    expect(judged(left, true, facts).map(({ kind }) => kind)).toEqual(expected);
  });
});

describe("points of a person", () => {
  const reg = (points: number, more: object = {}) => ({ status: "checkedIn" as const, points, ...more });
  test.each([
    ["agree", 5, [reg(5)], 0],
    ["are too few", 3, [reg(5)], 2],
    ["are missing", undefined, [reg(5)], 5],
    ["of before the account was deleted are in no total", undefined, [reg(5, { ofDeletedAccount: true })], 0],
    ["of before the account was deleted are in the total all the same", 5, [reg(5, { ofDeletedAccount: true })], -5],
  ])("%s", (_name, points, registrations, missing) => {
    expect(pointsMissing({ points, registrations })).toBe(missing);
  });
});

test.each<[string, object, string[]]>([
  ["registration.registered", { notice: "registered", email: "a" }, ["mail", "chat"]],
  ["registration.updated", { notice: "registered", email: "a" }, ["mail"]],
  ["registration.updated", { email: "a" }, []],
  ["registration.registered", { notice: "constructor", email: "a" }, []],
  ["payment.refundRequired", { email: "a" }, []],
  ["payment.refundFailed", { email: "a" }, ["chat"]],
  ["member.granted", { email: "a" }, ["mail"]],
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
  const design = readFileSync(new URL("../../../docs/design.md", import.meta.url), "utf8");
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
  expect(keys.length).toBeGreaterThan(30);
  expect(keys.filter((key) => ruleOf(key, true) === undefined)).toEqual([]);
  expect(ruleOf({ PK: "NEW#x", SK: "NEW" }, true)).toBeUndefined();
});

describe("people who wait with a direct gate", () => {
  test.each([
    ["free", true],
    ["priced", true],
    ["application", false],
  ] as const)("on an event that is %s: newcomers pass them is %s", (mode, passes) => {
    expect(seatsPassWaiters({ gate: "direct", mode })).toBe(passes);
    expect(seatsPassWaiters({ gate: "queued", mode })).toBe(false);
  });
});

describe("registrations with one queueKey", () => {
  const registration = (who: string, queueKey: string, more: object = {}) =>
    ({ PK: `USER#${who}@x.ca`, SK: "REG#gala#2030", status: "registered", queueKey, ...more }) as unknown as Item;
  const first = registration("ann", "1#A");
  const found = (second: Item) => {
    const met = new QueueKeys();
    expect(met.add(first)).toBeUndefined();
    return [met.add(second), shareQueueKey(second, first)];
  };

  test.each<[string, Item]>([
    ["of one event", registration("bob", "1#A")],
    ["of which one waits", registration("bob", "1#A", { status: "waitlist" })],
  ])("%s are found", (_name, second) => {
    expect(found(second)).toEqual([{ PK: "USER#ann@x.ca", SK: "REG#gala#2030" }, true]);
  });

  test.each<[string, Item]>([
    ["another queueKey of the same time", registration("bob", "1#B")],
    ["the same registration, met twice", first],
    ["another event", registration("bob", "1#A", { SK: "REG#gala#2031" })],
    ["a tombstone", registration("bob", "1#A", { status: "deleted" })],
  ])("control: %s is not one of them", (_name, second) => expect(found(second)).toEqual([undefined, false]));
});

describe("the counted choices of a registration", () => {
  const question = (questionId: string, type: string) => ({ questionId, label: "Q", type, required: false });
  const record = (types: Readonly<Record<string, string>>) =>
    ({
      ...eventRecord(),
      registrationQuestions: Object.entries(types).map(([id, type]) => question(id, type)),
      partnerRegistrationQuestions: [question("p", "WORKSHOP_SELECTION")],
    }) as unknown as EventRecord;
  const choicesOf = (fields: object, types: Readonly<Record<string, string>>) =>
    choicesByAnswers({ choices: {}, dynamicResponses: {}, isPartner: false, ...fields } as never, record(types));
  const [w, answered] = [{ w: "WORKSHOP_SELECTION" }, { dynamicResponses: { w: "A", t: "B" } }];

  test.each([
    ["are the answers to its workshops", answered, { ...w, t: "TEXT" }, { w: "A" }],
    ["are not those of before", { ...answered, choices: { w: "B" } }, w, { w: "A" }],
    [
      "stay where a question is no workshop any more",
      { ...answered, choices: { w: "A" } },
      { w: "SELECT" },
      { w: "A" },
    ],
    ["are missing where a question has become one", answered, w, { w: "A" }],
    ["of a partner are of the partners' questions", { isPartner: true, dynamicResponses: { p: "C" } }, w, { p: "C" }],
  ])("%s", (_name, fields, types, choices) => expect(choicesOf(fields, types)).toEqual(choices));
});

describe("a member's mark beside a profile", () => {
  const email = "ann@x.ca";
  const profile = { PK: `USER#${email}`, SK: "PROFILE", email, profileID: "AnnsGeckosJam" } as unknown as Item;
  const found = (isMember: boolean, hasMembership: boolean) => {
    const items: Readonly<Record<string, unknown>> = {
      USER: { email, isMember },
      PID: { email },
      ...(hasMembership && { MEMBER: { email } }),
    };
    const facts = { find: ({ SK }: Item) => items[SK], now: 0 };
    return judged(profile, true, facts as never).map(({ kind }) => kind);
  };
  test("without a membership is found; a membership that was deleted has taken the mark with it", () => {
    expect(found(true, false)).toEqual(["no membership"]);
    expect([found(true, true), found(false, false)]).toEqual([[], []]);
  });
});

describe("the marker of a mail about a registration", () => {
  const [PK, SK] = ["SENT#mail#a#b@x.ca", "gala#2030#01ARZ3NDEKTSV4RRFFQ69G5FAV"];
  const found = (more: object, registration: object | undefined, key: object = { PK, SK }) => {
    const item = { ...key, state: "sent", leaseUntil: 0, ...more } as unknown as Item;
    return judged(item, true, { find: () => registration as never, now: 0 });
  };
  const lost = [{ kind: "lost registration", says: "a#b@x.ca for gala;2030" }];

  test("whose registration is not there names the lost person", () => {
    expect(ruleOf({ PK, SK }, true)?.rule.related({ PK, SK } as Item)).toEqual([
      { PK: "USER#a#b@x.ca", SK: "REG#gala#2030" },
    ]);
    expect(found({}, undefined)).toEqual(lost);
    expect(found({}, { status: "deleted" })).toEqual([]);
    expect(found({}, undefined, { PK, SK: "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).toEqual([]);
    expect(found({}, undefined, { PK: "SENT#chat#a@x.ca", SK })).toEqual([]);
  });
});
