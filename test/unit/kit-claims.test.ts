/** Claims of work: which try may have one, which may take it over, and which end is stored. */

import type { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Claim, ClaimItem, Work } from "#kit/table/claims.ts";
import { keyFrom } from "#kit/table/item.ts";
import { writesOf } from "../model/table.ts";
import { givenWorld, world } from "./notification-world.ts";

const { claim, recordEnd, release } = await import("#kit/table/claims.ts");
const { UnknownOutcome } = await import("#kit/table/conflict.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { client, getItem } = await import("#kit/table/table.ts");

/** The works of these tests are of no kind. */
function givenAnyWork() {
  givenWorld();
  world.memory.hasStrays = true;
}
beforeEach(givenAnyWork);

const lease = 60_000;
const key = keyFrom(["WORK#id", "WORK"], { id: 1 });
const shared: Work = { key, lease, takesOver: true, keptFor: 86_400 };
const single: Work = { ...shared, takesOver: false };
const both = [shared, single];

const context = () => systemContext("r1", world.now);
const stored = () => getItem<ClaimItem>(key, "strong");
const outcomeOf = async (work: Work, now = world.now) => (await claim(work, now, context())).outcome;
async function claimed(work: Work, now = world.now): Promise<Claim> {
  const its = await claim(work, now, context());
  if (its.outcome !== "claimed") throw new Error(its.outcome);
  return its.claim;
}
const end = (by: Claim, state: string, evenIfTakenOver = false) => recordEnd(by, { state }, context(), evenIfTakenOver);

describe("a claim", () => {
  test("by several tries at once goes to one of them, and has a name of its own", async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => outcomeOf(shared)));
    expect(outcomes.sort()).toEqual(["busy", "busy", "claimed"]);
    const first = (await stored())?.claimedBy;
    expect((await claimed(shared, world.now + lease)).claimedBy).not.toBe(first);
  });

  test("goes to all of them if they have one name", async () => {
    const carryOut = world.memory.execute.bind(world.memory);
    world.memory.execute = (command, age) => {
      for (const { ExpressionAttributeValues: values } of writesOf(command))
        Object.assign(values ?? {}, { ":me": "a" });
      return carryOut(command, age);
    };
    expect(await Promise.all([1, 2].map(() => outcomeOf(shared)))).toEqual(["claimed", "claimed"]);
  });

  test("is taken over by one try when its lease has ended, and not before", async () => {
    await claimed(shared);
    expect(await outcomeOf(shared, world.now + lease - 1)).toBe("busy");
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(shared, world.now + lease)));
    expect(outcomes.sort()).toEqual(["busy", "claimed"]);
  });

  test("is never taken over where the work says so", async () => {
    await claimed(single);
    for (const later of [0, lease, 1_000 * lease]) expect(await outcomeOf(single, world.now + later)).toBe("done");
  });

  test("of other work stays, also when its lease has ended or it was released", async () => {
    const of = (body: string): Work => ({ ...shared, facts: { body } });
    const first = await claimed(of("a"));
    expect(await claim(of("b"), world.now + lease, context())).toMatchObject({ outcome: "busy", item: { body: "a" } });
    await release(first, context());
    expect(await outcomeOf(of("b"), world.now + lease)).toBe("busy");
    expect(await outcomeOf(of("a"))).toBe("claimed");
  });

  test("counts until its time is over: then any work may be claimed", async () => {
    const of = (body: string): Work => ({ ...single, facts: { body } });
    await end(await claimed(of("a")), "sent");
    const day = 86_400_000;
    expect(await outcomeOf(of("b"), world.now + day - 1_000)).toBe("done");
    expect(await outcomeOf(of("b"), world.now + day)).toBe("claimed");
    expect(await stored()).toMatchObject({ state: "claimed", body: "b" });
  });
});

describe("a claim without an answer", () => {
  test("is sent again, and no other try gets it", async () => {
    for (const work of both) {
      givenAnyWork();
      world.unanswered = 0;
      await claimed(work);
      expect(world.calls).toBe(2);
      expect(await outcomeOf(work)).toBe(work.takesOver ? "busy" : "done");
    }
  });

  test("until the deadline is given back, and changes nothing when it is carried out later", async () => {
    const over = { deadline: performance.now() - 1 };
    for (const carriedOut of [true, false]) {
      givenAnyWork();
      const late: UpdateCommand[] = [];
      const carryOut = world.memory.execute.bind(world.memory);
      world.memory.execute = (command, age) => {
        if (late.push(command as UpdateCommand) > 1) return carryOut(command, age);
        if (carriedOut) carryOut(command, age);
        throw Object.assign(new Error(), { name: "TimeoutError" });
      };
      await expect(claim(single, world.now, over)).rejects.toThrow(UnknownOutcome);
      const [first] = late;
      if (!carriedOut && first) await client.send(first).catch(() => undefined);
      expect(await stored()).toMatchObject({ state: "released" });
      expect(await outcomeOf(single)).toBe("claimed");
    }
  });

  /** The table carries out a claim of the past a second time, after all that happened since. */
  async function lateClaim(since: (by: Claim) => Promise<unknown>, change = (condition: string) => condition) {
    givenAnyWork();
    const send = jest.spyOn(client, "send");
    const by = await claimed(single);
    const late = send.mock.calls.at(-1)?.[0] as UpdateCommand;
    await since(by);
    const before = await stored();
    late.input.ConditionExpression = change(late.input.ConditionExpression ?? "");
    await client.send(late).catch(() => undefined);
    return { before, after: await stored() };
  }
  const giveBack = (by: Claim) => release(by, context());

  test("that comes late changes nothing when it was given back, or another try has ended the work", async () => {
    const ended = (by: Claim) =>
      giveBack(by)
        .then(() => claimed(single, world.now + 1))
        .then((other) => end(other, "failed"));
    for (const since of [giveBack, ended]) {
      const { before, after } = await lateClaim(since);
      expect(before).toBeDefined();
      expect(after).toEqual(before);
    }
  });

  test("that comes late would block work that was given back, if all that is free could be claimed", async () => {
    const careless = (condition: string) => condition.replace(" AND claimedBy <> :me AND leaseUntil <= :until", "");
    const { before, after } = await lateClaim(giveBack, careless);
    expect([before?.state, after?.state]).toEqual(["released", "claimed"]);
  });
});

describe("the end of work", () => {
  test("is final, and stored although the first answer got lost", async () => {
    const by = await claimed(shared);
    world.unanswered = 1;
    await end(by, "sent");
    await release(by, context());
    expect(await outcomeOf(shared, world.now + 2 * lease)).toBe("done");
    expect((await stored())?.state).toBe("sent");
  });

  test("is not stored after the claim was taken over, unless no try has to go on: then no other try undoes it", async () => {
    const by = await claimed(shared);
    const other = await claimed(shared, world.now + lease);
    await end(by, "failed");
    expect((await stored())?.state).toBe("claimed");
    await end(by, "sent", true);
    await release(other, context());
    await end(other, "failed");
    expect((await stored())?.state).toBe("sent");
  });
});
