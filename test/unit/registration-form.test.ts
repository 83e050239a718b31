/** How a registration is stored: it loses nothing, stays readable, and a row of a list stays small. */

import { marshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { anyText } from "../any-text.ts";
import "./environment.ts";
import { NewRegistration } from "#api/registrations/schemas.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { itemSize } from "../../tools/laptop/dynamodb/item-size.ts";
import type { AttributeMap } from "../../tools/laptop/dynamodb/protocol.ts";
import { registrationRecord } from "./given.ts";
import { typicalRegistration } from "./typical-registration.ts";

const { putRegistration } = await import("#domain/registrations/store/store.ts");
const { listedAttributes, registrationIn } = await import("#domain/registrations/record/stored-form.ts");

type Item = Record<string, unknown> & { PK: string; SK: string };
const itemOf = (registration: RegistrationRecord): Item => putRegistration(registration, undefined).Put?.Item as Item;
/** The item as it comes back from the table. */
const stored = (registration: RegistrationRecord): Item => {
  const defined = Object.entries(itemOf(registration)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Item;
};

const strange = fc.oneof(
  anyText({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("\n", "\t", "\\", "=", "e", "n", "t", " ", "a", "\r"), maxLength: 6 }),
);
/** The id of a question: the service's own, or what an admin has given. */
const id = fc.oneof(
  strange,
  fc.uuid(),
  fc.uuid().map((text) => text.toUpperCase()),
);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const fields = Object.keys(NewRegistration.properties.basicInformation.properties);
const time = fc.integer({ min: 1, max: 2 ** 45 });
const key = fc.constantFrom(
  "1800000000000#01HZZZZZZZZZZZZZZZZZZZZZZZ",
  "1800000000001#01HZZZZZZZZZZZZZZZZZZZZZZA",
  "w",
);

const registrations: fc.Arbitrary<RegistrationRecord> = fc
  .record(
    {
      email: fc.constantFrom("ada@unit.example", "a+b@unit.example"),
      eventID: fc.constantFrom("gala", "x"),
      year: fc.integer({ min: 1900, max: 2200 }),
      status: fc.constantFrom(...registrationStatuses, "deleted" as const),
      fname: strange,
      basicInformation: fc.record(Object.fromEntries(fields.map((name) => [name, maybe(strange)]))),
      dynamicResponses: fc.dictionary(id, fc.oneof(strange, fc.array(strange, { maxLength: 3 })), { maxKeys: 4 }),
      isPartner: fc.boolean(),
      points: fc.integer({ min: 0, max: 3 }),
      queueKey: key,
      generation: strange,
      version: fc.integer({ min: 1, max: 3 }),
      noticeVersion: fc.integer({ min: 1, max: 3 }),
      ticketId: strange,
      calendarUid: strange,
      createdAt: fc.oneof(fc.constant(1_800_000_000_000), time),
      updatedAt: fc.oneof(fc.constant(1_800_000_000_000), time),
      choices: fc.dictionary(strange, strange, { maxKeys: 2 }),
      studentId: maybe(strange),
      applicant: maybe(fc.constant(true)),
      applicationBased: maybe(fc.constant(true)),
      holdExpiresAt: maybe(time),
      checkedInAt: maybe(fc.oneof(fc.constant(0), time)),
      entryPrice: maybe(fc.nat(9)),
      paid: maybe(fc.constant({ amount: 5, currency: "CAD" })),
    },
    { requiredKeys: [] },
  )
  .map((one) => ({ ...registrationRecord(), ...one }) as unknown as RegistrationRecord)
  .chain((one) =>
    // Often the same text in two fields, and choices that are answers.
    fc.constantFrom(0, 1, 2).map((kind) => {
      const texts = Object.entries(one.dynamicResponses).filter(([, answer]) => typeof answer === "string");
      if (kind === 0) return one;
      const choices = Object.fromEntries(kind === 1 ? texts : texts.slice(1)) as Record<string, string>;
      const basicInformation = { ...one.basicInformation, fname: one.fname, studentId: one.studentId };
      return { ...one, choices, basicInformation };
    }),
  );

/** Without fields that are undefined. */
const defined = <T>(value: T): T =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : (Object.fromEntries(
        Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, defined(one)]])),
      ) as T);

