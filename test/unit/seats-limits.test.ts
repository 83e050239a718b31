/**
 * Every expression and transaction about the seats stays within AWS's limits, for each event and line that can exist.
 */
import { marshall } from "@aws-sdk/util-dynamodb";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  allocate,
  type FullChoice,
  maxAtOnce,
  maxChoicesAtOnce,
  nextInLine,
  type Turn,
} from "#domain/capacity/allocate.ts";
import type { Holder } from "#domain/capacity/seats.ts";
import { type Choices, noLimit, type Place, type Seats } from "#domain/capacity/seats.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import {
  expressionIssue,
  itemIssue,
  itemSize,
  maxOperators,
  operatorCount,
} from "../../tools/laptop/dynamodb/limits.ts";
import { maxTransactionBytes } from "../../tools/laptop/dynamodb/members.ts";
import type { AttributeMap } from "../../tools/laptop/dynamodb/protocol.ts";
import { checkPlaceholders, holds, updated } from "../model/expression.ts";
import { checkExpressions } from "../model/limits.ts";
import "./environment.ts";

const { changeSeats, claims, passedOverParts } = await import("#domain/capacity/demands.ts");
const { adjustSeats, markSeatsDeleted, poolOf, pools } = await import("#domain/capacity/seats.ts");

const key = { id: "gala", year: 2030 };
const now = 1_800_000_000_000;
const maxWorkshops = 20;
const maxChoices = 100;

/** A person's answers: one choice for each of some workshops of a list. */
const answersTo = (list: readonly string[], choices: number): fc.Arbitrary<Choices> =>
  fc
    .tuple(fc.nat(list.length), fc.nat(list.length), fc.nat(choices), fc.boolean())
    .map(([count, from, choice, isSame]) =>
      Object.fromEntries(
        Array.from({ length: Math.max(count, list.length - 2) }, (_, n) => {
          const question = list[(from + n) % list.length] as string;
          return [question, `c${(isSame ? choice : choice + n) % choices}`];
        }),
      ),
    );

interface Crowd {
  readonly seats: Seats;
  readonly line: readonly Place[];
  readonly leaver: Choices;
  readonly newcomer: Choices;
}

const placesOf = (choices: readonly Choices[]): Place[] =>
  choices.map((chosen, n) => ({
    email: `person-${n}@${"long-".repeat(10)}example.example`,
    queueKey: `${now}#${String(n).padStart(26, "0")}`,
    choices: chosen,
    isPartner: n % 3 === 0,
    fname: "Ada",
    generation: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    version: n,
  }));

/** An event with up to a hundred questions, twenty workshops in each list, and hundreds of people in line. */
const crowd: fc.Arbitrary<Crowd> = fc
  .record({
    workshops: fc.integer({ min: 1, max: maxWorkshops }),
    choices: fc.integer({ min: 1, max: maxChoices }),
    cap: fc.constantFrom(1, 3, 40, 500, 1_000_000, noLimit),
    capacity: fc.constantFrom(1, 30, 1_000_000, noLimit),
    missing: fc.nat(3),
    people: fc.constantFrom(1, 5, 60, 400),
    label: fc.constantFrom("c", "a choice with a long name, (R&D): ", "#q0 = :by0 "),
  })
  .chain(({ workshops, choices, cap, capacity, missing, people }) => {
    const lists = ["member", "partner"].map((list) =>
      Array.from({ length: workshops }, (_, n) => `${list} question ${n}`),
    );
    const answers = fc.oneof(...lists.map((list) => answersTo(list, choices)));
    const all = lists.flat();
    const takenOf = (question: number) =>
      Object.fromEntries(
        Array.from({ length: choices }, (_, n) => [`c${n}`, (n + question) % 5 === 0 ? cap - missing : cap]).filter(
          ([, count]) => (count as number) > 0 && cap !== noLimit,
        ),
      );
    return fc.record({
      line: fc.array(answers, { minLength: people, maxLength: people }).map(placesOf),
      leaver: answers,
      newcomer: answers,
      seats: fc.constant({
        ...{
          generation: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
          recreated: false,
          termsVersion: 3,
          capacity,
          seats: 0,
          gate: "queued",
        },
        ...{ state: "OPEN", mode: "free", mustPay: { member: false, nonMember: false } },
        ...{ registered: 0, checkedIn: 0, incomplete: 0, accepted: 0, applicants: 0, partners: 0 },
        ...{ partnerSeats: 0, partnersCheckedIn: 0, partnerCapacity: capacity, partnerGate: "queued" },
        ...{ deadline: noLimit, startsAt: noLimit, opensAt: 0 },
        choiceLimits: cap === noLimit ? {} : Object.fromEntries(all.map((question) => [question, cap])),
        choiceHolders: Object.fromEntries(all.map((question, n) => [question, takenOf(n)])),
      } as Seats),
    });
  });

const holder = (choices: Choices): Holder => ({ choices, counters: { seats: 1, registered: 1, partners: 1 } });

/** Every update of the seats that the service can send about this crowd, in each pool. */
const updatesFor = (it: Crowd) =>
  pools.flatMap((pool) => Object.entries(updatesIn({ ...it, seats: poolOf(it.seats, pool) })));

