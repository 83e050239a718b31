/**
 * A question becomes a workshop selection, or stops being one, only while no one is registered (`docs/contract.md`,
 * "Events"): the places of a workshop are counted as people take them, and answers from before are not.
 */

import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { questionChange } from "#domain/events/questions.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { eventItem, eventRecord, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { handler } = await import("#api/events/index.ts");
const { register } = await import("#domain/registrations/register/register.ts");
const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");

const event = { id: "gala", year: 2030 };
const ask = (type: string, questionId = "q") => ({
  ...{ questionId, label: "Which?", type, required: false, choices: ["A", "B"] },
  ...(type === "WORKSHOP_SELECTION" && { participantCap: 2 }),
});
const [select, workshop] = [ask("SELECT"), ask("WORKSHOP_SELECTION")] as const;

let table: MemoryTable;
/** Called once, before the next transaction reaches the table. */
let arrives: (() => Promise<unknown>) | undefined;
let change: (command: { input: { TransactItems?: object[] } }) => void;
let requests = 0;

function givenEvent(fields: object): void {
  const record = eventRecord(fields as Partial<EventRecord>);
  table.seed(eventItem(record));
  table.seed(seatsItem(record));
}

beforeEach(() => {
  table = new MemoryTable();
  change = () => undefined;
  const mock = mockClient(client as never) as unknown as {
    send: { callsFake(fake: (command: unknown) => Promise<object>): void };
  };
  mock.send.callsFake(async (command) => {
    if (command instanceof TransactWriteCommand) {
      const first = arrives;
      arrives = undefined;
      await first?.();
      change(command as never);
    }
    return table.execute(command, () => 0);
  });
});
afterEach(() => {
  arrives = undefined;
});

const contextOf = (actor: string) => {
  requests += 1;
  const id = `${requests}`.padStart(26, "0");
  return {
    ...{ now: Date.now(), actor, requestId: `r${requests}` },
    ...{ queueKey: `${Date.now()}#${id}`, deadline: performance.now() + 15_000, newId: () => `${id}-new` },
  };
};
const emailOf = (name: string) => `${name}@unit.example`;
const arrive = (name: string, q?: string) =>
  register(
    {
      form: { eventID: "gala", year: 2030, email: emailOf(name), ...(q !== undefined && { dynamicResponses: { q } }) },
      byAdmin: true,
    },
    contextOf("exec@club.example"),
  );
const become = (name: string, registrationStatus: string) =>
  changeRegistration(
    { email: emailOf(name), event, by: "admin", amendment: { registrationStatus } },
    contextOf("exec@club.example"),
  );

async function patch(body: object): Promise<{ status: number | undefined; code?: string }> {
  requests += 1;
  const claims = { token_use: "id", email: "exec@club.example", email_verified: "true" };
  const answer = await (
    handler as (request: unknown, context: unknown) => Promise<{ statusCode?: number; body?: string }>
  )(
    {
      routeKey: "PATCH /events/{eventId}/{year}",
      headers: {},
      pathParameters: { eventId: "gala", year: "2030" },
      body: JSON.stringify(body),
      requestContext: {
        requestId: `r${requests}`,
        timeEpoch: Date.now(),
        authorizer: { jwt: { claims } },
        http: { method: "PATCH" },
      },
    },
    { getRemainingTimeInMillis: () => 25_000 },
  );
  const { code } = JSON.parse(answer.body ?? "{}") as { code?: string };
  return { status: answer.statusCode, ...(code && { code }) };
}
const refused = { status: 409, code: "EVENT_HAS_REGISTRATIONS" };
const done = { status: 200 };

const seats = () => table.peek({ PK: "SEAT#gala#2030#00", SK: "POOL" }) as unknown as Seats;
/** How many people with a seat have chosen A, by their answers. */
const holdersOfA = () =>
  ["ada", "ben", "cyd", "dan"].filter((name) => {
    const item = table.peek({ PK: `USER#${emailOf(name)}`, SK: "REG#gala#2030" });
    const registration = item && registrationIn(item as never);
    return registration?.status === "registered" && registration.dynamicResponses.q === "A";
  }).length;

