/** What is left of a person after a deletion, record by record (`docs/contract.md`, "A person's data"). */
import { describe, expect, test } from "@jest/globals";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { Item } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { registrationItem } from "./given.ts";

const { isBack, isUnforgotten, outlives, unnamed } = await import("#domain/personal-data/after-deletion.ts");
const { erasurePlan } = await import("#domain/personal-data/plan.ts");

const hour = 3_600_000;
const registeredAt = Date.parse("2030-01-01T10:20:30.456Z");
const toTheHour = Date.parse("2030-01-01T10:00:00Z");
const [email, pseudonym] = ["ada@unit.example", "erased-0@erased.invalid"];
const ulidOf = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const queueKey = `${registeredAt}#${ulidOf}`;

/** What of a registration may be absent. */
const optional = {
  applicant: false,
  applicationBased: false,
  pool: "partners",
  entryPrice: 0,
  checkedInAt: registeredAt + 2 * hour,
  cameFrom: "waitlist",
  paid: { amount: 1_000, currency: "CAD" },
  refunded: { amount: 500, currency: "CAD" },
  joined: "self/account",
  left: "admin/desk",
  leftAt: registeredAt + 3 * hour,
} as unknown as Partial<RegistrationRecord>;
const personal = {
  fname: "Ada",
  basicInformation: { diet: "vegan" },
  studentId: "123",
  paidBy: "cs_1",
  changedBy: "exec@club.example",
} as unknown as Partial<RegistrationRecord>;

const left = (more: Partial<RegistrationRecord>) => {
  const given = { queueKey, version: 7, choices: { w: "ai" }, dynamicResponses: { w: "ai" }, points: 9, ...more };
  return registrationIn(unnamed(registrationItem(given) as never, email, pseudonym) as never);
};

describe("a registration under another name", () => {
  test.each([
    [
      "the counts and the money, with times to the hour",
      optional,
      { ...optional, checkedInAt: toTheHour + 2 * hour, leftAt: toTheHour + 3 * hour },
    ],
    ["nothing that it did not have", {}, {}],
  ])("keeps %s, and nothing that the person entered", (_, given, kept) => {
    const {
      PK,
      SK,
      queueKey: place,
      ticketId,
      calendarUid,
      ...record
    } = left({
      ...personal,
      ...given,
      ...("paid" in given && { paid: { ...optional.paid, paymentIntent: "pi_1" } as never }),
    });
    expect(record).toStrictEqual({
      ...{ email: pseudonym, eventID: "gala", year: 2030, status: "registered", fname: "", basicInformation: {} },
      ...{ dynamicResponses: { w: "ai" }, choices: { w: "ai" }, isPartner: false, points: 9, ofDeletedAccount: true },
      ...{ generation: "i", version: 7, noticeVersion: 7, createdAt: toTheHour, updatedAt: toTheHour, ...kept },
    });
    expect([PK, SK]).toEqual([`USER#${pseudonym}`, "REG#gala#2030"]);
    expect(place).toMatch(new RegExp(`^${toTheHour}#[0-9A-Z]{26}$`));
    expect(place).not.toContain(ulidOf);
    expect(new Set([ticketId, calendarUid, "t", "c"]).size).toBe(4);
  });

  test.each([
    ["waitlist", "cancelled"],
    ["checkedIn", "checkedIn"],
  ] as const)("in the state %s is %s", (status, expected) => {
    expect(left({ status }).status).toBe(expected);
  });
});

describe("an account in the game under another name", () => {
  const item = { PK: "BTX#game", SK: `P1#${queueKey}`, GSI1PK: `TRD#${email}`, GSI1SK: queueKey, email, shares: 3 };
  const times = { at: registeredAt, tooEarly: 1e12, tooLate: 4e12, isOpen: true };

  test("has times to the hour and another id, the same one everywhere, and no name", () => {
    const before = {
      ...item,
      ...times,
      ttl: 1,
      displayName: "Ada L.",
      tradeId: queueKey,
      again: { since: 1, count: 1 },
    };
    const after = unnamed(before as never, email, pseudonym) as Item & { GSI1SK: string };
    expect(after.GSI1SK).toMatch(new RegExp(`^${toTheHour}#[0-9A-HJKMNP-TV-Z]{26}$`));
    expect(after.GSI1SK).not.toContain(ulidOf);
    expect(after).toEqual({
      ...{ PK: "BTX#game", SK: `P1#${queueKey}`, GSI1PK: `TRD#${pseudonym}`, GSI1SK: after.GSI1SK },
      ...{ email: pseudonym, shares: 3, ...times, at: toTheHour, displayName: "Player", tradeId: queueKey },
    });
  });

  test("gets neither a display name nor the id of a trade that it did not have", () => {
    const { GSI1SK: _, ...rest } = item;
    expect(unnamed(rest as never, email, pseudonym)).toEqual({
      ...{ PK: "BTX#game", SK: item.SK, GSI1PK: `TRD#${pseudonym}`, email: pseudonym, shares: 3 },
    });
  });

  test("two ids get two others", () => {
    const later = `${registeredAt + 5}#${ulidOf}`;
    const after = unnamed({ ...item, SK: queueKey, GSI1SK: later } as never, email, pseudonym);
    expect(after.SK).not.toBe(after.GSI1SK);
  });
});

