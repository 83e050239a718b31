import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { callerFrom, inAdminDomain } from "#kit/request/caller.ts";

const domain = "club.example";
const claims = (email: string, more = {}) => ({ token_use: "id", email, email_verified: "true", ...more });
const nearly = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.tuple(fc.string(), fc.constantFrom("@", "@@", "＠", "")).map(([name, at]) => `${name}${at}${domain}`),
  // Parts of addresses in any order, with letters and marks that a careless rule would accept.
  fc
    .array(fc.constantFrom(...["exec", "club", "example", "evil", "CLUB", "\u0441lub"], ...".@\u212a＠。 \n"), {
      maxLength: 8,
    })
    .map((parts) => parts.join("")),
  fc.emailAddress(),
);

/** Demands of a rule that each address which it accepts is an admin's. */
const onlyAdmins = (rule: (email: string) => boolean) =>
  fc.property(nearly, (email) => {
    if (!rule(email)) return;
    const [name = "", at, ...more] = email.trim().split("@");
    expect(name).not.toBe("");
    expect(at?.toLowerCase()).toBe(domain);
    expect(more).toEqual([]);
    expect(email).toMatch(/^[\x20-\x7e\s]*$/);
  });

test("the rule accepts only admins' addresses, also among very similar ones", () => {
  fc.assert(
    onlyAdmins((email) => inAdminDomain(email, domain)),
    { numRuns: 2_000 },
  );
});

test.each<[string, (email: string) => boolean]>([
  ["ends with the domain", (email) => email.endsWith(domain)],
  ["ends with @ and the domain", (email) => email.endsWith(`@${domain}`)],
])("the check finds a careless rule: it %s", (_, careless) => {
  expect(() => fc.assert(onlyAdmins(careless), { numRuns: 20_000 })).toThrow();
});

test.each([
  ["exec@club.example", true],
  [" Exec@CLUB.example ", true],
  ["exec@notclub.example", false],
  ["exec@sub.club.example", false],
  ["exec@club.example.evil.example", false],
  ["exec@club.example@evil.example", false],
  ["exec@club.example.", false],
  ["exec@\u0441lub.example", false],
  ["\u212axec@club.example", false],
])("%s is an admin's address: %s", (email, isAdmin) => {
  expect(callerFrom(claims(email), domain)?.isAdmin ?? false).toBe(isAdmin);
});

test("a caller is no admin with an unverified email, with an access token, or where the domain is empty", () => {
  expect(callerFrom(claims("exec@club.example", { email_verified: "false" }), domain)?.isAdmin).toBe(false);
  expect(callerFrom(claims("exec@club.example", { token_use: "access" }), domain)).toBeUndefined();
  expect(callerFrom(claims("exec@club.example"), "")?.isAdmin).toBe(false);
  expect(callerFrom(undefined, domain)).toBeUndefined();
});

test("where only verified emails count, an unverified one makes no caller", () => {
  for (const email_verified of ["false", false, undefined, "TRUE"]) {
    const unverified = claims("ada@student.example", { email_verified });
    expect(callerFrom(unverified, domain, true)).toBeUndefined();
    expect(callerFrom(unverified, domain, false)).toEqual({ email: "ada@student.example", isAdmin: false });
  }
  expect(callerFrom(claims("exec@club.example"), domain, true)).toEqual({ email: "exec@club.example", isAdmin: true });
});

test.each<[unknown, string | undefined]>([
  ["Ada", "Ada"],
  ["Ada\u0000", undefined],
  ["Ada\nAdmin", undefined],
  ["  ", undefined],
  ["x".repeat(201), undefined],
  [7, undefined],
])("the claim %j is the name %j", (claim, name) => {
  const caller = callerFrom(claims("ada@unit.example", { given_name: claim, family_name: claim }), domain);
  expect([caller?.givenName, caller?.familyName]).toEqual([name, name]);
});
