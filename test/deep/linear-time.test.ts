/** Code that reads a caller's text takes time in proportion to the text, so one request cannot keep a function busy. */
import { expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { largeBodies } from "../unit/large-bodies.ts";
import { expectLinear, isLinear } from "./growth.ts";

const { ticketIn } = await import("#domain/registrations/links/ticket-code.ts");
const { filterFrom } = await import("#api/registrations/list-filters.ts");
const { isFound, searchFor } = await import("#domain/people/list.ts");
const { decodeCursor, encodeCursor, part, sortKeyOf } = await import("#kit/lists/cursor.ts");
const { canonicalEmail } = await import("#kit/text/email.ts");
const { parseIfMatch } = await import("#kit/request/etag.ts");
const { canonicalForms, formatChecks } = await import("#kit/schema/formats.ts");
const { toUtc } = await import("#domain/events/dates.ts");
const { normalizeQuestion, questionIssues } = await import("#domain/events/questions.ts");
const { checkAnswers } = await import("#domain/registrations/form/answers.ts");
const { registrationTable } = await import("#api/registrations/registration-table.ts");
const { checkResponses } = await import("#domain/feedback/answers.ts");
const { extensionOf } = await import("#domain/images/image-key.ts");
const { formOf } = await import("#domain/people/members/form.ts");
const { manyLines, oneLine } = await import("#kit/text/text.ts");
const { headerText } = await import("#domain/mail/mime.ts");
const { displayName } = await import("#domain/game/account.ts");
const { templateIssues } = await import("#domain/mail/templates/template.ts");
const { routes } = await import("#api/routes.ts");
const { issuesOf } = await import("#kit/schema/validation.ts");

/** Ignores the verdict on the text. */
const quietly =
  (read: (text: string) => unknown) =>
  (text: string): unknown => {
    try {
      return read(text);
    } catch (error) {
      return error;
    }
  };

const question = (type: "TEXT" | "SELECT" | "CHECKBOX" | "UPLOAD" | "SKILLS") => ({
  questionId: "q",
  label: "Q",
  type,
  required: true,
  choices: ["a", "b"],
});
const feedback = (type: "LONG_TEXT" | "MULTIPLE_CHOICE" | "CHECKBOXES") => ({ ...question("TEXT"), type });
const event = { registrationQuestions: [question("TEXT")] } as unknown as EventRecord;
const row = (answer: string): RegistrationRecord =>
  ({ email: "a@unit.example", basicInformation: {}, dynamicResponses: { q: answer } }) as unknown as RegistrationRecord;

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  ...Object.fromEntries(Object.entries(formatChecks).map(([name, check]) => [`the format ${name}`, check])),
  ...Object.fromEntries(Object.entries(canonicalForms).map(([name, form]) => [`the canonical ${name}`, form])),
  "an email": canonicalEmail,
  "an If-Match header": parseIfMatch,
  "the tag of an If-Match header": (text) => parseIfMatch(`"${text}"`),
  "a cursor": (text) => decodeCursor(text, part.email),
  "what is in a cursor": (text) => decodeCursor(encodeCursor(text), sortKeyOf(part.start, part.eventId, part.email)),
  "a date": (text) => toUtc(text, "America/Vancouver"),
  "a ticket": (text) => ticketIn(text, "key"),
  "a question": (text) => {
    const asked = { questionId: text, type: "SELECT", choices: text };
    return [questionIssues([asked, asked], "/q"), normalizeQuestion(asked)];
  },
  ...Object.fromEntries(
    (["TEXT", "SELECT", "CHECKBOX", "UPLOAD", "SKILLS"] as const).map((type) => [
      `a registration's ${type}`,
      (text: string) => checkAnswers([question(type)], { q: text }),
    ]),
  ),
  ...Object.fromEntries(
    (["LONG_TEXT", "MULTIPLE_CHOICE", "CHECKBOXES"] as const).map((type) => [
      `a feedback's ${type}`,
      (text: string) => checkResponses([feedback(type)], { q: text }),
    ]),
  ),
  "a table": (text) => registrationTable(event, "America/Vancouver").lineOf(row(text) as never),
  "a file's name": extensionOf,
  topics: (text) => formOf({ topics: text }),
  "a line of a mail": oneLine,
  "lines of a mail": manyLines,
  "a search for people": (text) => isFound(searchFor(text), { email: "a@unit.example", first: text, last: text }),
  "a filter by status": (status) => filterFrom({ status }, "UTC"),
  "a filter by time": (changedSince) => filterFrom({ changedSince }, "UTC"),
  "a header": headerText,
  "a name on the wall": (text) => displayName({ fname: text, lname: text }),
  "a template's html": (html) => templateIssues({ subject: "s", html, text: "" }),
  "a template's text": (text) => templateIssues({ subject: "s", html: "<p>", text }),
  "a template's placeholder": (text) => templateIssues({ subject: "s", html: `{{ fname${text} }}`, text: "" }),
  "a template's tag": (text) => templateIssues({ subject: "s", html: `{% if ${text} %}{% endif %}`, text: "" }),
};

test.each(Object.keys(readers))("%s takes time in proportion to the text", (name) => {
  expectLinear(quietly(readers[name] as (text: string) => unknown));
});

test("the check finds a pattern that backtracks at every blank", () => {
  const trim = (text: string) => text.replace(/^ +| +$/g, "");
  expect(isLinear(trim, (n) => `a${" ".repeat(n / 10)}a`)).toBe(false);
});

const bodies = routes.flatMap((route) => (route.body ? [[route.key, route.body, route.validate] as const] : []));

test.each(bodies)("the validation of %s takes time in proportion to its lists", (_key, schema, validator) => {
  const read = (text: string) =>
    issuesOf(validator, { pathParameters: {}, queryStringParameters: {}, body: JSON.parse(text) });
  const slow = Object.entries(largeBodies(schema)).filter(([, textOf]) => !isLinear(read, textOf));
  expect(slow.map(([name]) => name)).toEqual([]);
});

test("the check finds complaints that are copied for each entry", () => {
  const read = (text: string) => {
    let complaints: unknown[] = [];
    for (const entry of JSON.parse(text) as unknown[]) complaints = complaints.concat([entry]);
    return complaints;
  };
  expect(isLinear(read, (n) => JSON.stringify(Array.from({ length: n / 12 }, () => ({}))))).toBe(false);
});
