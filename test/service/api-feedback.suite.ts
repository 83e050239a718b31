import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, member, newEmail, user, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
});

const questions = [
  { questionId: "short", label: "In a word?", type: "SHORT_TEXT", required: false },
  { questionId: "long", label: "And at length?", type: "LONG_TEXT", required: false },
  { questionId: "best", label: "The best part?", type: "MULTIPLE_CHOICE", required: true, choices: ["Food", "Talks"] },
  {
    questionId: "liked",
    label: "What did you like?",
    type: "CHECKBOXES",
    required: false,
    choices: "Food, Talks, Room",
  },
  { questionId: "again", label: "Again?", type: "LINEAR_SCALE", required: false, scaleMin: 0, scaleMax: 5 },
];
const fine = { "overall-rating": 9, best: "Talks" };

/** Makes an event whose attendee form takes answers. @returns its id */
async function givenForm(more: object = {}): Promise<string> {
  const asked = { attendeeFeedbackEnabled: true, attendeeFeedbackQuestions: questions };
  const { status, body } = await stage.createEvent({ ename: "Gala", ...asked, ...more });
  expect(status).toBe(201);
  return body.item.id;
}

const pathOf = (id: string, formType = "attendee") => `/events/${id}/${year}/feedback/${formType}`;
const form = (id: string, { as = user, formType = "attendee" } = {}) => stage.api("GET", pathOf(id, formType), { as });
const submit = (id: string, responses: unknown = fine, { as = user, formType = "attendee", more = {} } = {}) =>
  stage.api("POST", pathOf(id, formType), { as, body: { responses, ...more } });
const submissions = (id: string, { as = exec, formType = "attendee", query = "" } = {}) =>
  stage.list(`${pathOf(id, formType)}/submissions${query}`, as);
const person = (n: number): string => `person-${n}@student.example`;

/** @returns the messages about feedback on an event */
const message = async (id: string) =>
  (await stage.outboxRows()).filter(
    ({ detailType, detail }) => detailType === "feedback.submitted" && detail.data.eventID === id,
  );

