/** How many mails with codes strangers can cause (`docs/contract.md`, "Sign-up"). */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import {
  type CodeMail,
  type CodeMailLimits,
  countersOf,
  type Held,
  heldText,
  judge,
  mailboxCountKeys,
  mailboxOf,
} from "#domain/people/sign-ups/limits.ts";

const { client } = await import("#kit/table/table.ts");
const { admitCodeMail } = await import("#domain/people/sign-ups/admit.ts");

const limits: CodeMailLimits = { perHour: 6, perHourAndDomain: 3, openDomains: ["uni.example"] };
const now = Date.parse("2030-01-01T12:34:56Z");
const hour = 3_600_000;

describe("one mailbox", () => {
  test.each([
    ["a+1@x.example", "a@x.example"],
    ["success+a@simulator.amazonses.com", "success+a@simulator.amazonses.com"],
    ["+a@x.example", "+a@x.example"],
    ["a.b@x.example", "a.b@x.example"],
    ["a.b+c.d@gmail.com", "ab@gmail.com"],
    ["a.b@googlemail.com", "ab@gmail.com"],
  ])("%s is %s", (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox));
});

describe("the rule", () => {
  const judged = (mail: CodeMail, email: string, counts: readonly number[], isClosed = false) =>
    judge(mail, countersOf(mail, email, limits, now), { counts, isClosed });

  test.each<[string, CodeMail, string, readonly number[], Held | undefined]>([
    ["the last mail", "sign-up", "a@x.example", [4, 2, 5], undefined],
    ["a full mailbox", "sign-up", "a@x.example", [5, 0, 0], "mailbox"],
    ["a full domain", "sign-up", "a@x.example", [0, 3, 0], "domain"],
    ["a domain that ends like an open one", "sign-up", "a@notuni.example", [0, 3, 0], "domain"],
    ["a full hour", "code again", "a@x.example", [0, 0, 6], "all"],
    ["an open domain", "sign-up", "a@uni.example", [0, 29], undefined],
    ["a full open domain", "sign-up", "a@uni.example", [0, 30], "domain"],
    ["a full open domain, for a guest", "guest", "a@uni.example", [0, 30], "domain"],
    ["a forgotten password", "forgotten password", "a@x.example", [4], undefined],
    ["too many forgotten passwords", "forgotten password", "a@x.example", [5], "reset"],
  ])("%s", (_, mail, email, counts, held) => expect(judged(mail, email, counts)).toBe(held));

  test.each<[CodeMail, Held | undefined]>([
    ["sign-up", "closed"],
    ["code again", "closed"],
    ["guest", "closed"],
    ["lost links", "closed"],
    ["changed email", undefined],
    ["forgotten password", undefined],
  ])("closed: %s", (mail, held) => {
    expect(judged(mail, "a@x.example", [0, 0, 0], true)).toBe(held);
    expect(judged(mail, "a@uni.example", [0, 0], true)).toBe(held);
  });

  test("a person reads when to try again", () => {
    expect(heldText("all", now)).toBe("Too many people sign up at the moment. Please try again in 26 minutes");
    expect(heldText("domain", now - (now % hour) + hour - 1)).toMatch(/in a minute$/);
    expect(heldText("mailbox", now)).toMatch(/Use the newest one\. Please try again in 26 minutes$/);
    expect(heldText("closed", now)).toBe("No new accounts can be made at the moment. Please try again later");
  });
});

