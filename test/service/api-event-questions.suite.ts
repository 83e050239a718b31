/**
 * Bounds of an event's questions (`docs/contract.md`, "Events"): a list outside them is refused with a sentence. An
 * event that was stored with one goes on working.
 */

import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { givenSettings } from "../settings.ts";
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

  test("is refused in a change, whichever of the two lists it changes", async () => {
    const attendees = await given({ registrationQuestions: clash.registrationQuestions });
    expect(await stage.changeEvent(attendees, { partnerRegistrationQuestions: [text("q")] })).toMatchObject(
      refused(places[1] as string),
    );
    const partners = await given({ partnerRegistrationQuestions: [text("q")] });
    expect(await stage.changeEvent(partners, { registrationQuestions: clash.registrationQuestions })).toMatchObject(
      refused(places[0] as string),
    );
    expect(await stage.changeEvent(await given({}), clash)).toMatchObject(refused(...places));
  });

  test("that is stored already stops neither other changes nor registrations", async () => {
    const id = await given({});
    const [stored] = await stage.stored(`EVENT#${id}#${year}`);
    const lists = {
      registrationQuestions: [workshop("q", ["a", "b"], { participantCap: 5 })],
      partnerRegistrationQuestions: [workshop("q", ["b", "c"])],
    };
    givenSettings({ TABLE_NAME: stage.outputs.tableName });
    const { newSeats } = await import("#domain/events/seat-settings.ts");
    const event = { ...stored, ...lists } as never;
    const seats = { ...newSeats(event, false), PK: `SEAT#${id}#${year}#00`, SK: "POOL" };
    for (const Item of [event, seats]) {
      await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
    }
    expect(await stage.changeEvent(id, { ename: "Renamed", capac: 50 })).toMatchObject({ status: 200 });
    expect(await stage.changeEvent(id, { ...lists, description: "The form sends all of it" })).toMatchObject({
      status: 200,
    });
    for (const [choice, isPartner] of [
      ["b", false],
      ["c", true],
    ] as const) {
      const answers = { isPartner, dynamicResponses: { q: choice } };
      expect(await stage.registerByAdmin(id, `${choice}@questions.example`, answers)).toMatchObject({ status: 201 });
    }
  });
});

test("an id that is used twice in one list is refused", async () => {
  expect(await stage.createEvent({ registrationQuestions: [text("q"), text("q")] })).toMatchObject(
    refused("/registrationQuestions/1/questionId"),
  );
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

  test("has at most 100 questions, each with at most 100 choices, however they are sent", async () => {
    expect(await stage.createEvent({ [list]: times(101, (n) => text(`q${n}`)) })).toMatchObject(refused(`/${list}`));
    const choices = times(101, (n) => `c${n}`);
    expect(await stage.createEvent({ [list]: [workshop("q", choices)] })).toMatchObject({ status: 400 });
    expect(await stage.createEvent({ [list]: [{ ...workshop("q"), choices: choices.join(",") }] })).toMatchObject(
      refused(`/${list}/0/choices`),
    );
    expect(await stage.createEvent({ [list]: [{ ...workshop("q"), choices: "x".repeat(201) }] })).toMatchObject(
      refused(`/${list}/0/choices`),
    );
    await given({ [list]: [{ ...workshop("q"), choices: choices.slice(1).join(",") }] });
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

  test("by two admins at once has each new question once", async () => {
    const id = await given({});
    const answers = await Promise.all(times(8, () => save(id, ["New?", "New, too?"])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const ids = await idsOf(id);
    expect(new Set(ids).size).toBe(2);
    expect(await idsOf(id)).toEqual(ids);
    for (const { body } of answers) {
      expect(body.item.registrationQuestions.map(({ questionId }: { questionId: string }) => questionId)).toEqual(ids);
    }
  });

  test("is answered without choices where a question has none, and with empty lists where there are no questions", async () => {
    const id = await given({ registrationQuestions: [anonymous("Why?")] });
    const { body } = await stage.api("GET", `/events/${id}/${year}`, { as: exec });
    expect(body.registrationQuestions).toEqual([expect.not.objectContaining({ choices: expect.anything() })]);
    expect(body).toMatchObject({
      ...{ partnerRegistrationQuestions: [], attendeeFeedbackQuestions: [], partnerFeedbackQuestions: [] },
      pricing: { member: 0, members: 0, nonMember: 0, nonMembers: 0 },
    });
  });
});
