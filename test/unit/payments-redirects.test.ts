/** A payment sends people back to the web application only. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { redirectsOf } from "#domain/payments/checkout/redirects.ts";

const app = { allowedOrigins: ["https://app.club.example", "http://localhost:3000"], home: "https://app.club.example" };
const both = (address: string) => redirectsOf({ success_url: address, cancel_url: address }, app);

const hostile = [
  "https://app.club.example.evil.com/",
  "https://app.club.example@evil.com/",
  "https://app.club.example%40evil.com/",
  "https://evil.com\\@app.club.example.evil.com/",
  "https://app.club.example\t.evil.com/",
  "https://app.club.example:8443/",
  "https://evil.com/https://app.club.example/",
  "http://app.club.example/",
  "https://localhost:3000/",
  "http://localhost/",
  "//app.club.example/",
  "javascript:alert(1)//https://app.club.example",
  "data:text/html,https://app.club.example",
  // The origin of a blob address is that of the address inside.
  "blob:https://app.club.example/0",
  "null",
  "",
];

test.each(hostile)("%j is refused", (address) => {
  expect(() => both(address)).toThrow(expect.objectContaining({ code: "VALIDATION" }));
});

test.each([
  ["https://app.club.example", "https://app.club.example/"],
  [
    "https://app.club.example/paid?id={CHECKOUT_SESSION_ID}#top",
    "https://app.club.example/paid?id={CHECKOUT_SESSION_ID}#top",
  ],
  ["HTTPS://APP.club.example:443/paid", "https://app.club.example/paid"],
  ["http://localhost:3000/paid", "http://localhost:3000/paid"],
  // The address is sent on in the form in which it was checked, so no reader can understand it differently.
  ["https://app.club.example\\@evil.com/", "https://app.club.example/@evil.com/"],
])("%s is allowed", (address, understood) => {
  expect(both(address)).toEqual({ successUrl: understood, cancelUrl: understood });
});

describe("for every address", () => {
  const part = fc.constantFrom(
    ...["https:", "http:", "javascript:", "blob:", "//", "/", "\\", "@", ":", ".", "?", "#", "%40", "%2e", " ", "\t"],
    ...["app.club.example", "localhost:3000", "evil.com", "443", "3000", "user", "。", "ａpp"],
  );
  const address = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(""));

  test("that is accepted a browser sees an allowed origin", () => {
    fc.assert(
      fc.property(address, (text) => {
        let passed: string;
        try {
          passed = both(text).successUrl;
        } catch {
          return;
        }
        const { origin, protocol } = new URL(passed);
        expect(app.allowedOrigins).toContain(origin);
        expect(["http:", "https:"]).toContain(protocol);
      }),
      { numRuns: 3_000 },
    );
  });
});
