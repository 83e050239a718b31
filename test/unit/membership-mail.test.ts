/** A new member is welcomed once, and only while the membership lasts. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { membershipMail } from "#domain/notices/mail.ts";
import type { Message } from "#outbox/messages.ts";
import { messageForMail, UnknownMessage } from "#outbox/messages.ts";
import { hostileTexts, settings } from "./golden/notices.ts";
import {
  batchOf,
  contextOf,
  failuresOf,
  givenWorld,
  markerOf,
  mutants,
  onTheBus,
  received,
  steps,
  world,
} from "./notification-world.ts";

const { handler, mailAbout } = await import("#consumers/send-mail.ts");

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
    expect(mail).toMatchObject({
      subject: "You're a member of Club Events",
      method: undefined,
    });
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

  test("of a granted membership says nothing of money", async () => {
    givenUser();
    givenMember();
    await deliver(granted());
    const [mail] = await received();
    for (const body of [mail?.text, mail?.html]) expect(body).not.toMatch(/paid|payment|CAD/i);
  });

  test.each([
    ["the membership's name", { fname: "Augusta" }, { firstName: "Ada" }, "Hi Ada,"],
    ["the account's name, when the membership has none", { fname: "Augusta" }, { firstName: "" }, "Hi Augusta,"],
    ["no name, when there is none", { fname: "" }, { firstName: undefined }, "Hi,"],
  ])("greets by %s", async (_, user, member, greeting) => {
    givenUser(user);
    givenMember(member);
    await deliver(granted());
    expect((await received())[0]?.text.split("\n")[0]).toBe(greeting);
  });

  test.each(hostileTexts)("to %j has no other header and no other markup", async (fname) => {
    const read = async (name: string) =>
      simpleParser((await membershipMail({ person: { email, fname: name }, since, paid }, settings)).raw);
    const [plain, mail] = [await read("Ada"), await read(fname)];
    expect(mail.headerLines.map(({ key }) => key)).toEqual(plain.headerLines.map(({ key }) => key));
    expect(String(mail.html).match(/<[^>]*>/g)).toEqual(String(plain.html).match(/<[^>]*>/g));
  });
});

describe("a message", () => {
  test("that comes twice is one mail; without the marker it is two", async () => {
    givenUser();
    givenMember();
    expect(await deliver(granted(), granted())).toEqual([]);
    expect(world.mails).toHaveLength(1);
    expect(await stateOf()).toBe("sent");
    steps.claim = mutants.unclaimed.claim;
    await deliver(granted());
    expect(world.mails).toHaveLength(2);
  });

  test("that two functions handle at once is one mail, wherever they meet", async () => {
    let call = 0;
    for (; ; call += 1) {
      givenWorld();
      givenUser();
      givenMember();
      const message = granted();
      world.meanwhile = { call, happens: () => mailAbout(message, contextOf(message)).catch(() => undefined) };
      await mailAbout(message, contextOf(message)).catch(() => undefined);
      if (world.meanwhile !== undefined) break;
      world.revive();
      await mailAbout(message, contextOf(message));
      expect([call, world.mails.length]).toEqual([call, 1]);
    }
    expect(call).toBeGreaterThan(3);
  });

  test.each([
    ["the membership and the account are gone", () => undefined],
    ["the account's mark was taken away", () => [givenUser({ isMember: false }), givenMember()]],
  ])("is not mailed when %s", async (_, given) => {
    given();
    expect(await deliver(granted())).toEqual([]);
    expect(world.mails).toEqual([]);
    expect(await stateOf()).toBe("superseded");
  });

  test("about a person without an account is mailed", async () => {
    givenMember();
    await deliver(granted());
    expect(world.mails).toHaveLength(1);
  });

  test("of the time before messages had an amount is read, one with half an amount is not", () => {
    const read = (data: object) =>
      messageForMail(
        JSON.stringify({ ...onTheBus(granted()), data: undefined, detail: { ...onTheBus(granted()).detail, data } }),
      );
    expect(read({ email }).data).toEqual({ email });
    expect(() => read({ email, paid: { amount: 15_00 } })).toThrow(UnknownMessage);
    expect(() => read({})).toThrow(UnknownMessage);
  });

  test("waits while SES refuses, and is mailed when it is asked again", async () => {
    givenUser();
    givenMember();
    world.sesSays = [Object.assign(new Error(), { name: "Throttling", $metadata: { httpStatusCode: 400 } })];
    expect(await deliver(granted())).toEqual(["m0"]);
    expect(await deliver(granted())).toEqual([]);
    expect(world.mails).toHaveLength(1);
  });
});
