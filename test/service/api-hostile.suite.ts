/** Hostile input: the service refuses it in JSON with a reason, stores nothing, and goes on working. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import Stripe from "stripe";
import { routes } from "#api/routes.ts";
import { anyText } from "../any-text.ts";
import { type Answer, exec, user } from "./given.ts";
import { partnersOf } from "./quick-run.ts";
import { bodyOf, givenSecrets, pathOf, routeOf } from "./sample-requests.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
let secrets: Awaited<ReturnType<typeof givenSecrets>>;
/** The headers of a device or a link on their routes. On all others the caller is an admin. */
const headersOf = (key: string): Record<string, string> => {
  const { access, path } = routeOf(key);
  return access === "link" || access === "door" ? { authorization: secrets[access](path) } : {};
};
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
  stage.engine.stream.onAppend((records) => {
    changes += records.filter(({ dynamodb }) => !besides.test(String(dynamodb.Keys.PK?.S))).length;
  });
  await stage.api("POST", "/events", { as: exec, body: richEvent });
  await stage.api("POST", "/users", { as: exec, body: { email: user, fname: "Some" } });
  for (const email of [user, exec]) {
    await stage.api("POST", "/members/grant", { as: exec, body: { email, firstName: "Some", lastName: "One" } });
  }
  const kept = { templateName: "Kept", subject: "{{ fname }}", html: "<p>{{ lname }}</p>", text: "Hi" };
  await stage.api("POST", "/emails/templates", { as: exec, body: kept });
  await stage.api("POST", "/btx/admin/project", { as: exec, body: bodies["POST /btx/admin/project"] });
  const guest = { email: "guest@student.example", eventID: id, year };
  await stage.api("POST", "/registrations", {
    as: exec,
    body: { ...guest, ...bodies["POST /registrations"], ...guest },
  });
  secrets = await givenSecrets(stage, guest);
});

const id = "hostile";
const year = 2032;
const question = {
  questionId: "q",
  label: "Q",
  type: "SELECT",
  required: false,
  choices: ["a", "b"],
  participantCap: 3,
};
const scale = { questionId: "s", label: "S", type: "LINEAR_SCALE", required: true, scaleMin: 1, scaleMax: 5 };
const richEvent = {
  id,
  year,
  ename: "Rich",
  description: "Text",
  capac: 3,
  startDate: "2032-01-01T10:00:00Z",
  endDate: "2032-01-01T12:00:00Z",
  deadline: "2032-01-01T09:00:00Z",
  elocation: "Hall",
  latitude: 1.5,
  longitude: 2.5,
  facebookUrl: "https://facebook.example/e",
  imageUrl: "https://images.example/e.png",
  isPublished: true,
  isCompleted: false,
  isApplicationBased: false,
  nonBizTechAllowed: true,
  pricing: { member: 0, nonMember: 0 },
  registrationQuestions: [question],
  partnerRegistrationQuestions: [{ ...question, questionId: "p" }],
  attendeeFeedbackEnabled: true,
  attendeeFeedbackQuestions: [
    scale,
    { questionId: "t", label: "T", type: "SHORT_TEXT", required: false },
    { questionId: "l", label: "L", type: "LONG_TEXT", required: false },
    { questionId: "m", label: "M", type: "MULTIPLE_CHOICE", required: false, choices: ["a", "b"] },
    { questionId: "c", label: "C", type: "CHECKBOXES", required: false, choices: ["a", "b"] },
  ],
};
const { id: _, year: __, ...eventChanges } = richEvent;

/** What these fields name in this test. */
const existing = { eventID: id, eventId: id, year, projectId: id, teamId: id, templateName: "Kept" };

/** Those that take fields. */
const withBody = routes.filter(
  ({ body }) =>
    Object.keys((body as { properties?: object })?.properties ?? { any: 1 }).length > 0 && body !== undefined,
);
/** A body with many fields, by route. */
const bodies: Readonly<Record<string, Record<string, unknown>>> = {
  ...Object.fromEntries(withBody.map(({ key }) => [key, bodyOf(key, existing) ?? {}])),
  "POST /events": richEvent,
  "PATCH /events/{eventId}/{year}": eventChanges,
};
const inPath = { ...existing, email: user, formType: "attendee", profileID: "RareGeckosJam" };

/** How many changes of stored items the table's stream has shown. */
let changes = 0;
/** Items that consumers write behind earlier requests; `changes` does not count them. */
const besides = /^(SENT|INVITE)#/;

/**
 * Checks that an answer is sound: JSON, no 5xx but CONTENDED, and an error that says nothing about the inside. After a
 * refusal the count of changes must still be `before`.
 */
