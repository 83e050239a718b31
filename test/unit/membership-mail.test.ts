/** A new member is welcomed once, and only while the membership lasts. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Message } from "#outbox/messages.ts";
import { batchOf, failuresOf, givenWorld, markerOf, onTheBus, received, world } from "./notification-world.ts";

const { handler } = await import("#consumers/send-mail.ts");

beforeEach(givenWorld);

const email = "ada@student.example";
const since = Date.parse("2026-01-09T12:00:00Z");
const paid = { amount: 15_00, currency: "CAD" };

const granted = (data: Partial<Message<"member.granted">["data"]> = {}): Message<"member.granted"> => ({
  type: "member.granted",
  id: "01member",
  occurredAt: since,
  actor: "exec@club.example",
  requestId: "r1",
  data: { email, ...data },
});

const key = { PK: `USER#${email}` };
const givenUser = (more: object = {}) =>
  world.put({ ...key, SK: "USER", email, isMember: true, fname: "Augusta", ...more });
const givenMember = (more: object = {}) => world.put({ ...key, SK: "MEMBER", email, firstName: "Ada", ...more });
const deliver = async (...message: Message<"member.granted">[]) =>
  failuresOf(await handler(batchOf(...message.map(onTheBus)) as never));
const stateOf = async () => (await markerOf({ outboxId: "01member", channel: "mail" }))?.state;

describe("the mail", () => {
  test("of a paid membership has the name, what it gives, the amount and the way on, in text and in HTML", async () => {
    givenUser();
    givenMember();
    expect(await deliver(granted({ paid }))).toEqual([]);
    const [mail] = await received();
    expect(mail).toMatchObject({ subject: "You're a member of Club Events", method: undefined });
    expect(mail?.text).toMatch(/^Hi Ada,\n\nYOU'RE A MEMBER\n/);
    for (const body of [mail?.text, mail?.html.replaceAll("<br>", " ").replace(/<[^>]*>/g, "")]) {
      expect(body).toContain("We have received your payment of 15.00 CAD.");
      expect(body).toMatch(/Member since:? Friday, January 9, 2026 at 4:00 AM PST/);
      expect(body).toMatch(/Paid:? 15\.00 CAD/);
      expect(body).toContain("you pay that price");
    }
    expect(mail?.text).toContain("See the events:\nhttps://club.example\n");
    expect(mail?.html).toContain('href="https://club.example"');
    expect(mail?.html).not.toContain("data:image");
  });
});

test("a membership without a name is greeted by the account's", async () => {
  givenUser();
  givenMember({ firstName: "" });
  await deliver(granted());
  expect((await received())[0]?.text.split("\n")[0]).toBe("Hi Augusta,");
});

describe("a message", () => {
  test.each([
    ["the membership and the account are gone", () => undefined],
    ["the account's mark was taken away", () => [givenUser({ isMember: false }), givenMember()]],
  ])("is not mailed when %s", async (_, given) => {
    given();
    expect(await deliver(granted())).toEqual([]);
    expect(world.mails).toEqual([]);
    expect(await stateOf()).toBe("superseded");
  });
});
