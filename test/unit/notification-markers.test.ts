/** Markers of notices: which try may claim one, which may take it over, and which ending is stored. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Claimant, Ending, Marker } from "#domain/notices/store.ts";
import { givenWorld, markerOf, world } from "./notification-world.ts";

const store = await import("#domain/notices/store.ts");
const { systemContext } = await import("#kit/context.ts");
const { UnknownOutcome } = await import("#kit/conflict.ts");
const { seam } = await import("#kit/execute.ts");
const { lease } = store;

beforeEach(givenWorld);

const marker = { outboxId: "01A", channel: "mail", email: "ada@student.example" } as const;
const contextAt = (now = world.now) => systemContext("01A", "r1", now);
const claim = (of: Marker, claimant: Claimant) => store.claim(of, claimant, contextAt());
const release = (of: Marker, claimedBy: string) => store.release(of, claimedBy, contextAt());
const markEnded = (of: Marker, ending: Ending, claimedBy: string, now: number) =>
  store.markEnded(of, ending, { claimedBy, now }, contextAt());
const mail = (claimedBy: string, now = world.now) => claim(marker, { claimedBy, now, takesOver: true });
const chat = (claimedBy: string, now = world.now) => claim(marker, { claimedBy, now, takesOver: false });
const stateOf = async () => (await markerOf(marker))?.state;

describe("a claim", () => {
  test("is for one person, one channel and one message", async () => {
    expect(await mail("a")).toBe("claimed");
    const others = [{ outboxId: "01B" }, { channel: "chat" }, { email: "eve@student.example" }] as const;
    for (const other of others) {
      const claimant = { claimedBy: "b", now: world.now, takesOver: true };
      expect(await claim({ ...marker, ...other }, claimant)).toBe("claimed");
    }
  });

  test("by several tries at once goes to one of them", async () => {
    const outcomes = await Promise.all([mail("a"), mail("b"), mail("c")]);
    expect(outcomes.sort()).toEqual(["busy", "busy", "claimed"]);
  });

  test("without an answer is sent again under its token, and no other try gets it", async () => {
    for (const claiming of [mail, chat]) {
      givenWorld();
      world.unanswered = 0;
      expect(await claiming("a")).toBe("claimed");
      expect(world.calls).toBe(2);
      expect(await claiming("b")).toBe("busy");
    }
  });

  test("without an answer would look like another try's under a new token", async () => {
    const tokenOf = seam.tokenOf;
    let tries = 0;
    seam.tokenOf = (token) => `${token.slice(0, -1)}${tries++}`;
    try {
      world.unanswered = 0;
      expect(await chat("a")).toBe("busy");
    } finally {
      seam.tokenOf = tokenOf;
    }
  });

  test("without an answer until the deadline has an unknown outcome", async () => {
    world.unanswered = 0;
    const deadline = performance.now() - 1;
    const claiming = store.claim(marker, { claimedBy: "a", now: world.now, takesOver: false }, { deadline });
    await expect(claiming).rejects.toThrow(UnknownOutcome);
  });

  test("costs one call, also where it is refused", async () => {
    await chat("a");
    await chat("b");
    expect(world.calls).toBe(2);
  });

  test("is kept in the table for thirty days", async () => {
    await mail("a");
    expect(await markerOf(marker)).toMatchObject({ state: "claimed", ttl: world.now / 1_000 + 30 * 86_400 });
  });

  test("is taken over by one try when its lease has ended, and not before", async () => {
    await mail("a");
    expect(await mail("b", world.now + lease - 1)).toBe("busy");
    const outcomes = await Promise.all([mail("b", world.now + lease), mail("c", world.now + lease)]);
    expect(outcomes.sort()).toEqual(["busy", "claimed"]);
  });

  test("of a chat message is never taken over, because a second message is worse than none", async () => {
    await chat("a");
    expect(await chat("b")).toBe("busy");
    expect(await chat("b", world.now + lease)).toBe("abandoned");
    expect(await chat("b", world.now + 1_000 * lease)).toBe("abandoned");
  });

  test("that is released can be claimed at once, in both channels", async () => {
    for (const claiming of [mail, chat]) {
      expect(await claiming("a")).toBe("claimed");
      await release(marker, "a");
      expect(await claiming("b")).toBe("claimed");
      await release(marker, "b");
    }
  });

  test("of another try cannot be released", async () => {
    await mail("a");
    await release(marker, "b");
    expect(await mail("c")).toBe("busy");
  });
});

describe("the end of a notice", () => {
  test.each(["sent", "superseded", "failed"] as const)("as %s is final", async (ending) => {
    await mail("a");
    await markEnded(marker, ending, "a", world.now);
    await release(marker, "a");
    expect(await mail("a")).toBe("over");
    expect(await mail("b", world.now + 2 * lease)).toBe("over");
    expect(await stateOf()).toBe(ending);
  });

  test("is stored although the first answer got lost", async () => {
    await mail("a");
    world.unanswered = 1;
    await markEnded(marker, "superseded", "a", world.now);
    expect(await stateOf()).toBe("superseded");
  });

  test.each(["superseded", "failed"] as const)("as %s is not stored after the claim was taken over", async (ending) => {
    await mail("a");
    await mail("b", world.now + lease);
    await markEnded(marker, ending, "a", world.now);
    expect(await stateOf()).toBe("claimed");
  });

  test("as sent is stored also by a try whose claim was taken over, and no other try undoes it", async () => {
    await mail("a");
    await mail("b", world.now + lease);
    await markEnded(marker, "sent", "a", world.now);
    await release(marker, "b");
    await markEnded(marker, "failed", "b", world.now);
    expect(await stateOf()).toBe("sent");
  });
});

test("an invite is remembered for 400 days after its last mail, by its own UID", async () => {
  const wasInvited = (calendarUid: string) => store.wasInvited(calendarUid, contextAt());
  expect(await wasInvited("cal1")).toBe(false);
  await store.rememberInvite("cal1", contextAt());
  await store.rememberInvite("cal1", contextAt(world.now + 1_000));
  expect(await wasInvited("cal1")).toBe(true);
  expect(await wasInvited("cal2")).toBe(false);
  const { getItem } = await import("#kit/table.ts");
  const record = await getItem({ PK: "INVITE#cal1", SK: "INVITE" }, "strong");
  expect(record).toMatchObject({ ttl: world.now / 1_000 + 1 + 400 * 86_400 });
});
