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

const unverified = (...addresses: string[]) => ({
  code: "MessageRejected",
  message: `Email address is not verified. The following identities failed the check in region US-WEST-2: ${addresses.join(", ")}`,
});
const throttled = (message: string) => ({ code: "Throttling", message });

describe("an account refuses", () => {
  test("an unverified sender, whoever the recipient is", () => {
    const { send } = givenAccount({ unverifiedSender: true });
    expect(send(ada)).toEqual(unverified("events@club.example"));
    expect(send("success@simulator.amazonses.com")).toEqual(unverified("events@club.example"));
  });

  test("in the sandbox, all but the sender's domain and the mailbox simulator", () => {
    const { send } = givenAccount({ sandbox: true });
    expect(send(ada, "exec@club.example", "bob@student.example")).toEqual(unverified(ada, "bob@student.example"));
    expect(send("exec@club.example", "bounce@simulator.amazonses.com")).toBeUndefined();
    expect(send("x@not-club.example")).toEqual(unverified("x@not-club.example"));
    const both = givenAccount({ sandbox: true, unverifiedSender: true });
    expect(both.send("exec@club.example")).toEqual(unverified("events@club.example", "exec@club.example"));
  });

  test("more recipients in a second than the rate", () => {
    const { send, clock } = givenAccount({ mailRate: 2 });
    expect([send(ada), send(ada)]).toEqual([undefined, undefined]);
    clock.advance(999);
    expect(send(ada)).toEqual(throttled("Maximum sending rate exceeded."));
    clock.advance(1);
    expect(send(ada)).toBeUndefined();
  });

  test("more recipients than the quota, by the last 24 hours", () => {
    const { send, clock } = givenAccount({ mailQuota: 3 });
    expect(send(ada, "bob@student.example")).toBeUndefined();
    clock.advance(3_600_000);
    expect(send(ada)).toBeUndefined();
    expect(send(ada)).toEqual(throttled("Daily message quota exceeded."));
    clock.advance(23 * 3_600_000);
    expect([send(ada), send(ada)]).toEqual([undefined, undefined]);
    expect(send(ada)).toEqual(throttled("Daily message quota exceeded."));
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