function expectSound(answer: Answer, before: number): void {
  const { status, body, headers } = answer;
  expect(headers.get("content-type")).toMatch(
    status < 400 ? /^(application\/json|text\/calendar; charset=utf-8)$/ : /^application\/json$/,
  );
  expect(status < 500 || (status === 503 && body.code === "CONTENDED")).toBe(true);
  if (status < 400) return;
  expect(body).toMatchObject({ message: expect.any(String) });
  if (body.code === "VALIDATION") {
    expect(body.issues.length).toBeGreaterThan(0);
    for (const issue of body.issues) {
      expect(issue).toEqual({ path: expect.stringMatching(/^\//), message: expect.any(String) });
    }
  }
  // Request ids and ticket codes are random letters: one in a thousand has "ajv" in it.
  const said = JSON.stringify(body, (name, value) => (/^(requestId|ticketCode)$/.test(name) ? "" : value));
  expect(said).not.toMatch(/node_modules|\.mjs|dynamo|ajv| at .*:\d+:\d+/i);
  expect(changes).toBe(before);
}

test("this test counts the change of a request that stores something", async () => {
  const before = changes;
  await stage.api("POST", "/events", { as: exec, body: { ...richEvent, id: "noticed" } });
  expect(changes).toBeGreaterThan(before);
});

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const malformed: Record<string, string> = {
  "no JSON": "{",
  "JSON with more behind it": "{} {}",
  "single quotes": "{'id': 'x'}",
  "a trailing comma": '{"id": "x",}',
  "a byte order mark": "\ufeff{}",
  "not a number": '{"year": NaN}',
  "a comment": "{/* */}",
  HTML: "<html></html>",
  "a form": "id=x&year=2030",
  "a null byte": "\0",
  __proto__: '{"__proto__": {"isAdmin": true}}',
  "__proto__, escaped": '{"\\u005f_proto__": {"isAdmin": true}}',
  "__proto__, deep": '{"pricing": {"member": 0, "__proto__": {"x": 1}}}',
  constructor: '{"constructor": {}}',
  "constructor, deep": '{"pricing": [{"constructor": {"isAdmin": true}}]}',
  prototype: '{"x": {"prototype": 1}}',
};
const wrong: Record<string, string> = {
  null: "null",
  "a number": "1",
  "a string": '"text"',
  true: "true",
  "a list": "[]",
  "a list of bodies": '[{"id": "x"}]',
  "a deep list": nested(5_000),
};

describe.each(withBody.map(({ key }, nth) => [key, nth] as const))("%s", (key, nth) => {
  const [method = "", path = ""] = key.split(" ");
  const send = (body: string, headers?: Record<string, string>) =>
    stage.api(method, pathOf(path, inPath), { as: exec, body, headers: { ...headersOf(key), ...headers } });

  test.each(partnersOf(nth, Object.keys(malformed)))("refuses %s", async (kind) => {
    const before = changes;
    const answer = await send(malformed[kind] as string);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "VALIDATION", issues: [{ path: "/", message: "must be JSON" }] },
    });
    expectSound(answer, before);
  });

  test.each(partnersOf(nth, Object.keys(wrong)))("refuses %s", async (kind) => {
    const before = changes;
    const answer = await send(wrong[kind] as string);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expectSound(answer, before);
  });

  test("refuses a number beyond the range of a double", async () => {
    const names = Object.keys(bodies[key] ?? {});
    const before = changes;
    const body = JSON.stringify({ ...bodies[key], [names[nth % names.length] as string]: "beyond" });
    const answer = await send(body.replace('"beyond"', "1e999"));
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expectSound(answer, before);
  });

  test("refuses 257 KB, and parses a small body whatever its content type says", async () => {
    const before = changes;
    const large = await send(JSON.stringify({ ...bodies[key], surplus: "x".repeat(257 * 1024) }));
    expect(large).toMatchObject({ status: 413, body: { code: "TOO_LARGE" } });
    expectSound(large, before);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "", "x"]) {
      const answer = await send("{", { "content-type": type });
      expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    }
  });

  test("answers soundly when one value of the body is replaced by a hostile one", async () => {
    await fc.assert(
      fc.asyncProperty(anyPathOf(bodies[key]), hostileValue, async (where, value) => {
        const before = changes;
        expectSound(await send(JSON.stringify(replaced(bodies[key], where, value))), before);
      }),
      { numRuns: 3 },
    );
  });
});

