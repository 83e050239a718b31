/** Which sign-ups get an account, and which accounts become one (`docs/contract.md`, "Sign-up"). */

import {
  AdminLinkProviderForUserCommand,
  CognitoIdentityProviderClient,
  InvalidParameterException,
  ListUsersCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { PreSignUpTriggerEvent } from "aws-lambda";
import { mockClient } from "aws-sdk-client-mock";
import fc from "fast-check";
import { type Account, decideSignUp, refusals, type SignUp } from "#domain/identity/sign-up.ts";
import { log } from "#kit/log.ts";
import { filters } from "../../lib/monitoring/filters.ts";
import { matchesPattern } from "../filter-pattern.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";

const { client } = await import("#kit/table/table.ts");
const { seam } = await import("#kit/seam.ts");
const { handler } = await import("#consumers/pre-sign-up.ts");

const email = "ada@student.example";
const google = { provider: "Google", subject: "1234" };
const byPassword: SignUp = { email, emailVerified: false };
const byGoogle: SignUp = { from: google, email, emailVerified: true };
const native: Account = { username: "sub-1", email, emailVerified: true, status: "CONFIRMED", enabled: true };
const federated: Account = { ...native, username: "Google_9", status: "EXTERNAL_PROVIDER" };
const make = { make: true };

const unverified: SignUp = { ...byGoogle, emailVerified: false };
const refused = (why: keyof typeof refusals) => ({ refuse: refusals[why] });

describe("the rule", () => {
  test.each<[string, SignUp, Partial<Account>[], object]>([
    ["a new person with a password", byPassword, [], make],
    ["a new person from Google", byGoogle, [], make],
    ["Google, and a confirmed account", byGoogle, [native], { link: "sub-1" }],
    ["Google, and one in capitals", byGoogle, [{ ...native, email: "Ada@STUDENT.example" }], { link: "sub-1" }],
    ["Google that has not verified the email", unverified, [native], refused("unverified")],
    ["Google, and an account that never confirmed", byGoogle, [{ ...native, status: "UNCONFIRMED" }], make],
    ["Google, and both", byGoogle, [federated, native], { link: "sub-1" }],
    ["Google, and a disabled account", byGoogle, [{ ...native, enabled: false }], refused("closed")],
    ["a password, and a Google account", byPassword, [federated], refused("useGoogle")],
    ["a password, and an unverified one", byPassword, [{ ...federated, emailVerified: false }], make],
    ["a password, and a disabled Google account", byPassword, [{ ...federated, enabled: false }], refused("closed")],
    ["Google, and another email in the pool's answer", byGoogle, [{ ...native, email: "eve@student.example" }], make],
  ])("decides about %s", (_, signUp, accounts, verdict) => {
    expect(decideSignUp(signUp, accounts as Account[])).toEqual(verdict);
  });

  test.each([undefined, "", "a@b@club.example", "\u0430da@student.example", "ada@\u0441lub.example"])(
    "the email %s gets no account",
    (odd) => {
      for (const signUp of [byPassword, byGoogle]) {
        expect(decideSignUp({ ...signUp, email: odd }, [native])).toEqual({ refuse: refusals.email });
      }
    },
  );

  const anyAccount = fc.record({
    username: fc.constantFrom("a", "b", "c"),
    email: fc.constantFrom(email, "Ada@student.example", "eve@student.example", undefined),
    emailVerified: fc.boolean(),
    status: fc.constantFrom("CONFIRMED", "UNCONFIRMED", "EXTERNAL_PROVIDER", "RESET_REQUIRED", undefined),
    enabled: fc.boolean(),
  });

  test("two accounts are linked only if both owners of the email are verified", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(byPassword, byGoogle, unverified),
        fc.array(anyAccount, { maxLength: 4 }),
        (signUp, accounts) => {
          const verdict = decideSignUp(signUp, accounts);
          if (!("link" in verdict)) return;
          expect(signUp).toBe(byGoogle);
          const owner = { username: verdict.link, emailVerified: true, status: "CONFIRMED", enabled: true };
          expect(accounts).toContainEqual(expect.objectContaining(owner));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the trigger", () => {
  const pool = mockClient(CognitoIdentityProviderClient);
  const given = (...Users: object[]) => pool.on(ListUsersCommand).resolves({ Users });
  const confirmed = {
    Username: "sub-1",
    UserStatus: "CONFIRMED" as const,
    Enabled: true,
    Attributes: [
      { Name: "email", Value: email },
      { Name: "email_verified", Value: "true" },
    ],
  };
  const event = (triggerSource: string, userName: string, userAttributes: object) =>
    ({
      version: "1",
      region: "us-west-2",
      userPoolId: "us-west-2_Pool",
      triggerSource,
      userName,
      callerContext: { awsSdkVersion: "1", clientId: "client" },
      request: { userAttributes },
      response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
    }) as PreSignUpTriggerEvent;
  const fromGoogle = (userName = "Google_1234", email_verified = "true") =>
    event("PreSignUp_ExternalProvider", userName, { email, email_verified });
  const links = () => pool.commandCalls(AdminLinkProviderForUserCommand).map(({ args: [{ input }] }) => input);

  let table: MemoryTable;
  /** How the table answers. */
  let answer: (command: unknown) => Promise<object>;
  beforeEach(() => {
    pool.reset();
    table = new MemoryTable();
    answer = async (command) => table.execute(command, () => 0);
    jest.spyOn(client, "send").mockImplementation(((command: unknown) => answer(command)) as never);
  });
  afterEach(() => void jest.restoreAllMocks());

  test.each(["Google_1234", "google_1234"])("links %s to the account with the same email", async (userName) => {
    given(confirmed);
    const { response } = fromGoogle();
    expect((await handler(fromGoogle(userName))).response).toEqual(response);
    const subject = { ProviderAttributeName: "Cognito_Subject", ProviderAttributeValue: "1234" };
    expect(links()).toEqual([
      {
        UserPoolId: "us-west-2_Pool",
        DestinationUser: { ProviderName: "Cognito", ProviderAttributeValue: "sub-1" },
        SourceUser: { ProviderName: "Google", ...subject },
      },
    ]);
    expect(pool.commandCalls(ListUsersCommand)[0]?.args[0].input.Filter).toBe(`email = "${email}"`);
  });

  test("reads every page of accounts, also behind an empty one", async () => {
    pool
      .on(ListUsersCommand)
      .resolvesOnce({ Users: [], PaginationToken: "more" })
      .resolves({ Users: [confirmed] });
    await handler(fromGoogle());
    expect(links()).toHaveLength(1);
  });

  test("finds its own link when it is asked again", async () => {
    given(confirmed);
    const message = "SourceUser is already linked to DestinationUser";
    pool.on(AdminLinkProviderForUserCommand).rejects(new InvalidParameterException({ message, $metadata: {} }));
    await expect(handler(fromGoogle())).resolves.toBeDefined();
  });

  test("never confirms, verifies or links a sign-up with a password", async () => {
    given({ ...confirmed, UserStatus: "UNCONFIRMED" });
    const asked = event("PreSignUp_SignUp", "sub-2", { email, email_verified: "true" });
    expect((await handler(structuredClone(asked))).response).toEqual(asked.response);
    expect(links()).toEqual([]);
  });

  test("counts an email without Google's claim as not verified", async () => {
    given(confirmed);
    for (const claim of ["false", "True", "1", ""]) {
      await expect(handler(fromGoogle("Google_1234", claim))).rejects.toThrow(refusals.unverified);
    }
    expect(links()).toEqual([]);
  });

  test("never looks for an email that could end the filter", async () => {
    const attributes = { email: 'a" or email = "exec@club.example', email_verified: "true" };
    await expect(handler(event("PreSignUp_ExternalProvider", "Google_1", attributes))).rejects.toThrow(refusals.email);
    expect(pool.calls()).toEqual([]);
  });

  test("refuses when the pool does not answer, and tells no reason", async () => {
    log.setLogLevel("INFO");
    const printed = jest.spyOn((log as unknown as { console: Console }).console, "error").mockReturnValue();
    pool.on(ListUsersCommand).rejects(new Error(`User: arn:aws:sts::1:x is not authorized for ${email}`));
    await expect(handler(fromGoogle())).rejects.toThrow("Accounts cannot be made right now. Try again in a minute");
    expect(JSON.stringify(printed.mock.calls)).not.toContain(email);
    // The alarm counts this line.
    const lines = printed.mock.calls.map(([line]) => String(line));
    expect(lines.map((line) => matchesPattern(filters.SignUpsUndecided.pattern, line))).toEqual([true]);
    log.setLogLevel("SILENT");
  });

  test("trusts no provider but Google", async () => {
    given(confirmed);
    for (const userName of ["Facebook_1", "NotGoogle_1", "Google_", "sub-1"]) {
      await expect(handler(fromGoogle(userName))).rejects.toThrow("Sign in with Google, or with email and password");
    }
    expect(pool.calls()).toEqual([]);
  });

  describe("before a mail with a code", () => {
    const typed = (triggerSource: string, address = email) => event(triggerSource, "sub-2", { email: address });
    const counted = () => table.itemsOf("SIGNUPS#2026-11-01T12").map(({ SK }) => SK);
    const printedBy = async (run: () => Promise<unknown>) => {
      const printed = jest.spyOn((log as unknown as { console: Console }).console, "warn").mockReturnValue();
      log.setLogLevel("INFO");
      await run();
      log.setLogLevel("SILENT");
      return printed.mock.calls.map(([line]) => String(line));
    };

    beforeEach(() => {
      given();
      jest.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-01T12:10:00Z"));
    });

    test.each(["PreSignUp_SignUp", "CustomMessage_ResendCode", "CustomMessage_UpdateUserAttribute"])(
      "%s is counted: the sixth mail of a mailbox is refused, asks the pool nothing, and counts for the alarm",
      async (source) => {
        for (const label of "12345") await handler(typed(source, `ada+${label}@x.example`));
        const asked = pool.calls().length;
        const lines = await printedBy(async () => {
          await expect(handler(typed(source, "ada+6@x.example"))).rejects.toThrow(/Too many codes.*in 50 minutes$/);
        });
        expect(pool.calls()).toHaveLength(asked);
        expect(lines.map((line) => matchesPattern(filters.CodesHeldBack.pattern, line))).toEqual([true]);
        expect(lines.join()).not.toContain("x.example");
      },
    );

    // The sign-up itself is counted already.
    test.each(["PreSignUp_AdminCreateUser", "CustomMessage_SignUp"])(
      "%s is not counted, and its event is unchanged",
      async (source) => {
        const asked = typed(source);
        expect(await handler(structuredClone(asked))).toEqual(asked);
        expect(counted()).toEqual([]);
      },
    );

    test("a closed sign-up is no alarm, and Google stays open", async () => {
      table.seed({ PK: "SIGNUPS", SK: "CLOSED" });
      const lines = await printedBy(async () => {
        await expect(handler(typed("PreSignUp_SignUp"))).rejects.toThrow("No new accounts can be made at the moment");
        await handler(fromGoogle());
      });
      expect(lines).toEqual([]);
    });

    test.each([
      ["fails", () => Promise.reject(Object.assign(new Error("no"), { name: "ThrottlingException" })), false],
      ["does not answer", () => new Promise<object>(() => undefined), true],
    ])("nothing passes while the table %s", async (_, fails, isLate) => {
      answer = fails;
      if (isLate) jest.spyOn(seam, "pause").mockResolvedValue();
      const printed = jest.spyOn((log as unknown as { console: Console }).console, "error").mockReturnValue();
      log.setLogLevel("INFO");
      await expect(handler(typed("PreSignUp_SignUp"))).rejects.toThrow("Accounts cannot be made right now");
      await expect(handler(typed("CustomMessage_ResendCode"))).rejects.toThrow("Codes cannot be mailed right now");
      log.setLogLevel("SILENT");
      const lines = printed.mock.calls.map(([line]) => String(line));
      expect(lines.map((line) => matchesPattern(filters.SignUpsUndecided.pattern, line))).toEqual([true, true]);
    });
  });
});
