/** The SES account of the laptop refuses what AWS refuses, in AWS's words. */
import { afterEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { canonicalEmail } from "#kit/text/email.ts";
import { fakeClock } from "../../../test/unit/local-time.ts";
import { judgeOfAccount, type MailAccount } from "../mailbox/account.ts";
import { malformation } from "../mailbox/address.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const ada = "ada@student.example";

/** An account with its clock. `send` answers the code of the refusal and its text, or undefined. */
function givenAccount(account: MailAccount = {}) {
  const clock = fakeClock();
  const judge = judgeOfAccount(account, "us-west-2", clock);
  const send = (...to: string[]) => judge({ accessKeyId: "K", from: "events@club.example", to });
  return { clock, judge, send };
}

const unverified = {
  code: "MessageRejected",
  message:
    "Email address is not verified. The following identities failed the check in region US-WEST-2: events@club.example",
};
const spent = { code: "Throttling", message: "Daily message quota exceeded." };

describe("an account refuses", () => {
  test("an unverified sender, whoever the recipient is", () => {
    const { send } = givenAccount({ unverifiedSender: true });
    for (const to of [ada, "success@simulator.amazonses.com"]) expect(send(to)).toEqual(unverified);
  });

  test("more recipients than the quota, by the last 24 hours", () => {
    const { send, clock } = givenAccount({ mailQuota: 3 });
    expect(send(ada, "bob@student.example")).toBeUndefined();
    clock.advance(3_600_000);
    expect(send(ada)).toBeUndefined();
    expect(send(ada)).toEqual(spent);
    clock.advance(23 * 3_600_000);
    expect([send(ada), send(ada)]).toEqual([undefined, undefined]);
    expect(send(ada)).toEqual(spent);
  });
});

describe("a malformed recipient", () => {
  test.each([
    ["ada", "Missing final '@domain'"],
    ["ada@", "Missing final '@domain'"],
    ["a b@student.example", "Local address contains control or whitespace"],
    ["Ada <a,b@student.example>", "Local address contains illegal character"],
    ["ada@student example", "Domain contains control or whitespace"],
    ["ada@student.example%!", "Domain contains illegal character"],
  ])("%s is refused: %s", (address, message) => {
    expect(malformation(address)).toBe(message);
  });

  test("is never an email that the service takes, alone or behind a name", () => {
    const email = fc.emailAddress().filter((text) => canonicalEmail(text) !== undefined);
    fc.assert(
      fc.property(email, (address) => {
        expect([malformation(address), malformation(`"Doe, Ada" <${address}>`)]).toEqual([undefined, undefined]);
      }),
    );
  });
});
