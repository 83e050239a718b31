/** Forms of the desk: entries and bodies by the schemas of the reference. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  bodyOf,
  changesOf,
  type Entries,
  entriesOf,
  entryAt,
  labelOf,
  pointerOf,
  type Schema,
  withEntry,
} from "../../client/desk/schema.ts";
import { schemasOf } from "../../tools/build/desk-schemas.ts";

const reference = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
const schemas = schemasOf(reference);
const event = schemas.NewEvent as Schema;
const zone = "America/Vancouver";

const stored = {
  id: "gala",
  year: 2030,
  ename: "Gala",
  capac: 80,
  startDate: "2030-03-02T02:00:00.000Z",
  deadline: "2030-03-02T07:59:59.999Z",
  wholeDays: { deadline: "2030-03-01" },
  pricing: { member: 0, nonMember: 12.5 },
  reminders: [24, 2],
  nonBizTechAllowed: false,
  registrationQuestions: [{ questionId: "q", label: "Food?", type: "SELECT", required: true, choices: ["a, b", "c"] }],
  version: 7,
};

test("a stored event as entries: local times, whole days, numbers as texts, lists by lines, questions by fields", () => {
  expect(entriesOf(event, stored, zone)).toEqual({
    id: "gala",
    year: "2030",
    ename: "Gala",
    capac: "80",
    startDate: "2030-03-01T19:00",
    deadline: "2030-03-01",
    pricing: { member: "0", nonMember: "12.5" },
    reminders: "24\n2",
    nonBizTechAllowed: false,
    registrationQuestions: [{ questionId: "q", label: "Food?", type: "SELECT", required: true, choices: "a, b\nc" }],
  });
});

test("the entries make the body again, with dates of the stage's zone", () => {
  const { version, wholeDays, ...rest } = stored;
  const dates = { startDate: "2030-03-01T19:00", deadline: "2030-03-01" };
  expect(bodyOf(event, entriesOf(event, stored, zone))).toEqual({ ...rest, ...dates });
});

describe("what is entered", () => {
  test.each([
    ["no number is sent as it is", { capac: "many" }, { capac: "many" }],
    ["a comma is a decimal point", { latitude: "49,26" }, { latitude: 49.26 }],
    [
      "what may be thousands is sent as it is",
      { capac: "1,000", latitude: "1,000" },
      { capac: "1,000", latitude: "1,000" },
    ],
    ["blank texts are nothing", { description: " \n", ename: "" }, {}],
    ["an object without entries is nothing", { pricing: { member: "" } }, {}],
    [
      "an item without entries is complained about by the API",
      { registrationQuestions: [{}] },
      { registrationQuestions: [{ required: false }] },
    ],
    ["blank lines of a list are nothing", { reminders: "24\n\n" }, { reminders: [24] }],
  ] satisfies (readonly [string, Entries, object])[])("%s", (_, entries, body) => {
    expect(bodyOf(event, entries)).toEqual(body);
  });

  test("amounts are entered in whole units, and sent in cents", () => {
    const byHand = schemas.NewPaymentByHand as Schema;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (amount) => {
        const entries = entriesOf(byHand, { amount }, zone);
        expect(entries.amount).toMatch(/^\d+\.\d\d$/);
        expect(bodyOf(byHand, entries)).toEqual({ amount });
      }),
    );
  });
});

describe("a PATCH", () => {
  const before = entriesOf(event, stored, zone);
  test("names only what differs, and null for what is empty now", () => {
    const entries = { ...before, ename: "Ball", capac: "", description: "" };
    expect(changesOf(event, before, entries)).toEqual({ ename: "Ball", capac: null });
    expect(changesOf(event, before, before)).toEqual({});
  });
  test("names no field that was entered and taken back", () => {
    const path = ["registrationQuestions", "0", "label"];
    const changed = withEntry(before, path, "Drinks?") as Entries;
    expect(entryAt(changed, path)).toBe("Drinks?");
    expect(Object.keys(changesOf(event, before, changed))).toEqual(["registrationQuestions"]);
    expect(changesOf(event, before, withEntry(changed, path, "Food?") as Entries)).toEqual({});
  });
  test("leaves seconds alone that the form does not show", () => {
    const precise = { ...stored, startDate: "2030-03-02T02:00:30.500Z" };
    const entries = entriesOf(event, precise, zone);
    expect(changesOf(event, entries, { ...entries, ename: "Ball" })).toEqual({ ename: "Ball" });
  });
});

test("an entry at any path can be replaced, and no other entry changes", () => {
  const path = fc.array(fc.constantFrom("a", "b", "0"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(path, fc.string(), (at, text) => {
      const before = { other: "stays" };
      const after = withEntry(before, ["x", ...at], text) as Entries;
      expect(entryAt(after, ["x", ...at])).toBe(text);
      expect(after.other).toBe("stays");
      expect(before).toEqual({ other: "stays" });
    }),
  );
});

test("pointers are those of the API's issues", () => {
  expect(pointerOf(["registrationQuestions", "0", "a/b~c"])).toBe("/registrationQuestions/0/a~1b~0c");
});

test("a name without a label reads as words", () => {
  expect(["startDate", "ename", "partnerFeedbackQuestions"].map(labelOf)).toEqual([
    "Start date",
    "Ename",
    "Partner feedback questions",
  ]);
});

test("every field of an event has a description without what any line of text is, and a schema that is gone fails the build", () => {
  for (const [name, { description }] of Object.entries(event.properties ?? {})) {
    expect({ name, description }).toMatchObject({ description: expect.any(String) });
  }
  const lines = /One line of text|control characters/;
  expect(JSON.stringify(reference)).toMatch(lines);
  expect(JSON.stringify(schemas)).not.toMatch(lines);
  const { NewPrize: _, ...others } = reference.components.schemas;
  expect(() => schemasOf({ components: { schemas: others } })).toThrow("docs/openapi.json has no schema NewPrize");
});
