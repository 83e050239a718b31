/** Markers of notices: what is claimed of them, and what they say of calendar entries. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Ending } from "#domain/notices/store.ts";
import type { Claim, Work } from "#kit/table/claims.ts";
import { givenWorld, markerOf, world } from "./notification-world.ts";

const store = await import("#domain/notices/store.ts");
const { claim, recordEnd } = await import("#kit/table/claims.ts");
const { systemContext } = await import("#kit/request/context.ts");

beforeEach(givenWorld);

const marker = { outboxId: "01A", channel: "mail", email: "ada@student.example" } as const;
const contextAt = (now = world.now) => systemContext("r1", now);
async function claimedAt(work: Work, now = world.now): Promise<Claim> {
  const claimed = await claim(work, now, contextAt());
  if (claimed.outcome !== "claimed") throw new Error(claimed.outcome);
  return claimed.claim;
}

test("a mail may be taken over, a chat message never, because a second one is worse than none", async () => {
  const later = world.now + store.lease;
  await claimedAt(store.sendingOf(marker));
  await claimedAt(store.sendingOf(marker), later);
  const chat = store.sendingOf({ ...marker, channel: "chat" });
  await claimedAt(chat);
  expect(await claim(chat, later, contextAt())).toMatchObject({ outcome: "done" });
});

describe("a calendar entry may have been sent", () => {
  const about = { ...marker, event: { id: "kickstart", year: 2026 } };
  const wasInvited = (event = about.event) => store.wasInvited({ email: marker.email, event }, contextAt());
  const inviting = (now = world.now) => claimedAt(store.sendingOf(about, true), now);
  const ended = (ending: Ending, by: Claim, withoutEntry = false) =>
    recordEnd(by, { state: ending, ...(withoutEntry && { withoutEntry }) }, contextAt());

  test("from the claim of a notice with one on, for 400 days, and for this event only", async () => {
    expect(await wasInvited()).toBe(false);
    const first = await inviting();
    expect(await wasInvited()).toBe(true);
    await ended("sent", first);
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
    await ended(ending, await inviting(), without);
    expect(await wasInvited()).toBe(false);
    givenWorld();
    await inviting();
    // The first try may have sent the entry before it died.
    await ended(ending, await inviting(world.now + store.lease), without);
    expect(await wasInvited()).toBe(true);
  });
});
