/** Markers of notices: which try may claim one, which may take it over, and which ending is stored. */
import type { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Claimant, Ending, Marker } from "#domain/notices/store.ts";
import { givenWorld, markerOf, world } from "./notification-world.ts";

const store = await import("#domain/notices/store.ts");
const { systemContext } = await import("#kit/context.ts");
const { UnknownOutcome } = await import("#kit/conflict.ts");
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

  test("without an answer is sent again, and no other try gets it", async () => {
    for (const claiming of [mail, chat]) {
      givenWorld();
      world.unanswered = 0;
      expect(await claiming("a")).toBe("claimed");
      expect(world.calls).toBe(2);
      expect(await claiming("b")).toBe(claiming === mail ? "busy" : "over");
    }
  });

  test("without an answer would look like another try's if its own claim were not free for it", async () => {
    world.unanswered = 0;
    let tries = 0;
    // Each call to the table names another try.
    const nameless = {
      now: world.now,
      takesOver: true,
      get claimedBy() {
        tries += 1;
        return `a${tries}`;
      },
    };
    expect(await claim(marker, nameless)).toBe("busy");
  });

  /** The table carries out a claim of the past a second time, after all that happened since. */
  async function lateClaim(since: (now: number) => Promise<unknown>, change = (condition: string) => condition) {
    givenWorld();
    const then = world.now;
    const { client } = await import("#kit/table.ts");
    const send = jest.spyOn(client, "send");
    await chat("a", then);
    const late = send.mock.calls.at(-1)?.[0] as UpdateCommand;
    await since(then);
    const before = await markerOf(marker);
    late.input.ConditionExpression = change(late.input.ConditionExpression ?? "");
    await client.send(late).catch(() => undefined);
    return { before, after: await markerOf(marker) };
  }

  const histories: readonly (readonly [string, (then: number) => Promise<unknown>])[] = [
    ["the same try has given it back", () => release(marker, "a")],
    ["the same try has ended", (then) => markEnded(marker, "failed", "a", then)],
    [
      "the same try has given it back, and another one has claimed it",
      (then) => release(marker, "a").then(() => chat("b", then + 1)),
    ],
    [
      "another try has claimed it and given it back too",
      (then) =>
        release(marker, "a")
          .then(() => chat("b", then + 1))
          .then(() => release(marker, "b")),
    ],
    [
      "another try has claimed and ended it",
      (then) =>
        release(marker, "a")
          .then(() => chat("b", then + 1))
          .then(() => markEnded(marker, "failed", "b", then + 2)),
    ],
  ];

  test.each(histories)("that comes late changes nothing when %s", async (_, since) => {
    const { before, after } = await lateClaim(since);
    expect(before).toBeDefined();
    expect(after).toEqual(before);
  });

  test("that comes late would block a notice that was given back, if every one that is free could be claimed", async () => {
    const careless = (condition: string) => condition.replace(" AND claimedBy <> :me AND leaseUntil <= :until", "");
    const { before, after } = await lateClaim(() => release(marker, "a"), careless);
    expect([before?.state, after?.state]).toEqual(["released", "claimed"]);
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
    for (const later of [0, lease, 1_000 * lease]) expect(await chat("b", world.now + later)).toBe("over");
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

describe("a calendar entry may have been sent", () => {
  const about = { ...marker, event: { id: "kickstart", year: 2026 } };
  const wasInvited = (event = about.event) => store.wasInvited({ email: marker.email, event }, contextAt());
  const inviting = (claimedBy: string, now = world.now) =>
    store.claim(about, { claimedBy, now, takesOver: true, invites: true }, contextAt());
  const ended = (ending: Ending, claimedBy: string, withoutEntry = false) =>
    store.markEnded(about, ending, { claimedBy, now: world.now, invites: true, withoutEntry }, contextAt());

  test("from the claim of a notice with one on, for 400 days, and for this event only", async () => {
    expect(await wasInvited()).toBe(false);
    await inviting("a");
    expect(await wasInvited()).toBe(true);
    await ended("sent", "a");
    expect(await wasInvited()).toBe(true);
    expect(await markerOf(about)).toMatchObject({ ttl: world.now / 1_000 + 400 * 86_400 });
    for (const event of [
      { id: "kickstart", year: 20_261 },
      { id: "kick", year: 2026 },
      { id: "x", year: 2026 },
    ]) {
      expect(await wasInvited(event)).toBe(false);
    }
  });

  test.each<[string, Ending, boolean]>([
    ["was superseded", "superseded", false],
    ["was refused by the mail service", "failed", false],
    ["had none, because the event had no date", "sent", true],
  ])("never with a notice that %s at its only try; with a second one it is not certain", async (_, ending, without) => {
    await inviting("a");
    await ended(ending, "a", without);
    expect(await wasInvited()).toBe(false);
    givenWorld();
    await inviting("a");
    // The first try may have sent the entry before it died.
    expect(await inviting("b", world.now + lease)).toBe("claimed");
    await ended(ending, "b", without);
    expect(await wasInvited()).toBe(true);
  });

  test("with a claim whose answer got lost and whose notice was superseded: it counts as two tries", async () => {
    world.unanswered = 0;
    await inviting("a");
    await ended("superseded", "a");
    expect(await wasInvited()).toBe(true);
  });

  test("never with a notice of a kind without one", async () => {
    await store.claim(about, { claimedBy: "a", now: world.now, takesOver: true }, contextAt());
    expect(await wasInvited()).toBe(false);
  });
});
