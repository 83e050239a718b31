/** What the absence of a field means: the specification's form, the schema, the rules and the documents agree. */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { eventAnswer } from "#api/events/event-answer.ts";
import { NewEvent } from "#api/events/schemas.ts";
import { newEvent } from "#domain/events/event.ts";

/** The optional fields of the specification's admin form that the API has under the same name, with their defaults. */
const formDefaults = { isApplicationBased: false, nonBizTechAllowed: false, isPublished: false, isCompleted: false };

const absent = { now: 1, generation: "g", timeZone: "UTC", currency: "CAD" };
const answer: Readonly<Record<string, unknown>> = eventAnswer(
  newEvent({ id: "e", year: 2030, ename: "E" }, absent),
  absent.now,
);
const differences = readFileSync("docs/decisions.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "));

test.each(Object.entries(formDefaults))(
  "%s is %s when it is absent, or decisions.md has the difference",
  (name, value) => {
    const told = differences.some((row) => row.includes(`form's \`${name}\` defaults to ${value}`));
    expect({ differs: (answer[name] ?? false) !== value }).toEqual({ differs: told });
  },
);

test.each(["isPublished", "nonBizTechAllowed"])("the reference says what an absent %s means", (name) => {
  const { description = "" } = NewEvent.properties[name as "isPublished"] as { description?: string };
  expect(description).toContain("Absent: ");
});
