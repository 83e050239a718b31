import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { callerFrom } from "../../lambda/kit/caller.ts";
import { canonicalEmail, domainOf } from "../../lambda/kit/email.ts";

const domain = "club.example";
const claims = (email: string, more = {}) => ({ token_use: "id", email, email_verified: "true", ...more });
const nearly = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.tuple(fc.string(), fc.constantFrom("@", "@@", "＠", "")).map(([name, at]) => `${name}${at}${domain}`),
  fc.emailAddress(),
);

test("an admin has exactly one @, ASCII only, and the stage's domain", () => {
  fc.assert(
    fc.property(nearly, (email) => {
      const caller = callerFrom(claims(email), domain);
      if (!caller?.isAdmin) return;
      expect(caller.email.split("@")).toHaveLength(2);
      expect(domainOf(caller.email)).toBe(domain);
      expect([...caller.email].every((letter) => letter < "\u0080")).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ["exec@club.example", true],
  [" Exec@CLUB.example ", true],
  ["exec@notclub.example", false],
  ["exec@sub.club.example", false],
  ["exec@club.example.evil.example", false],
  ["exec@club.example@evil.example", false],
])("%s: %s", (email, isAdmin) => {
  expect(callerFrom(claims(email), domain)?.isAdmin ?? false).toBe(isAdmin);
});

test("nobody is an admin unverified, by an access token, or where the domain is empty", () => {
  expect(callerFrom(claims("exec@club.example", { email_verified: "false" }), domain)?.isAdmin).toBe(false);
  expect(callerFrom(claims("exec@club.example", { token_use: "access" }), domain)).toBeUndefined();
  expect(callerFrom(claims("exec@club.example"), "")?.isAdmin).toBe(false);
  expect(callerFrom(undefined, domain)).toBeUndefined();
});

test("canonical emails are idempotent", () => {
  fc.assert(
    fc.property(nearly, (email) => {
      const canonical = canonicalEmail(email);
      if (canonical !== undefined) expect(canonicalEmail(canonical)).toBe(canonical);
    }),
    { numRuns: 2_000 },
  );
});
