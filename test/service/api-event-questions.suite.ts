import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, times, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const workshop = (questionId: string, choices: readonly string[] = ["a", "b"], more: object = {}) => ({
  questionId,
  label: "Which?",
  type: "WORKSHOP_SELECTION" as const,
  required: false,
  choices,
  ...more,
});
const text = (questionId: string) => ({ questionId, label: "Why?", type: "TEXT", required: false });
/** Makes an event with only these fields. @returns its id */
async function given(fields: Record<string, unknown>): Promise<string> {
  const { status, body } = await stage.createEvent(fields);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.item.id;
}
const refused = (...paths: string[]) => ({
  status: 400,
  body: {
    code: "VALIDATION",
    issues: paths.map((path) => ({ path, message: expect.any(String) })),
  },
});

describe("the same id among the questions of attendees and of partners", () => {
  const places = ["/registrationQuestions/1/questionId", "/partnerRegistrationQuestions/0/questionId"];
  const clash = { registrationQuestions: [text("a"), text("q")], partnerRegistrationQuestions: [text("q")] };

  test("is refused, and the answer names both places", async () => {
    const answer = await stage.createEvent(clash);
    expect(answer).toMatchObject(refused(...places));
    expect(answer.body.issues[0].message).toContain("entry 1 of partnerRegistrationQuestions ");
    expect(answer.body.issues[1].message).toContain("entry 2 of registrationQuestions ");
  });
});

describe.each(["registrationQuestions", "partnerRegistrationQuestions"])("%s", (list) => {
  test("has at most 20 workshops", async () => {
    const workshops = (count: number) => ({ [list]: times(count, (n) => workshop(`w${n}`)) });
    const answer = await stage.createEvent(workshops(21));
    expect(answer).toMatchObject(refused(`/${list}`));
    expect(answer.body.issues[0].message).toContain("20");
    const id = await given(workshops(20));
    expect(await stage.changeEvent(id, workshops(21))).toMatchObject(refused(`/${list}`));
  });
});

describe("a form that is saved without the ids of its questions", () => {
  const anonymous = (label: string, more: object = {}) => ({
    ...{ questionId: "", label, type: "TEXT", required: false, choices: "" },
    ...more,
  });
  const idsOf = async (id: string): Promise<string[]> => {
    const { body } = await stage.api("GET", `/events/${id}/${year}`, { as: exec });
    return body.registrationQuestions.map(({ questionId }: { questionId: string }) => questionId);
  };
  const save = (id: string, labels: string[]) =>
    stage.changeEvent(id, { registrationQuestions: labels.map((label) => anonymous(label)) });

  test("keeps ids and answers, however often and in whatever order it is saved", async () => {
    const id = await given({
      startDate: `${year}-05-01T18:00:00Z`,
      registrationQuestions: ["Why?", "How?", "Why?"].map((label) => anonymous(label)),
    });
    const [why, how, again] = await idsOf(id);
    const email = "answers@questions.example";
    const dynamicResponses = { [why as string]: "fun", [how as string]: "by bus", [again as string]: "really" };
    expect(await stage.register(id, email, { dynamicResponses })).toMatchObject({ status: 201 });
    const { headers } = await stage.api("GET", `/events/${id}/${year}`, { as: exec });

    const same = await save(id, ["Why?", "How?", "Why?"]);
    expect([same.status, same.headers.get("etag")]).toEqual([200, headers.get("etag")]);
    await save(id, ["When?", "How?", "Why?", "Why?"]);
    const [fresh, ...kept] = await idsOf(id);
    expect(kept).toEqual([how, why, again]);
    expect([why, how, again]).not.toContain(fresh);
    expect(await stage.registrationOf(id, email)).toMatchObject({ dynamicResponses });
  });
});