describe("the feedback form", () => {
  test("of an unknown or hidden event is a 404", async () => {
    const hidden = await givenForm({ isPublished: false });
    for (const id of ["no-such-event", hidden]) {
      expect(await form(id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
      expect(await submit(id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    expect(await submissions("no-such-event")).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await form(hidden, { as: exec })).status).toBe(200);
    expect((await submit(hidden, fine, { as: exec })).status).toBe(201);
    expect((await submissions(hidden)).body.count).toBe(1);
  });
});

describe("a submission", () => {
  test("keeps every kind of answer, and names its author only if the author filled that in", async () => {
    const id = await givenForm();
    const long = "Two\nlines, and \u{1f600}";
    const responses = { ...fine, short: "Good", long, liked: "Food, Room", again: 0 };
    const before = Date.now();
    const answer = await submit(id, responses, {
      more: { respondentName: " Ada ", respondentEmail: "Ada@Elsewhere.Example" },
    });
    expect(answer).toMatchObject({ status: 201, body: { message: expect.any(String), id: expect.any(String) } });
    const { body } = await submissions(id);
    expect(body).toEqual({
      count: 1,
      submissions: [
        {
          id: answer.body.id,
          eventID: id,
          year,
          formType: "attendee",
          submittedAt: expect.any(Number),
          responses: { ...responses, liked: ["Food", "Room"] },
          came: false,
          respondentName: "Ada",
          respondentEmail: "ada@elsewhere.example",
        },
      ],
    });
    expect(body.submissions[0].submittedAt).toBeGreaterThanOrEqual(before - 1_000);
  });

  test("names the person neither in the table nor in its message", async () => {
    const id = await givenForm();
    const as = "very-shy@student.example";
    const answer = await submit(id, fine, { as, more: { respondentName: "", respondentEmail: "" } });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(await stage.storedItems())).not.toContain("very-shy");
    expect((await submissions(id)).body.submissions[0]).not.toHaveProperty("respondentEmail");
    const [told, ...more] = await message(id);
    expect(more).toEqual([]);
    expect(told).toMatchObject({ detail: { data: { eventID: id, year, formType: "attendee" } } });
    expect(JSON.stringify(told)).not.toContain(answer.body.id);
  });

  test("replaces the same person's earlier one on the same form, and no other", async () => {
    const id = await givenForm({ partnerFeedbackEnabled: true });
    const first = await submit(id, { ...fine, short: "First" }, { more: { respondentName: "Ada" } });
    const { submittedAt } = (await submissions(id)).body.submissions[0];
    // It begins with it, for this person and this form only.
    const mine = { submittedAt, responses: { ...fine, short: "First" }, respondentName: "Ada" };
    expect((await form(id)).body.mine).toEqual(mine);
    expect((await form(id, { as: member })).body).not.toHaveProperty("mine");
    expect((await form(id, { formType: "partner" })).body).not.toHaveProperty("mine");
    const other = await submit(id, fine, { as: member });
    const partner = await submit(id, { "overall-rating": 1 }, { formType: "partner" });
    const second = await submit(id, { ...fine, "overall-rating": 2 });
    expect(second.body.id).toBe(first.body.id);
    expect(new Set([first, other, partner].map(({ body }) => body.id)).size).toBe(3);
    const { count, submissions: rows } = (await submissions(id)).body;
    expect(count).toBe(2);
    expect(rows.map((row: { id: string }) => row.id)).toEqual([first.body.id, other.body.id]);
    expect(rows[0].responses).toEqual({ ...fine, "overall-rating": 2 });
    expect(rows[0]).not.toHaveProperty("respondentName");
    expect(rows[0].submittedAt).toBeGreaterThan(submittedAt);
    expect((await submissions(id, { formType: "partner" })).body).toMatchObject({
      count: 1,
      submissions: [{ id: partner.body.id, formType: "partner" }],
    });
    expect(await message(id)).toHaveLength(4);
  });

  test("that is handled late does not replace a newer one of the same person", async () => {
    const id = await givenForm();
    const { body } = await submit(id, { ...fine, short: "Newer" });
    // Sets the time of the stored submission. A later time than the next request's keeps it, an earlier one does not.
    const arriving = (arrival: string) =>
      stage.table.send(
        new UpdateCommand({
          TableName: stage.outputs.tableName,
          Key: { PK: `FB#${id}#${year}#attendee`, SK: body.id },
          UpdateExpression: "SET arrival = :arrival",
          ExpressionAttributeValues: { ":arrival": arrival },
        }),
      );
    const shortAnswer = async () => (await submissions(id)).body.submissions[0].responses.short;
    await arriving(`${Date.now() + 86_400_000}#A`);
    expect(await submit(id, { ...fine, short: "Older" })).toMatchObject({ status: 201, body: { id: body.id } });
    expect(await shortAnswer()).toBe("Newer");
    expect(await message(id)).toHaveLength(1);
    await arriving("1#A");
    await submit(id, { ...fine, short: "Newest" });
    expect(await shortAnswer()).toBe("Newest");
  });

  test("is refused before the event begins, also from an admin", async () => {
    const id = await givenForm({ startDate: `${year}-03-01T18:00` });
    expect((await form(id)).body).toMatchObject({
      enabled: false,
      event: { when: expect.stringContaining("6:00 PM ") },
    });
    const message = expect.stringMatching(/once it has begun, on Friday, March 1, 2030 at 6:00 PM [A-Z]/);
    for (const as of [user, exec]) {
      expect(await submit(id, fine, { as })).toMatchObject({
        status: 403,
        body: { code: "FEEDBACK_DISABLED", message },
      });
    }
    expect((await submissions(id)).body.count).toBe(0);
  });

  test("says whether its author came, but not who it is, and the report counts both", async () => {
    const [came, stayed] = [newEmail(), newEmail()];
    const id = await givenForm();
    for (const email of [came, stayed]) expect((await stage.registerByAdmin(id, email)).status).toBe(201);
    await stage.moveTo(id, came, "checkedIn");
    for (const as of [came, stayed, newEmail()])
      await submit(id, { ...fine, "overall-rating": as === came ? 9 : 4 }, { as });
    const { body } = await submissions(id);
    expect(body.submissions.map((one: { came: boolean }) => one.came)).toEqual([false, false, true]);
    expect(JSON.stringify(body)).not.toContain(came);
    const { feedback } = (await stage.api("GET", `/events/${id}/${year}/report`, { as: exec })).body;
    expect(feedback).toMatchObject({ count: 3, came: { count: 1, mean: 9 }, absent: { count: 2, mean: 4 } });
  });

  test("on a form that takes no answers is refused, also from an admin", async () => {
    const id = await givenForm({ attendeeFeedbackEnabled: false });
    for (const as of [user, exec]) {
      const answer = await submit(id, fine, { as });
      expect(answer).toMatchObject({ status: 403, body: { code: "FEEDBACK_DISABLED" } });
      expect(answer.body.message).not.toBe("Unauthorized");
    }
    expect((await submissions(id)).body).toEqual({ count: 0, submissions: [] });
    expect(await message(id)).toEqual([]);
  });

  test("with wrong answers is refused, all of them by name, and not stored", async () => {
    const id = await givenForm();
    const answer = await submit(id, { best: "x", again: 9, z: 1 });
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    const paths = ["overall-rating", "best", "again", "z"].map((question) => `/responses/${question}`);
    expect(answer.body.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect((await submissions(id)).body.count).toBe(0);
    expect(await message(id)).toEqual([]);
  });
});

describe("the list of submissions", () => {
  test("is newest first", async () => {
    const id = await givenForm();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await submit(id, fine, { as: person(n) })).body.id);
    const whole = await submissions(id);
    expect(whole.body.submissions.map((row: { id: string }) => row.id)).toEqual(ids);
    expect(whole.headers.get("x-next-cursor")).toBeNull();
  });

  test("of an event that was deleted and created again is empty, and takes the same people's submissions", async () => {
    const id = await givenForm();
    const earlier = await submit(id);
    expect((await stage.deleteEvent(id)).status).toBe(200);
    expect((await submissions(id)).status).toBe(404);
    expect(await givenForm({ id })).toBe(id);
    expect((await submissions(id)).body).toEqual({ count: 0, submissions: [] });
    const later = await submit(id);
    expect(later.body.id).not.toBe(earlier.body.id);
    expect((await submissions(id)).body).toMatchObject({ count: 1, submissions: [{ id: later.body.id }] });
  });
});