const account = { PK: `USER#${email}`, SK: "USER" };
const registration = (more: Partial<RegistrationRecord> = {}) => registrationItem({ queueKey, ...more });

test.each([
  ["an account", account, true],
  ["a registration of after the deletion", registration({ queueKey: `${registeredAt + 1}#${ulidOf}` }), true],
  ["one that was moved to another line after the deletion", registration({ registeredAt: registeredAt - 1 }), false],
  ["a registration of the deletion's millisecond", registration(), false],
  ["a tombstone of after the deletion", registration({ status: "deleted", queueKey: `${registeredAt + 1}#x` }), false],
  ["a checkout", { PK: `USER#${email}`, SK: "CHECKOUT#MEMBER" }, false],
])("whether a person who has %s is back", (_, item, expected) => {
  expect(isBack([item] as never, { email, deletedAt: registeredAt })).toBe(expected);
});

const emptied = { fname: "", ofDeletedAccount: true, status: "cancelled" } as const;
test.each([
  ["emptied and without a hold", emptied, false],
  ["with a hold", { ...emptied, holdExpiresAt: 0 }, true],
  ["not of a deleted account", { ...emptied, ofDeletedAccount: undefined }, true],
  ["with a name", { ...emptied, fname: "Ada" }, true],
  ["with entries", { ...emptied, studentId: "1" }, true],
  ["that is a tombstone", { status: "deleted" }, false],
] as const)("a registration %s still has to be forgotten: %p", (_, more, expected) => {
  expect(isUnforgotten(registration(more as never) as never)).toBe(expected);
});

test("an item that is no registration is not waited for", () => expect(isUnforgotten(account as never)).toBe(false));

test.each([
  ["of no kind", { PK: "unknown", SK: "x" }, true],
  ["that is nobody's", { PK: "EVENT#gala#2030", SK: "META" }, true],
  ["that stays", { PK: "SUPPRESSED", SK: email }, true],
  ["that goes later", { PK: `SENT#mail#${email}`, SK: `gala#2030#${ulidOf}` }, false],
  ["that goes at once", account, false],
  ["that gets another name", registrationItem(), false],
])("whether an item %s outlives the erasure", (_, item, expected) => {
  expect(outlives(item as never)).toBe(expected);
});

describe("the plan of an erasure", () => {
  const shown = (...kinds: string[]) => kinds.map((kind) => ({ kind })) as never;
  const now = 1_000;
  const due = 60 * 24 * hour;
  const kinds = ["registration", "account", "registration", "checkout", "event", "erasure to come"];

  test("names each kind once, with its count, and what is emptied and due later of a deletion that is made now", () => {
    const { goes, isEmptied, goesLater, isRenamed, stays, deletedAt, endsAt } = erasurePlan(
      shown(...kinds),
      undefined,
      now,
    );
    expect([deletedAt, endsAt]).toEqual([undefined, now + due]);
    expect(goes.map(({ kind, items, why }) => [kind, items, why])).toEqual([["account", 1, undefined]]);
    expect(isEmptied).toEqual([
      { kind: "registration", items: 2, why: expect.stringMatching(/^Those for events to come/) },
    ]);
    expect(goesLater.map(({ kind, items }) => [kind, items])).toEqual([["checkout", 1]]);
    expect(isRenamed).toEqual([{ kind: "registration", items: 2, why: expect.stringMatching(/counts/) }]);
    expect(stays).toContainEqual({
      kind: "event",
      items: 1,
      why: "It is about another person, or about several.",
    });
  });

  test("of a deletion under way has its times, and the registrations are emptied already", () => {
    const note = { ...keyOf("erasure to come", { ms: "5".padStart(13, "0"), email }), email, deletedAt: 3 };
    const { isEmptied, ...plan } = erasurePlan(shown("registration"), note, now);
    expect([plan.deletedAt, plan.endsAt, isEmptied]).toEqual([3, 5, []]);
  });

  test("has no end where nothing is left to do, and says how long a kind stays", () => {
    const plan = erasurePlan(shown("account", "audit row"), undefined, now);
    expect(plan).not.toHaveProperty("endsAt");
    expect(plan).not.toHaveProperty("deletedAt");
    expect(plan.stays).toMatchObject([{ kind: "audit row", until: expect.stringMatching(/400 days/) }]);
  });
});

test("a payment is everybody's who is erased, with all its ids, and without the note of a code", () => {
  const payment = { PK: "PAY#pi_1", SK: "PAYMENT", email, settledAt: registeredAt };
  expect(unnamed(payment as never, email, pseudonym)).toEqual({ ...payment, email: "erased@erased.invalid" });
  const code = { id: "o3J9bD0kR8sVx2Qw", kind: "discount" };
  const noted = { ...payment, code: { ...code, note: `For ${email}` } };
  expect(unnamed(noted as never, email, pseudonym)).toMatchObject({ code });
  expect(JSON.stringify(unnamed(noted as never, email, pseudonym))).not.toContain(email);
});