test("a registration comes back from its item as it was, and from the item of the item", () => {
  fc.assert(
    fc.property(registrations, (registration) => {
      const keys = { PK: `USER#${registration.email}`, SK: `REG#${registration.eventID}#${registration.year}` };
      const expected = { ...defined(registration), ...keys };
      const back = registrationIn(stored(registration));
      expect(back).toEqual(expected);
      expect(stored(back)).toEqual(stored(registration));
    }),
    { numRuns: 300 },
  );
});

test("a tombstone is in no index, and keeps its queueKey", () => {
  const item = stored({ ...typicalRegistration, status: "deleted" });
  expect(item).not.toHaveProperty("queueKey");
  expect(registrationIn(item).queueKey).toBe(typicalRegistration.queueKey);
});

/** An item as this build stores it. It must stay readable: change the code, not this item. */
const pinned = {
  PK: "USER#grace.hopper@student.example",
  SK: "REG#career-night#2030",
  queueKey: "1893456000000#01PS0S8H00ZK7M2V9Q4D6T8XBE",
  status: "registered",
  fname: "Grace",
  generation: "01PS0R1C4XGT8M2J6W9E3B5KZN",
  ticketId: "q7V0a1mX9pLr4Tz8KdYw2g",
  choices: { "5b0c8f2e-7d41-4c6a-9e13-2f8a6b70d4c5": "Pitching and design" },
  form: '{"studentId":"12345678","basicInformation":{"fname":"Grace","lname":"Hopper","year":"3rd Year","faculty":"Commerce","major":"Business and Computer Science","gender":"She/Her","diet":"Vegetarian","heardFrom":"Instagram","studentId":"12345678"},"dynamicResponses":{"5b0c8f2e-7d41-4c6a-9e13-2f8a6b70d4c5":"Pitching and design","d94e1a37-06bf-4f52-8a7c-e1503c9b2d68":"To meet people who build things."}}',
  entryPrice: 0,
  version: 1,
  calendarUid: "01PS0S8H00D5R2Y8C1V6K9N4QA",
};
const { PK, SK } = pinned;

test("the pinned item is the typical registration", () => {
  expect(registrationIn(pinned)).toEqual({ ...typicalRegistration, PK, SK });
  expect(stored(typicalRegistration)).toEqual(pinned);
});

test("what becomes of a deposit stands in the pinned form", () => {
  const form = pinned.form.replace(/}$/, ',"deposit":"dueByHand"}');
  const registration = { ...typicalRegistration, deposit: "dueByHand" } as const;
  expect(registrationIn({ ...pinned, form })).toEqual({ ...registration, PK, SK });
  expect(stored(registration)).toEqual({ ...pinned, form });
});

test("a field that this build does not know is kept, in the form and beside it; an absent one has its usual value", () => {
  const form = JSON.stringify({ ...JSON.parse(pinned.form), motto: "It is only a bug." });
  const back = registrationIn({ ...pinned, form, shoeSize: 38 });
  expect(back).toEqual({ ...typicalRegistration, PK, SK, motto: "It is only a bug.", shoeSize: 38 });
  expect(registrationIn(stored(back))).toEqual(back);
  const { form: _form, ...formless } = pinned;
  for (const empty of [{ ...pinned, form: "{}" }, formless]) {
    expect(registrationIn(empty)).toMatchObject({ fname: "Grace", basicInformation: {}, dynamicResponses: {} });
  }
});

const bytes = (item: Record<string, unknown>): number =>
  itemSize(marshall(item, { removeUndefinedValues: true }) as unknown as AttributeMap);
const rowOf = (item: Item): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).filter(([name]) => ["PK", "SK", "queueKey", ...listedAttributes].includes(name)),
  );

/** Read units of a list of 2,000 such rows: half a unit for each 4 KB of a page of 1 MB, and half a unit for the seats. */
const unitsOf = (row: number): number => (Math.ceil((2_000 * row) / 4_096) + Math.ceil((2_000 * row) / 1_048_576)) / 2;

test("2,000 typical rows of the index cost at most 150 read units, and an item one write unit", () => {
  const item = stored(typicalRegistration);
  expect(unitsOf(bytes(rowOf(item)))).toBeLessThanOrEqual(150);
  expect(bytes(item)).toBeLessThanOrEqual(1_024);
  // The control: with all attributes in the index, the rows cost more.
  expect(unitsOf(bytes(item))).toBeGreaterThan(150);
});
