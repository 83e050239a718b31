/** Items that grow with every request: the service refuses a request before DynamoDB would refuse the item. */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, expect, test } from "@jest/globals";
import { type Answer, times, user, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

const text = (n: number, label = "Why?") => ({ questionId: `q${n}`, label, type: "TEXT", required: false });
const refused = (path: string) => ({ status: 400, body: { code: "VALIDATION", issues: [{ path }] } });

/** Sends up to twelve requests. The first must be accepted, a later one refused with a 400 for `path`. */
async function expectBound(path: string, send: (n: number) => Promise<Answer>): Promise<void> {
  let answer = await send(0);
  expect(answer.status).toBeLessThan(300);
  for (let n = 1; n < 12 && answer.status < 300; n += 1) answer = await send(n);
  expect(answer).toMatchObject(refused(path));
}

test("a registration whose answers grow with each request is refused at a bound", async () => {
  const id = "answers";
  expect((await stage.createEvent({ id, registrationQuestions: times(100, (n) => text(n)) })).status).toBe(201);
  expect((await stage.register(id, user)).status).toBe(201);
  await expectBound("/dynamicResponses", (n) => {
    // A stored line break has two bytes.
    const answer = "a\n".repeat(2_000);
    const dynamicResponses = Object.fromEntries(times(12, (m) => [`q${8 * n + m}`, answer]));
    return stage.changeRegistration(id, user, { dynamicResponses }, user);
  });
  const { dynamicResponses } = await stage.registrationOf(id, user);
  expect(Object.keys(dynamicResponses).length).toBeGreaterThanOrEqual(12);
});

test("an event whose lists of questions grow with each request is refused at a bound", async () => {
  const lists = [
    "registrationQuestions",
    "partnerRegistrationQuestions",
    "attendeeFeedbackQuestions",
    "partnerFeedbackQuestions",
  ];
  expect((await stage.createEvent({ id: "lists" })).status).toBe(201);
  await expectBound("/", (n) => {
    const list = lists[n] as string;
    const questions = times(70, (m) => ({ ...text(m, "\u20ac".repeat(1_000)), questionId: `${n}-${m}` }));
    const type = list.includes("Feedback") ? "SHORT_TEXT" : "TEXT";
    return stage.changeEvent("lists", { [list]: questions.map((question) => ({ ...question, type })) });
  });
});

const workshops = (count: number, choices: number, name: string) =>
  times(count, (n) => ({
    ...text(n),
    type: "WORKSHOP_SELECTION",
    choices: times(choices, (m) => `${name} ${m}`.padEnd(100, ".")),
  }));

/** Stores the counters that stay when people took every choice and gave it back. */
async function takeAndGiveBackEverything(id: string): Promise<void> {
  const [event] = await stage.stored(`EVENT#${id}#${year}`);
  const seats = await stage.storedSeats(id);
  const { registrationQuestions = [], partnerRegistrationQuestions = [] } = event as Record<
    string,
    { readonly questionId: string; readonly choices: string[] }[]
  >;
  const all = [...registrationQuestions, ...partnerRegistrationQuestions].map(({ questionId, choices }) => [
    questionId,
    Object.fromEntries(choices.map((choice) => [choice, 0])),
  ]);
  await stage.table.send(
    new UpdateCommand({
      TableName: stage.outputs.tableName,
      Key: { PK: seats.PK, SK: seats.SK },
      UpdateExpression: "SET choiceHolders = :holders",
      ExpressionAttributeValues: { ":holders": { ...(seats.choiceHolders as object), ...Object.fromEntries(all) } },
    }),
  );
}

test("choices that were taken once count towards the bound, also when they are no longer offered", async () => {
  expect((await stage.createEvent({ id: "seats" })).status).toBe(201);
  await expectBound("/registrationQuestions", async (n) => {
    await takeAndGiveBackEverything("seats");
    const questions = workshops(2, 100, "w").map((question, m) => ({ ...question, questionId: `${n}-${m}` }));
    return stage.changeEvent("seats", {
      registrationQuestions: questions,
      partnerRegistrationQuestions: workshops(2, 100, "p").map((question, m) => ({
        ...question,
        questionId: `p${n}-${m}`,
      })),
    });
  });
  const large = { registrationQuestions: workshops(15, 100, "w") };
  expect(await stage.createEvent({ id: "seats-at-once", ...large })).toMatchObject(refused("/registrationQuestions"));
});