describe("a change of type", () => {
  test.each([
    ["to a workshop", select, [{ registrationQuestions: [workshop] }]],
    ["from a workshop", workshop, [{ registrationQuestions: [select] }]],
    [
      "to a workshop of the partners",
      select,
      [{ registrationQuestions: [], partnerRegistrationQuestions: [workshop] }],
    ],
    [
      "to a workshop, removed and added again",
      select,
      [{ registrationQuestions: [] }, { registrationQuestions: [workshop] }],
    ],
    [
      "from a workshop, removed and added again",
      workshop,
      [{ registrationQuestions: null }, { registrationQuestions: [select] }],
    ],
  ])(
    "%s is a 409 while someone is registered, waits or applies, and fine before and after",
    async (_, before, changes) => {
      const last = changes.at(-1) as object;
      for (const fields of [{}, { isApplicationBased: true }]) {
        givenEvent({ ...fields, registrationQuestions: [before] });
        await arrive("ada", "A");
        for (const one of changes.slice(0, -1)) expect(await patch(one)).toEqual(done);
        expect(await patch({ ...last, ename: "New" })).toEqual(refused);
        await become("ada", "cancelled");
        expect(await patch(last)).toEqual(done);
        // Nothing is remembered of a question that is asked again.
        expect(await patch({ ...last, ename: "Newer" })).toEqual(done);
      }
    },
  );

  test("between other types, and a new workshop, are fine while someone is registered", async () => {
    givenEvent({ registrationQuestions: [select] });
    await arrive("ada", "A");
    expect(await patch({ registrationQuestions: [ask("CHECKBOX"), ask("WORKSHOP_SELECTION", "new")] })).toEqual(done);
    expect(await patch({ registrationQuestions: [ask("CHECKBOX")] })).toEqual(done);
    expect(await patch({ registrationQuestions: [ask("TEXT"), ask("WORKSHOP_SELECTION", "new")] })).toEqual(done);
  });

  test("is refused too when a person registers between its look and its commit", async () => {
    givenEvent({ registrationQuestions: [select] });
    arrives = () => arrive("ada", "A");
    expect(await patch({ registrationQuestions: [workshop] })).toEqual(refused);
  });

  test("control: without the condition on the seats it is made, and the workshop has more people than places", async () => {
    givenEvent({ registrationQuestions: [select] });
    change = ({ input }) => {
      for (const { Update } of (input.TransactItems ?? []) as { Update?: { ConditionExpression?: string } }[]) {
        if (Update?.ConditionExpression?.includes("#state <> :DELETED AND seats = :none")) {
          Update.ConditionExpression = Update.ConditionExpression.replace(
            "seats = :none AND applicants = :none",
            "seats >= :none",
          );
        }
      }
    };
    arrives = () => arrive("ada", "A");
    expect(await patch({ registrationQuestions: [workshop] })).toEqual(done);
    for (const name of ["ben", "cyd"]) await arrive(name, "A");
    expect(holdersOfA()).toBe(3);
  });

  test("leaves no counter behind, and people who come back are counted by the present type", async () => {
    givenEvent({ registrationQuestions: [select] });
    for (const name of ["ada", "ben"]) await arrive(name, "A");
    for (const name of ["ada", "ben"]) await become(name, "cancelled");
    expect(await patch({ registrationQuestions: [workshop] })).toEqual(done);
    for (const name of ["ada", "ben"]) await become(name, "registered");
    expect(seats().choiceHolders).toEqual({ q: { A: 2 } });
    await expect(arrive("cyd", "A")).rejects.toMatchObject({ code: "CHOICE_FULL" });
    for (const name of ["ada", "ben"]) await become(name, "cancelled");
    expect(await patch({ registrationQuestions: [select] })).toEqual(done);
    await become("ada", "registered");
    expect(seats().choiceHolders).toEqual({ q: { A: 0 } });
  });

  test("after people were rejected: one who is accepted after all is counted, and not beyond the places", async () => {
    givenEvent({ isApplicationBased: true, registrationQuestions: [select] });
    for (const name of ["ada", "ben", "cyd"]) {
      await arrive(name, "A");
      await become(name, "rejected");
    }
    expect(await patch({ registrationQuestions: [workshop] })).toEqual(done);
    for (const name of ["ada", "ben"]) await become(name, "accepted");
    expect(seats().choiceHolders).toEqual({ q: { A: 2 } });
    await expect(become("cyd", "accepted")).rejects.toMatchObject({ code: "CHOICE_FULL" });
  });
});

test("a removed question is remembered until it is asked again", () => {
  const [asSelect, asWorkshop] = [{ registrationQuestions: [select] }, { registrationQuestions: [workshop] }];
  const removed = questionChange(asWorkshop, {});
  expect(removed).toEqual({ former: { q: { label: workshop.label, isCounted: true } }, changesCounting: false });
  const formerQuestions = removed.former;
  expect(questionChange({ formerQuestions }, asSelect)).toEqual({ former: {}, changesCounting: true });
  expect(questionChange({ formerQuestions }, asWorkshop)).toEqual({ former: {}, changesCounting: false });
  expect(questionChange({}, asWorkshop)).toEqual({ former: {}, changesCounting: false });
});
