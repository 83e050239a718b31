/** Feedback forms and submissions: the calls to the table, and the answers to their outcomes. */

import { clearCaches } from "@aws-lambda-powertools/parameters";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import {
  admin,
  broken,
  caller,
  cancelled,
  contended,
  get,
  internal,
  now,
  putsOf,
  query,
  refusedBy,
  requestId,
  sent,
  table,
  throttled,
  transactWrite,
  unanswered,
  unavailable,
  withoutPatience,
} from "./mocked-table.ts";

const { handler } = await import("#api/feedback/index.ts");
const { formKey, submissionId } = await import("#domain/feedback/submission.ts");
const call = caller(handler);
const self = "ada+club@unit.example";
const path = "/events/{eventId}/{year}/feedback/{formType}";
const params = { eventId: "gala", year: "2030", formType: "attendee" };

interface Options {
  readonly as?: string;
  readonly formType?: string;
}
const read = ({ as = self, formType = "attendee" }: Options = {}) =>
  call(`GET ${path}`, { as, params: { ...params, formType } });
const submit = (body: unknown = {}, { as = self, formType = "attendee" }: Options = {}) =>
  call(`POST ${path}`, { as, params: { ...params, formType }, body });
const list = (parameters: Record<string, string> = {}, as = admin) =>
  call(`GET ${path}/submissions`, { as, params, query: parameters });

const secrets = mockClient(SecretsManagerClient as never) as unknown as ReturnType<
  typeof mockClient<never, never, never>
>;
const getSecret = GetSecretValueCommand as never;

const eventKey = { PK: "EVENT#gala#2030", SK: "META" };
const question = { questionId: "why", label: "Why?", type: "SHORT_TEXT", required: false };
const summary = { id: "gala", year: 2030, ename: "Gala", description: "For all", isCompleted: true };
const stored = {
  ...eventKey,
  GSI1PK: "EVENTS#0",
  GSI1SK: "0#gala#2030",
  ...summary,
  attendeeFeedbackEnabled: true,
  attendeeFeedbackQuestions: [question],
  generation: "one",
  version: 3,
  termsVersion: 2,
};
const givenEvent = (item: object | undefined = stored) =>
  table.on(get, { Key: eventKey } as never).resolves({ Item: item } as never);

/** The answer when the outcome of a write stays unknown until the deadline. */
const unheard = { status: 503, body: { code: "OUTCOME_UNKNOWN", requestId } };

