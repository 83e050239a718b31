/**
 * A question becomes a workshop selection, or stops being one, only while no one is registered (`docs/contract.md`,
 * "Events"): the places of a workshop are counted as people take them, and answers from before are not.
 */
import { describe, expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import { questionChange } from "#domain/events/questions.ts";
import { writesOf } from "../model/table.ts";
import { givenGala, start } from "./gala.ts";

const { systemContext } = await import("#kit/request/context.ts");
const { updateEvent } = await import("#domain/event-operations/update.ts");

const question = { questionId: "q", label: "Which?", required: false, choices: ["A", "B"] };
const select = { ...question, type: "SELECT" };
const workshop = { ...question, type: "WORKSHOP_SELECTION", participantCap: 2 };
const asking = (...registrationQuestions: object[]): EventRecord => ({ registrationQuestions }) as never;

const patch = (changes: object) =>
  updateEvent({ id: "gala", year: 2030 }, changes as never, undefined, systemContext("r", start));
const refused = { code: "EVENT_HAS_REGISTRATIONS" };
const choosing = { byAdmin: true, dynamicResponses: { q: "A" } };

describe("a change of type", () => {
  test.each([
    ["to a workshop", select, [asking(workshop)]],
    ["from a workshop", workshop, [asking(select)]],
    ["to a workshop, removed and added again", select, [asking(), asking(workshop)]],
  ])("%s is refused while someone is registered or applies, and fine after", async (_, before, changes) => {
    const last = changes.at(-1) as EventRecord;
    for (const fields of [{}, { isApplicationBased: true }]) {
      const gala = givenGala({ ...fields, ...asking(before) });
      await gala.register("ada", choosing);
      for (const one of changes.slice(0, -1)) await patch(one);
      await expect(patch({ ...last, ename: "New" })).rejects.toMatchObject(refused);
      await gala.become("ada", "cancelled", "admin");
      await patch(last);
      // Nothing is remembered of a question that is asked again.
      await patch({ ...last, ename: "Newer" });
    }
  });

  test("is refused too when a person registers between its look and its commit", async () => {
    const gala = givenGala(asking(select));
    gala.beforeWrite(() => gala.register("ada", choosing));
    await expect(patch(asking(workshop))).rejects.toMatchObject(refused);
  });

  test("control: without the condition on the seats it is made, and the workshop has more people than places", async () => {
    const gala = givenGala(asking(select));
    gala.beforeWrite(async (command) => {
      await gala.register("ada", choosing);
      for (const write of writesOf(command)) {
        const condition = write.ConditionExpression ?? "";
        write.ConditionExpression = condition.replace("seats = :none AND applicants = :none", "seats >= :none");
      }
    });
    await patch(asking(workshop));
    for (const name of ["ben", "cyd"]) await gala.register(name, choosing);
    const answers = ["ada", "ben", "cyd"].map((name) => gala.registrationOf(name));
    expect(answers.map(({ status, dynamicResponses: { q } }) => [status, q])).toEqual(
      Array(3).fill(["registered", "A"]),
    );
  });
});

test("a removed question is remembered until it is asked again", () => {
  const removed = questionChange(asking(workshop), {});
  expect(removed).toEqual({ former: { q: { label: workshop.label, isCounted: true } }, changesCounting: false });
  const formerQuestions = removed.former;
  expect(questionChange({ formerQuestions }, asking(select))).toEqual({ former: {}, changesCounting: true });
  expect(questionChange({ formerQuestions }, asking(workshop))).toEqual({ former: {}, changesCounting: false });
  expect(questionChange({}, asking(workshop))).toEqual({ former: {}, changesCounting: false });
});
