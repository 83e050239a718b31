/** What a submission of feedback stores, and the key that hides its author. `route-outcomes` has the failures. */

import { clearCaches } from "@aws-lambda-powertools/parameters";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { broken, caller, get, internal, now, putsOf, requestId, sent, table, transactWrite } from "./mocked-table.ts";

const { handler } = await import("#api/feedback/index.ts");
const { formKey, submissionId } = await import("#domain/feedback/submission.ts");
const call = caller(handler);
const self = "ada+club@unit.example";
const path = "/events/{eventId}/{year}/feedback/{formType}";
const params = { eventId: "gala", year: "2030", formType: "attendee" };

const fine = { responses: { "overall-rating": 9, why: "Because" } };
const submit = () => call(`POST ${path}`, { as: self, params, body: fine });

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
  isPublished: true,
  attendeeFeedbackEnabled: true,
  attendeeFeedbackQuestions: [question],
  generation: "one",
  version: 3,
  termsVersion: 2,
};
beforeEach(() => {
  table.reset();
  secrets.reset();
  clearCaches();
  table.on(get, { Key: eventKey } as never).resolves({ Item: stored } as never);
  table.on(transactWrite).resolves({} as never);
  secrets.on(getSecret).resolves({ SecretString: "the key" } as never);
});
const expectNothingWritten = () => expect(sent.transactions()).toEqual([]);
const which = formKey(stored as never, "attendee");
const id = submissionId(which, self, "the key");

describe("submitting feedback", () => {
  test("writes the answers under a keyed hash of the person, and the message", async () => {
    const answer = await submit();
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
        again: { since: now, count: 1 },
      },
      ConditionExpression:
        "attribute_not_exists(PK) OR " +
        "(arrival < :arrival AND (attribute_not_exists(again) OR again.since <= :over))",
      ExpressionAttributeValues: { ":arrival": arrival, ":over": now - 3_600_000 },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    expect(message?.Item).toMatchObject({
      detailType: "feedback.submitted",
      detail: {
        metadata: { actor: "system", correlationId: requestId },
        data: { eventID: "gala", year: 2030, formType: "attendee" },
      },
    });
    expect(Object.keys(message?.Item?.detail.data).sort()).toEqual(["eventID", "formType", "year"]);
    expect(JSON.stringify(sent.transactions())).not.toMatch(/ada\+|unit\.example/i);
  });

  test("reads the key named by its environment, and keeps it", async () => {
    await submit();
    await submit();
    expect(secrets.commandCalls(getSecret).map(({ args }) => (args[0] as { input: object }).input)).toEqual([
      { SecretId: "ticket-key" },
    ]);
  });

  test.each([
    ["is missing", () => secrets.on(getSecret).resolves({} as never)],
    ["is empty", () => secrets.on(getSecret).resolves({ SecretString: "" } as never)],
    ["cannot be read", () => secrets.on(getSecret).rejects(broken)],
  ])("changes nothing when the key %s", async (_, given) => {
    given();
    expect(await submit()).toEqual(internal);
    expectNothingWritten();
  });
});