function updatesIn({ seats, line, leaver, newcomer }: Crowd) {
  const [person] = placesOf([newcomer]) as [Place];
  const turnOf = (allocation: ReturnType<typeof allocate>): Turn[] =>
    allocation.kind === "seated" ? [allocation.turn] : [];
  const ahead = nextInLine([...line, person], seats, 1).passedOver;
  const turns: Turn[] = [
    { kind: "direct" },
    { kind: "next", passedOver: ahead, counted: seats.choiceHolders },
    ...turnOf(allocate(seats, { places: line, isWhole: true }, { kind: "heir", leaver }, now)),
    ...turnOf(allocate(seats, { places: line, isWhole: true }, { kind: "line" }, now)),
  ];
  const { chosen } = nextInLine(line, seats, maxAtOnce);
  const all = chosen.map(({ choices }) => holder(choices));
  const questions = Array.from({ length: 2 * maxWorkshops }, (_, n) => `new question ${n}`);
  const names = Object.keys(claims) as (keyof typeof claims)[];
  const changes = turns.flatMap((turn, n) =>
    names.flatMap((claim) => [
      [`${claim} ${n}`, changeSeats(key, claim, { decided: seats, joining: [holder(newcomer)], turn, now })] as const,
      [
        `${claim} ${n}, one leaves`,
        changeSeats(key, claim, { decided: seats, joining: [holder(newcomer)], leaving: [holder(leaver)], turn, now }),
      ] as const,
    ]),
  );
  const last = turns.at(-1) as Turn;
  return {
    ...Object.fromEntries(changes),
    line: changeSeats(key, "line", { decided: seats, joining: all, turn: last, now }),
    wait: changeSeats(key, "wait", { decided: seats }),
    release: changeSeats(key, "release", { decided: seats, leaving: [holder(leaver)] }),
    adjustSeats: adjustSeats(key, { ...seats, state: "OPEN" }, { counted: seats.choiceHolders, questions }, "anybody"),
    markSeatsDeleted: markSeatsDeleted(key, seats.generation, true),
  };
}

interface Update {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

const asSent = (item: object) => marshall(item, { removeUndefinedValues: true }) as unknown as AttributeMap;
const placeholdersOf = ({ ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Update) => ({
  names: ExpressionAttributeNames,
  values: ExpressionAttributeValues,
});

/** The reason why AWS would refuse this update, whatever its condition says; `undefined` if it would not. */
function issueOf(update: Update, seats: Seats): string | undefined {
  const given = placeholdersOf(update);
  checkPlaceholders([update.UpdateExpression, update.ConditionExpression], given);
  holds(update.ConditionExpression, { ...seats }, given);
  return (
    expressionIssue(update.UpdateExpression ?? "", "update") ??
    expressionIssue(update.ConditionExpression ?? "", "condition") ??
    itemIssue(asSent(updated({ ...seats }, update.UpdateExpression ?? "", given)))
  );
}

/** The stored registration of a person in line, with as many and as long answers as a request may have. */
const recordOf = ({ email, queueKey, choices, isPartner, fname, generation, version }: Place): RegistrationRecord => ({
  ...{ email, queueKey, choices, isPartner, fname, generation, version },
  ...{ eventID: key.id, year: key.year, status: "waitlist", basicInformation: {}, points: 0, noticeVersion: version },
  ...{ ticketId: "t", calendarUid: "c", createdAt: now, updatedAt: now },
  dynamicResponses: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`question ${n}`, "x".repeat(2_040)])),
});

describe("an expression about the seats", () => {
  test("stays within the limits, in each operation and for each line", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(crowd, (it) => {
        for (const [name, { Update }] of updatesFor(it)) {
          seen.add(name);
          expect([name, issueOf(Update as Update, it.seats)]).toEqual([name, undefined]);
          expect(() =>
            checkExpressions([Update?.ConditionExpression, Update?.UpdateExpression], placeholdersOf(Update as Update)),
          ).not.toThrow();
        }
      }),
      { numRuns: 5 },
    );
    expect(seen.size).toBeGreaterThan(15);
  });

  test("would break the limits with one demand for each person who was passed over", () => {
    const full: FullChoice[] = Array.from({ length: 200 }, () => ({ question: "w", choice: "a", holders: 1 }));
    const oneForEach = full.map((_, n) => `choiceHolders.#pq${n}.#pc${n} >= :pt${n}`);
    expect(expressionIssue(oneForEach.slice(0, 150).join(" AND "), "condition")).toMatch(/size/);
    expect(operatorCount(oneForEach.join(" AND "), "condition")).toBeGreaterThan(maxOperators);
    expect(expressionIssue(passedOverParts(full).demand.join(" AND "), "condition")).toBeUndefined();
  });

  test("would break the limits if one transaction seated people with more different choices", () => {
    const people = Array.from({ length: 40 }, (_, n) => holder({ [`question ${n % 20}`]: `c${n}` }));
    const full = Array.from({ length: 30 }, (_, n) => ({ question: "w", choice: `c${n}`, holders: 1 }));
    const decided = { generation: "i", termsVersion: 1, capacity: 100, choiceLimits: {}, choiceHolders: {} } as never;
    const turn: Turn = { kind: "next", passedOver: full, counted: {} };
    const seating = (count: number) => {
      const { Update } = changeSeats(key, "line", { decided, joining: people.slice(0, count), turn, now });
      return expressionIssue(Update?.ConditionExpression ?? "", "condition");
    };
    expect(seating(maxChoicesAtOnce)).toBeUndefined();
    expect(seating(40)).toMatch(/size/);
  });
});

test("a transaction would be too large if it seated as many people as its number of members allows", () => {
  const [place] = placesOf([{}]);
  const bytes = itemSize(asSent(recordOf(place as Place)));
  expect(bytes).toBeGreaterThan(200 * 1_024);
  expect(bytes * 24).toBeGreaterThan(maxTransactionBytes);
  expect(bytes * maxAtOnce).toBeLessThan(maxTransactionBytes - 400 * 1_024);
  // Four members for each, and one for the seats.
  expect(4 * maxAtOnce + 1).toBeLessThanOrEqual(100);
});