describe("the counts", () => {
  let table: MemoryTable;
  /** Takes the condition away, on which a counter grows. */
  let isBlind = false;
  /** Turns of the event loop before each call, so that mails overtake each other. */
  let delays: readonly number[] = [];

  beforeEach(() => {
    table = new MemoryTable();
    [isBlind, delays] = [false, []];
    let calls = 0;
    jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
      for (let turn = delays[calls++ % delays.length] ?? 0; turn > 0; turn -= 1) await undefined;
      if (isBlind && command instanceof UpdateCommand) {
        command.input.ConditionExpression = undefined;
        delete command.input.ExpressionAttributeValues?.[":limit"];
      }
      return table.execute(command, () => 0);
    }) as never);
  });

  const admit = (email: string, at = now, mail: CodeMail = "sign-up") => admitCodeMail(mail, email, limits, at);

  test("of a person's mailbox are all found by their keys", async () => {
    for (const mail of ["sign-up", "forgotten password", "guest"] as const) await admit("ada+1@x.example", now, mail);
    const keys = mailboxCountKeys("ada+1@x.example", now + hour);
    const found = keys.filter((key) => table.peek({ ...key }) !== undefined).map(({ SK }) => SK);
    expect(found.sort()).toEqual(["GUEST-MAILBOX#ada@x.example", "MAILBOX#ada@x.example", "RESET#ada@x.example"]);
    const others = (table.all() as { SK: string }[]).filter(({ SK }) => SK.includes("ada@") && !found.includes(SK));
    expect(others).toEqual([]);
  });

  test("are three items of an hour, which DynamoDB deletes", async () => {
    await admit("ada+1@x.example");
    await admit("ada+2@x.example");
    const PK = "SIGNUPS#2030-01-01T12";
    const ttl = Date.parse("2030-01-01T14:00:00Z") / 1_000;
    expect(table.itemsOf(PK)).toEqual([
      { PK, SK: "MAILBOX#ada@x.example", count: 2, ttl },
      { PK, SK: "DOMAIN#x.example", count: 2, ttl },
      { PK, SK: "ALL", count: 2, ttl },
    ]);
  });

  test.each<[CodeMail, CodeMail]>([
    ["sign-up", "forgotten password"],
    ["sign-up", "guest"],
    ["guest", "sign-up"],
    ["guest", "forgotten password"],
  ])("strangers who use up the mails of a %s leave those of a %s", async (used, other) => {
    for (let time = 0; time < 9; time += 1) await admit("ada@x.example", now, used);
    expect(await admit("ada@x.example", now, used)).toHaveProperty("held");
    for (let one = 0; one < 40; one += 1) await admit(`bot@flood-${one}.example`, now, used);
    for (let one = 0; one < 40; one += 1) await admit(`${one}@uni.example`, now, used);
    for (const email of ["ada@x.example", "bea@y.example", "ada@uni.example"]) {
      expect(await admit(email, now, other)).toEqual({});
    }
  });

  test.each<CodeMail>(["sign-up", "guest"])("let an open domain have five times as many: %s", async (mail) => {
    delays = [0, 3, 1, 2];
    const crowd = Array.from({ length: 60 }, (_, one) => admit(`${one}@uni.example`, now, mail));
    const held = (await Promise.all(crowd)).filter((one) => one.held !== undefined);
    expect(held).toHaveLength(60 - 5 * limits.perHour);
  });

  const person = fc.tuple(
    fc.constantFrom("a", "a+1", "a+2", "b", "c", "d"),
    fc.constantFrom("x.example", "y.example", "z.example", "uni.example"),
  );

  /** How many of parallel mails pass, by a part of the address. */
  async function passed(people: readonly (readonly [string, string])[], turns: readonly number[]) {
    table = new MemoryTable();
    delays = turns;
    const emails = people.map(([name, domain]) => `${name}@${domain}`);
    const admitted = await Promise.all(emails.map((email) => admit(email)));
    const sent = emails.filter((_, index) => admitted[index]?.held === undefined);
    const most = (part: (email: string) => string | undefined) => {
      const parts = sent.map(part).filter((one) => one !== undefined);
      return Math.max(0, ...parts.map((one) => parts.filter((other) => other === one).length));
    };
    const limited = (email: string) => (email.endsWith("@uni.example") ? undefined : email);
    return {
      mailbox: most(mailboxOf),
      domain: most((email) => limited(email)?.replace(/.*@/, "")),
      all: most((email) => limited(email) && "all"),
    };
  }

  test("hold also among parallel mails, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { minLength: 4, maxLength: 40 }),
        fc.array(fc.nat(6), { minLength: 1, maxLength: 9 }),
        async (people, turns) => {
          const { mailbox, domain, all } = await passed(people, turns);
          expect(mailbox).toBeLessThanOrEqual(5);
          expect(domain).toBeLessThanOrEqual(limits.perHourAndDomain);
          expect(all).toBeLessThanOrEqual(limits.perHour);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("without the condition more of them pass", async () => {
    isBlind = true;
    const people = ["a", "b", "c", "d"].flatMap((name) => ["x.example", "y.example"].map((at) => [name, at] as const));
    expect(await passed(people, [])).toEqual({ mailbox: 1, domain: 4, all: 8 });
    isBlind = false;
    expect((await passed(people, [])).all).toBeLessThanOrEqual(limits.perHour);
  });
});
