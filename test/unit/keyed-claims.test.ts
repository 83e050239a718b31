/** The claim of an `Idempotency-Key`: tries that die, or were only slow, and the one answer that all of them get. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Answer } from "#kit/request/answer.ts";
import { writesOf } from "../model/table.ts";
import { givenWorld, mutants, steps, world } from "./notification-world.ts";

const { RequestInProgress } = await import("#kit/errors.ts");
const { writeOnce } = await import("#kit/table/execute.ts");
const { ClaimedRequest } = await import("#kit/request/idempotency.ts");
const { systemContext } = await import("#kit/request/context.ts");

beforeEach(givenWorld);

const request = { route: "POST /x", whose: "ada@student.example", key: "k", body: { a: 1 } };
const lease = 30_000;
const contextAt = (later: number) => systemContext("r", world.now + later);
const sendAt = (later = 0) => ClaimedRequest.claim(request, contextAt(later));
async function claimedAt(later = 0) {
  const its = await sendAt(later);
  if (!("claimed" in its)) throw new Error("answered");
  return its.claimed;
}
const answerOf = (text: string): Answer => ({ statusCode: 200, headers: {}, body: text });
type Claimed = Awaited<ReturnType<typeof claimedAt>>;
/** Keeps an answer as a transaction does. @returns whether it was committed */
const keep = async (by: Claimed, text: string, isFinal = false) =>
  (await writeOnce({ kept: by.keeping(answerOf).member(text, isFinal) }, contextAt(0))) === undefined;

describe("a try that died", () => {
  test("without an answer is taken over when its lease has ended, and cannot do the work any more", async () => {
    const first = await claimedAt();
    await expect(sendAt(lease - 1)).rejects.toThrow(RequestInProgress);
    const second = await claimedAt(lease);
    expect(await keep(first, "late")).toBe(false);
    await expect(first.finish(answerOf("late"))).rejects.toThrow(RequestInProgress);
    expect(await keep(second, "done", true)).toBe(true);
    expect(await sendAt(lease)).toEqual({ answered: answerOf("done") });
  });

  test("would block its request for a day, if no try could take over", async () => {
    Object.assign(steps, mutants.neverTakingOver);
    await claimedAt();
    for (const later of [lease, 1_000 * lease]) await expect(sendAt(later)).rejects.toThrow(RequestInProgress);
  });

  test.each([
    ["released", 0],
    ["lapsed", lease],
  ])("with an answer that could still change, %s: it counts", async (how, later) => {
    const first = await claimedAt();
    expect(await keep(first, "in line")).toBe(true);
    if (how === "released") await first.release();
    expect(await sendAt(later)).toEqual({ answered: answerOf("in line") });
    expect(await keep(first, "registered")).toBe(false);
    await expect(first.finish(answerOf("registered"))).rejects.toThrow(RequestInProgress);
    expect(await sendAt(later)).toEqual({ answered: answerOf("in line") });
  });

  test("would be answered twice, if its answer were told without ending the claim", async () => {
    const carryOut = world.memory.execute.bind(world.memory);
    world.memory.execute = (command, age) =>
      writesOf(command).some((write) => write.UpdateExpression === "SET #state = :answered")
        ? {}
        : carryOut(command, age);
    const first = await claimedAt();
    await keep(first, "in line");
    expect(await sendAt(lease)).toEqual({ answered: answerOf("in line") });
    expect(await keep(first, "registered", true)).toBe(true);
    expect(await sendAt(lease)).toEqual({ answered: answerOf("registered") });
  });
});

test("an answer whose storing got no answer is stored, and told", async () => {
  const only = await claimedAt();
  world.unanswered = world.calls;
  await only.finish(answerOf("done"));
  expect(await sendAt()).toEqual({ answered: answerOf("done") });
});