describe("POST /payments/webhook", () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    stage.api("POST", "/payments/webhook", { body, headers });
  const signed = (payload: string, secret = stage.outputs.webhookSecret) => ({
    "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
  });

  test("refuses every body without a valid signature", async () => {
    const before = changes;
    const forged = { "stripe-signature": `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(64)}` };
    for (const body of [...Object.values(malformed), "", "{}", "\0", "x".repeat(200 * 1024)]) {
      const none: Record<string, string> = {};
      for (const headers of [none, forged, signed("[]"), { "content-type": "text/plain" }]) {
        const answer = await send(body, headers);
        expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
        expectSound(answer, before);
      }
    }
    const large = await send(`{"a":"${"x".repeat(257 * 1024)}"}`, forged);
    expect(large).toMatchObject({ status: 413, body: { code: "TOO_LARGE" } });
  });

  test("accepts signed bodies that it does not understand, and changes nothing", async () => {
    const before = changes;
    const named = (reference: unknown) => ({
      type: "checkout.session.completed",
      data: { object: { id: "cs_1", client_reference_id: reference, payment_status: "paid", amount_total: 1e21 } },
    });
    const references = [null, 7, {}, [], "x".repeat(3_000), "__proto__", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "PAY#x"];
    for (const message of [null, 7, [], {}, { type: "__proto__" }, { type: [] }, ...references.map(named)]) {
      const body = JSON.stringify(message);
      expect(await send(body, signed(body))).toMatchObject({ status: 200, body: { received: true } });
    }
    expect(changes).toBe(before);
  });
});

describe.each(routes.map(({ key }) => key))("%s", (key) => {
  const [method = "", path = ""] = key.split(" ");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const { query } = routes.find((route) => route.key === key) ?? {};
  const queryNames = [...Object.keys(query?.properties ?? {}), "unknown", "__proto__", "constructor"];

  test("answers soundly with hostile parameters", async () => {
    // `.` and `..` alone name another path: every client resolves them before it sends the request (RFC 3986, 5.2.4).
    const segment = hostileText.filter((text) => text !== "." && text !== "..");
    const values = (of: readonly string[]) =>
      fc.record(Object.fromEntries(of.map((name) => [name, segment])), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(values(names), fc.subarray(queryNames), hostileText, async (params, chosen, value) => {
        const search = chosen.map((name) => `${name}=${encodeURIComponent(value)}`).join("&");
        const before = changes;
        const asked = { as: exec, body: bodies[key], headers: headersOf(key) };
        const answer = await stage.api(method, `${pathOf(path, { ...inPath, ...params })}?${search}`, asked);
        expectSound(answer, before);
      }),
      { numRuns: 3 },
    );
  });
});

test("a text with a script, a template or a header in it is stored and answered as that text", async () => {
  const ename = `<script>alert(1)</script> "'; DROP TABLE {{constructor}} \${7*7} %0d%0aSet-Cookie: a=b`;
  const { body } = await stage.api("POST", "/events", {
    as: exec,
    body: { id: "text", year, ename, isPublished: true },
  });
  expect(body.item.ename).toBe(ename);
  const read = await stage.api("GET", `/events/text/${year}`, { as: user });
  expect(read.body.ename).toBe(ename);
  expect(read.headers.get("content-type")).toBe("application/json");
  expect(read.headers.get("set-cookie")).toBeNull();
});

test("after all these requests no prototype is changed: a user is still no admin", async () => {
  expect((await stage.api("GET", `/events/${id}/${year}?users=true`, { as: user })).status).toBe(403);
  expect((await stage.api("GET", `/events/${id}/${year}`, { as: user })).body).not.toHaveProperty("isAdmin");
});

const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    ".",
    "../../etc/passwd",
    "%00",
    "a/b",
    "EVENT#x#2030",
    "\0",
    "\r\nSet-Cookie: a=b",
    "\u202e",
    "__proto__",
    "constructor",
    "null",
    "1e3",
    "9".repeat(400),
    "x".repeat(3_000),
    "a@b@club.example",
    "{{x}}",
    id,
    user,
  ),
  anyText({ maxLength: 20 }),
);

const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    -1,
    0.1,
    1e21,
    Number.MAX_SAFE_INTEGER + 2,
    "\ud800",
    "a\u0007b",
    [],
    [null],
    { toString: 1 },
    Array.from({ length: 101 }, () => "x"),
    Array.from({ length: 5_000 }, () => ({})),
    "x".repeat(20_000),
  ),
  fc.jsonValue(),
);

/** @returns the path of every value inside a body */
function pathsOf(value: unknown, at: readonly string[] = []): string[][] {
  const below = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [...(at.length ? [[...at]] : []), ...below.flatMap(([name, child]) => pathsOf(child, [...at, name]))];
}

function anyPathOf(body: unknown) {
  return fc.constantFrom(...pathsOf(body));
}

function replaced(body: unknown, [name = "", ...rest]: readonly string[], value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  copy[name] = rest.length ? replaced(copy[name], rest, value) : value;
  return copy;
}