beforeEach(() => {
  table.reset();
  secrets.reset();
  clearCaches();
  givenEvent();
  table.on(query).resolves({ Items: [] } as never);
  table.on(transactWrite).resolves({} as never);
  secrets.on(getSecret).resolves({ SecretString: "the key" } as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const fine = { responses: { "overall-rating": 9, why: "Because" } };
const expectNothingWritten = () => expect(sent.transactions()).toEqual([]);
const refusedAt = (issuePath: string) => ({ status: 400, body: { code: "VALIDATION", issues: [{ path: issuePath }] } });
const everyRoute: [string, (options?: Options) => ReturnType<typeof call>][] = [
  ["reading the form", read],
  ["submitting", (options) => submit(fine, options)],
  [
    "listing",
    ({ as, formType = "attendee" } = {}) => call(`GET ${path}/submissions`, { as, params: { ...params, formType } }),
  ],
];

describe.each(everyRoute)("%s", (name, request) => {
  test("of an event that does not exist answers 404", async () => {
    givenEvent({});
    table.on(get).resolves({} as never);
    expect(await request({ as: admin })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expectNothingWritten();
  });

  test("of a hidden event answers admins only", async () => {
    givenEvent({ ...stored, isPublished: false });
    if (name !== "listing") {
      expect(await request({ as: self })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      expectNothingWritten();
    }
    expect((await request({ as: admin })).status).toBeLessThan(300);
  });

  test.each(["guest", "Attendee", "", "toString"])("with the form type %j is a 400", async (formType) => {
    expect(await request({ as: admin, formType })).toMatchObject(refusedAt("/formType"));
    expect(table.calls()).toHaveLength(0);
  });

  test("reads the event once, strongly consistent", async () => {
    await request({ as: admin });
    expect(sent.gets()).toEqual([{ TableName: "Unit", Key: eventKey, ConsistentRead: true }]);
  });

  test("while the table is throttled answers 503 `CONTENDED`", async () => {
    table.on(get, { Key: eventKey } as never).rejects(throttled);
    expect(await request({ as: admin })).toEqual(contended);
  });

  test("while reading fails answers 500 without details", async () => {
    table.on(get, { Key: eventKey } as never).rejects(broken);
    expect(await request({ as: admin })).toEqual(internal);
  });

  test("while a read stays without an answer answers 503 `UNAVAILABLE`", async () => {
    table.on(get, { Key: eventKey } as never).rejects(unanswered);
    expect(await request({ as: admin })).toEqual(unavailable);
  });
});

describe("reading a form", () => {
  test("shows the event, and the overall rating before the event's questions", async () => {
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toEqual({
      event: summary,
      formType: "attendee",
      enabled: true,
      feedbackQuestions: [
        expect.objectContaining({ questionId: "overall-rating", type: "LINEAR_SCALE", scaleMin: 1, scaleMax: 10 }),
        question,
      ],
    });
    expect(table.calls()).toHaveLength(1);
    expect(secrets.calls()).toHaveLength(0);
  });

  test("says that the form takes no answers", async () => {
    expect((await read({ formType: "partner" })).body).toMatchObject({
      formType: "partner",
      enabled: false,
      feedbackQuestions: [{ questionId: "overall-rating" }],
    });
  });
});

const which = formKey(stored as never, "attendee");
const id = submissionId(which, self, "the key");

describe("submitting feedback", () => {
  test("writes the answers under a keyed hash of the person, and the message", async () => {
    const answer = await submit(fine);
    expect(answer).toMatchObject({ status: 201, body: { message: expect.any(String), id } });
    expect(sent.transactions()).toHaveLength(1);
    const [submission, message] = putsOf(sent.transactions()[0]);
    const arrival = submission?.Item?.arrival;
    expect(arrival).toMatch(new RegExp(`^${now}#[0-9A-Z]{26}$`));
    expect(submission).toEqual({
      TableName: "Unit",
      Item: {
        PK: "FB#gala#2030#attendee",
        SK: id,
        GSI1PK: "FB#gala#2030#attendee#one",
        GSI1SK: arrival,
        ...which,
        id,
        submittedAt: now,
        arrival,
        responses: fine.responses,
      },
      ConditionExpression: "attribute_not_exists(PK) OR arrival < :arrival",
      ExpressionAttributeValues: { ":arrival": arrival },
    });
    expect(message?.Item).toMatchObject({
      detailType: "feedback.submitted",
      detail: {
        metadata: { actor: "system", correlationId: requestId },
        data: { eventID: "gala", year: 2030, formType: "attendee" },
      },
    });
    expect(Object.keys(message?.Item?.detail.data).sort()).toEqual(["eventID", "formType", "year"]);
  });

  test("leaves no trace of the author, also not in the message", async () => {
    await submit(fine);
    expect(JSON.stringify(sent.transactions())).not.toMatch(/ada\+|unit\.example/i);
  });

  test("keeps the name and address that the author fills in", async () => {
    await submit({ ...fine, respondentName: "Ada", respondentEmail: "Other@Unit.Example" });
    const [submission] = putsOf(sent.transactions()[0]);
    expect(submission?.Item).toMatchObject({ respondentName: "Ada", respondentEmail: "other@unit.example", id });
  });

  test("does not store fields that the form does not have", async () => {
    await submit({
      ...fine,
      PK: "x",
      id: "mine",
      submittedAt: 1,
      generation: "zero",
      formType: "partner",
      email: self,
    });
    const [submission] = putsOf(sent.transactions()[0]);
    expect(submission?.Item).toMatchObject({ PK: "FB#gala#2030#attendee", SK: id, id, submittedAt: now, ...which });
    expect(submission?.Item).not.toHaveProperty("email");
  });

  test("uses one id for each person and generation of the event", async () => {
    const idOf = async (as = self) => (await submit(fine, { as })).body.id as string;
    const [first, second, other] = [await idOf(), await idOf(), await idOf("bob@unit.example")];
    givenEvent({ ...stored, generation: "two" });
    expect(second).toBe(first);
    expect(new Set([first, other, await idOf()]).size).toBe(3);
  });

  test("reads the key named by its environment, and keeps it", async () => {
    await submit(fine);
    await submit(fine);
    expect(secrets.commandCalls(getSecret).map(({ args }) => (args[0] as { input: object }).input)).toEqual([
      { SecretId: "ticket-key" },
    ]);
  });

  test.each([
    ["is missing", undefined],
    ["is empty", ""],
  ])("changes nothing when the key %s", async (_, SecretString) => {
    secrets.on(getSecret).resolves({ SecretString } as never);
    expect(await submit(fine)).toEqual(internal);
    expectNothingWritten();
  });

  test("changes nothing when the key cannot be read", async () => {
    secrets.on(getSecret).rejects(broken);
    expect(await submit(fine)).toEqual(internal);
    expectNothingWritten();
  });

  test.each([
    ["has no switch for the form", { partnerFeedbackEnabled: undefined }],
    ["takes no answers", { partnerFeedbackEnabled: false }],
  ])("is refused when the event %s, also to admins", async (_, more) => {
    givenEvent({ ...stored, ...more });
    for (const as of [self, admin]) {
      const answer = await submit(fine, { as, formType: "partner" });
      expect(answer).toMatchObject({ status: 403, body: { code: "FEEDBACK_DISABLED", requestId } });
      expect(answer.body.message).not.toBe("Unauthorized");
    }
    expectNothingWritten();
  });

  test.each<[string, unknown, string]>([
    ["no responses", {}, "/responses"],
    ["responses in a list", { responses: [] }, "/responses"],
    ["no rating", { responses: {} }, "/responses/overall-rating"],
    ["a rating beyond the scale", { responses: { "overall-rating": 11 } }, "/responses/overall-rating"],
    ["a rating in words", { responses: { "overall-rating": "9" } }, "/responses/overall-rating"],
    ["half a point", { responses: { "overall-rating": 9.5 } }, "/responses/overall-rating"],
    ["a truth", { responses: { "overall-rating": true } }, "/responses/overall-rating"],
    ["an object", { responses: { "overall-rating": 9, why: {} } }, "/responses/why"],
    ["a list of lists", { responses: { "overall-rating": 9, why: [["x"]] } }, "/responses/why/0"],
    ["281 characters", { responses: { "overall-rating": 9, why: "x".repeat(281) } }, "/responses/why"],
    ["an unknown question", { responses: { "overall-rating": 9, what: "x" } }, "/responses/what"],
    ["an unknown question of two lines", { responses: { "overall-rating": 9, "a\nb": {} } }, "/responses/a\nb"],
    ["an invalid email", { ...fine, respondentEmail: "nobody" }, "/respondentEmail"],
    ["a name of two lines", { ...fine, respondentName: "a\nb" }, "/respondentName"],
    ["a name of 201 characters", { ...fine, respondentName: "x".repeat(201) }, "/respondentName"],
  ])("with %s is refused, and nothing is written", async (_, body, issuePath) => {
    expect(await submit(body)).toMatchObject(refusedAt(issuePath));
    expectNothingWritten();
  });

  test("with hundreds of unknown answers is refused with at most twenty issues", async () => {
    const responses = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`q${n}`, "x"]));
    const { status, body } = await submit({ responses });
    expect(status).toBe(400);
    expect(body.issues.length).toBeLessThanOrEqual(20);
  });
});

describe("a submission of answers", () => {
  test.each([
    ["a conflict", cancelled("TransactionConflict", "None")],
    ["a throttled call", throttled],
    ["a call without an answer", unanswered],
    ["a message under an id that is taken", cancelled("None", "ConditionalCheckFailed")],
  ])("after %s ends as the second try does, with the same place in the order", async (_, error) => {
    table
      .on(transactWrite)
      .rejectsOnce(error)
      .resolves({} as never);
    expect((await submit(fine)).status).toBe(201);
    const arrivals = sent.transactions().map((transaction) => putsOf(transaction)[0]?.Item?.arrival);
    expect(arrivals).toHaveLength(2);
    expect(new Set(arrivals).size).toBe(1);
  });

  test("whose try stayed without an answer is sent again unchanged under its token, and succeeds", async () => {
    table
      .on(transactWrite)
      .rejectsOnce(unanswered)
      .resolves({} as never);
    expect(await submit(fine)).toMatchObject({ status: 201, body: { id } });
    const [first, second] = sent.transactions();
    expect(first?.ClientRequestToken).toEqual(expect.any(String));
    expect(second).toEqual(first);
  });

  test("that a newer one of the same person has overtaken succeeds", async () => {
    table.on(transactWrite).rejects(refusedBy({ id, arrival: "9" }));
    expect(await submit(fine)).toMatchObject({ status: 201, body: { id } });
    expect(sent.transactions()).toHaveLength(1);
  });

  test("answers 503 `CONTENDED` when writing is throttled for long", async () => {
    withoutPatience();
    table.on(transactWrite).rejects(throttled);
    expect(await submit(fine)).toEqual(contended);
  });

  test.each([
    ["fails unexpectedly", broken],
    ["is cancelled for another reason", cancelled("ValidationError", "None")],
  ])("answers 500 without details when writing %s", async (_, error) => {
    table.on(transactWrite).rejects(error);
    const answer = await submit(fine);
    expect(answer).toEqual(internal);
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  test("answers 503 `OUTCOME_UNKNOWN` when writing stays without an answer for long", async () => {
    withoutPatience();
    table.on(transactWrite).rejects(unanswered);
    const answer = await submit(fine);
    expect(answer).toMatchObject(unheard);
    expect(JSON.stringify(answer)).not.toContain("secret");
  });
});

describe("listing submissions", () => {
  const row = (n: number) => ({
    PK: "FB#gala#2030#attendee",
    SK: `hash-${n}`,
    GSI1PK: "FB#gala#2030#attendee#one",
    GSI1SK: `${n}#01ARZ3NDEKTSV4RRFFQ69G5FAV`,
    ...which,
    id: `hash-${n}`,
    submittedAt: n,
    arrival: `${n}#01ARZ3NDEKTSV4RRFFQ69G5FAV`,
    responses: { "overall-rating": n },
    ...(n === 3 && { respondentName: "Ada", respondentEmail: self }),
  });
  const answered = (n: number) => ({
    id: `hash-${n}`,
    eventID: "gala",
    year: 2030,
    formType: "attendee",
    submittedAt: n,
    responses: { "overall-rating": n },
    ...(n === 3 && { respondentName: "Ada", respondentEmail: self }),
  });

  test("reads those of this form and generation of the event, newest first", async () => {
    table.on(query).resolves({ Items: [row(3), row(2)] } as never);
    const { status, body, headers } = await list();
    expect([status, body]).toEqual([200, { count: 2, submissions: [answered(3), answered(2)] }]);
    expect(headers).not.toHaveProperty("x-next-cursor");
    expect(sent.queries()).toEqual([
      {
        TableName: "Unit",
        IndexName: "GSI1",
        KeyConditionExpression: "GSI1PK = :list",
        ExpressionAttributeValues: { ":list": "FB#gala#2030#attendee#one" },
        ScanIndexForward: false,
      },
    ]);
    expect(secrets.calls()).toHaveLength(0);
  });

  test("continues behind the last row of the previous page", async () => {
    table.on(query).resolves({ Items: [row(3), row(2), row(1)] } as never);
    const { body, headers } = await list({ limit: "2" });
    expect(body).toEqual({ count: 2, submissions: [answered(3), answered(2)] });
    const cursor = (headers as Record<string, string>)["x-next-cursor"] as string;
    await list({ limit: "2", cursor });
    expect(sent.queries().at(-1)).toMatchObject({
      KeyConditionExpression: "GSI1PK = :list AND GSI1SK < :after",
      ExpressionAttributeValues: { ":list": "FB#gala#2030#attendee#one", ":after": "2#01ARZ3NDEKTSV4RRFFQ69G5FAV" },
    });
  });

  test("is complete when the table answers in pages", async () => {
    const last = { PK: "p", SK: "s" };
    table
      .on(query)
      .resolvesOnce({ Items: [row(3)], LastEvaluatedKey: last } as never)
      .resolves({ Items: [row(2)] } as never);
    expect((await list()).body.count).toBe(2);
  });

  test.each([{ limit: "0" }, { limit: "1.5" }, { limit: "x" }, { cursor: "%%" }, { cursor: "" }])(
    "with %j is refused",
    async (parameters) => {
      expect(await list(parameters as unknown as Record<string, string>)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION" },
      });
      expect(sent.queries()).toEqual([]);
    },
  );

  test("answers admins only, and reads nothing for others", async () => {
    expect(await list({}, self)).toMatchObject({ status: 403, body: { code: "FORBIDDEN", message: "Unauthorized" } });
    expect(table.calls()).toHaveLength(0);
  });

  test("while the table is throttled answers 503 `CONTENDED`", async () => {
    table.on(query).rejects(throttled);
    expect(await list()).toEqual(contended);
  });

  test("while reading fails answers 500 without details", async () => {
    table.on(query).rejects(broken);
    expect(await list()).toEqual(internal);
  });

  test("while reading stays without an answer answers 503 `UNAVAILABLE`", async () => {
    table.on(query).rejects(unanswered);
    expect(await list()).toEqual(unavailable);
  });
});
