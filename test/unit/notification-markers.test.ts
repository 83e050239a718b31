/** Markers of what was sent: who may send, who may take over, and what is noted in the end. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { givenWorld, markerOf, world } from "./notification-world.ts";

const { claim, lease, markEnded, release, rememberInvite, wasInvited } = await import(
  "../../lambda/notifications/store.ts"
);

beforeEach(givenWorld);

const marker = { outboxId: "01A", channel: "mail", email: "ada@student.example" } as const;
const mail = (claimedBy: string, now = world.now) => claim(marker, { claimedBy, now, takesOver: true });
const chat = (claimedBy: string, now = world.now) => claim(marker, { claimedBy, now, takesOver: false });
const stateOf = async () => (await markerOf(marker))?.state;

describe("a claim", () => {
  test("is one person's, channel's and event's", async () => {
    expect(await mail("a")).toBe("claimed");
    const others = [{ outboxId: "01B" }, { channel: "chat" }, { email: "eve@student.example" }] as const;
    for (const other of others) {
      const claimant = { claimedBy: "b", now: world.now, takesOver: true };
      expect(await claim({ ...marker, ...other }, claimant)).toBe("claimed");
    }
  });

  test("of two at the same time goes to one", async () => {
    const outcomes = await Promise.all([mail("a"), mail("b"), mail("c")]);
    expect(outcomes.sort()).toEqual(["busy", "busy", "claimed"]);
  });

  test("is recognized by who made it, when the answer got lost", async () => {
    world.unanswered = 0;
    expect(await mail("a")).toBe("claimed");
    expect(await mail("b")).toBe("busy");
  });

  test("is kept in the table for thirty days", async () => {
    await mail("a");
    expect(await markerOf(marker)).toMatchObject({ state: "claimed", ttl: world.now / 1_000 + 30 * 86_400 });
  });

  test("is taken over when its lease has ended, not before, and by one", async () => {
    await mail("a");
    expect(await mail("b", world.now + lease - 1)).toBe("busy");
    const outcomes = await Promise.all([mail("b", world.now + lease), mail("c", world.now + lease)]);
    expect(outcomes.sort()).toEqual(["busy", "claimed"]);
  });

  test("is never taken over where a second message is worse than none", async () => {
    await chat("a");
    expect(await chat("b")).toBe("busy");
    expect(await chat("b", world.now + lease)).toBe("abandoned");
    expect(await chat("b", world.now + 1_000 * lease)).toBe("abandoned");
  });

  test("that is given back waits for no lease, whatever the rules", async () => {
    for (const claiming of [mail, chat]) {
      expect(await claiming("a")).toBe("claimed");
      await release(marker, "a");
      expect(await claiming("b")).toBe("claimed");
      await release(marker, "b");
    }
  });

  test("of somebody else cannot be given back", async () => {
    await mail("a");
    await release(marker, "b");
    expect(await mail("c")).toBe("busy");
  });
});

describe("an ending", () => {
  test.each(["sent", "superseded", "failed"] as const)("%s is final", async (ending) => {
    await mail("a");
    await markEnded(marker, ending, "a", world.now);
    await release(marker, "a");
    expect(await mail("a")).toBe("over");
    expect(await mail("b", world.now + 2 * lease)).toBe("over");
    expect(await stateOf()).toBe(ending);
  });

  test("is noted although the first answer got lost", async () => {
    await mail("a");
    world.unanswered = 1;
    await markEnded(marker, "superseded", "a", world.now);
    expect(await stateOf()).toBe("superseded");
  });

  test.each(["superseded", "failed"] as const)("%s is not for somebody whose claim was taken over", async (ending) => {
    await mail("a");
    await mail("b", world.now + lease);
    await markEnded(marker, ending, "a", world.now);
    expect(await stateOf()).toBe("claimed");
  });

  test("sent is a fact also when the claim was taken over: nobody who gives up makes it undone", async () => {
    await mail("a");
    await mail("b", world.now + lease);
    await markEnded(marker, "sent", "a", world.now);
    await release(marker, "b");
    await markEnded(marker, "failed", "b", world.now);
    expect(await stateOf()).toBe("sent");
  });
});

test("an invite is remembered for 400 days after it was last sent, each by its own name", async () => {
  expect(await wasInvited("cal1")).toBe(false);
  await rememberInvite("cal1", world.now);
  await rememberInvite("cal1", world.now + 1_000);
  expect(await wasInvited("cal1")).toBe(true);
  expect(await wasInvited("cal2")).toBe(false);
  const { getItem } = await import("../../lambda/kit/table.ts");
  const record = await getItem({ PK: "INVITE#cal1", SK: "INVITE" }, "strong");
  expect(record).toMatchObject({ ttl: world.now / 1_000 + 1 + 400 * 86_400 });
});
