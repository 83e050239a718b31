/** The string formats that schemas name (`docs/contract.md`, "Conventions"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { canonicalForms, type FormatName, formatChecks, formats } from "#kit/schema/formats.ts";

const passes = (format: FormatName, text: string): boolean => formats[format].check(text);
const canonical = (format: string, text: string) => canonicalForms[format]?.(text);
const codePoints = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const eachOf = (format: FormatName, { good, bad }: { good: string[]; bad: string[] }) =>
  test(format, () => {
    expect(good.filter((text) => !passes(format, text))).toEqual([]);
    expect(bad.filter((text) => passes(format, text))).toEqual([]);
  });

describe("text", () => {
  const separators = [0x2028, 0x2029];
  const controls = [...codePoints(0, 0x1f), ...codePoints(0x7f, 0x9f), ...separators];

  test("may have newlines and tabs, and no other control character; a line only tabs", () => {
    for (const code of controls) {
      const text = `a${String.fromCharCode(code)}b`;
      expect([code, passes("text", text)]).toEqual([code, [0x09, 0x0a, 0x0d].includes(code)]);
      for (const format of ["line", "name"] as const)
        expect([code, passes(format, text)]).toEqual([code, code === 0x09]);
    }
  });

  test("is refused exactly if UTF-8 cannot encode it or it has control characters", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 8 }), (units) => {
        const text = `(${String.fromCharCode(...units.filter((unit) => !controls.includes(unit)))})`;
        expect(passes("text", text)).toBe(Buffer.from(text, "utf8").toString("utf8") === text);
      }),
      { examples: [[[0xd800]], [[0xdc00]], [[0xdc00, 0xd800]], [[0xd83d, 0xde00]]] },
    );
  });

  test("may be blank, a line too, and a name not", () => {
    for (const blank of ["", " ", "\t ", "\u00a0\u3000"])
      expect([passes("text", blank), passes("line", blank), passes("name", blank)]).toEqual([true, true, false]);
  });
});

eachOf("event-id", {
  good: ["a", "Z9", "0", "gala_2030-x", "a-", "a".repeat(64)],
  bad: ["", "-a", "_a", "a b", "a;b", "a/b", "a#b", "a.b", "é", "a\n", " a", "a".repeat(65)],
});

eachOf("template-name", {
  good: ["a", "_Hello-2", "a".repeat(64)],
  bad: ["", "a b", "a/b", "é", "a".repeat(65)],
});

const noAddress = ["https://", "https://a b", "/a", "javascript:alert(1)", "data:text/html,x", "ftp://a"];
const brokenAddress = ["https://x.example/\n", "https://x.example/\u0000", "https://x.example/\ud800"];
const noLink = [
  ...[
    "//x.example",
    "ada@x.example",
    "ada.king@x.example",
    "ada:secret@x.example/",
    "mailto:ada@x.example",
    "x.example\\@y.example",
    "@ada",
  ],
  ...["x.example:alert(1)", "x.example:99999", "localhost:3000", "10.0.0.1/a", "3.14", "e.g.", "in/ada"],
  ...["linkedin.com/in/ada lovelace", " x.example", "x.example\n", "\\\\x.example", ".example", "x..example"],
  ...["https.//x.example", "https:/x.example"],
];
const withoutScheme = ["x.example", "linkedin.com/in/ada", "www.x.example:8080?a=b#c", "m\u00fcnchen.example/a"];
eachOf("file-link", {
  good: ["https://x.example", "HTTPS://x.example/a?b=c#d", "drive.x.example/file/1"],
  bad: [...noAddress, ...brokenAddress, ...noLink, "", "http://x.example", "cv.pdf", "x.example?a=b"],
});
eachOf("link", {
  good: ["", "https://x.example/a", "http://x.example:8080/", ...withoutScheme],
  bad: [...noAddress, ...brokenAddress, ...noLink, " "],
});
// A program sends a scheme, or it has a fault.
eachOf("web-url", {
  good: ["", "https://x.example/a", "http://x.example:8080/"],
  bad: [...noAddress, ...brokenAddress, ...noLink, ...withoutScheme, " "],
});

describe("a link without a scheme", () => {
  const host = fc.domain();
  const rest = fc.constantFrom("", "/", "/in/ada", ":8443/a", "?a=b", "#c", "/a@b", "/https://y.example");

  test("gets https and leads to the host that was typed", () => {
    fc.assert(
      fc.property(host, rest, (name, tail) => {
        const typed = `${name}${tail}`;
        expect([typed, passes("link", typed)]).toEqual([typed, true]);
        const link = new URL(canonical("link", typed) as string);
        expect([link.protocol, link.hostname, link.username]).toEqual(["https:", name.toLowerCase(), ""]);
        if (tail.includes("/")) expect(canonical("file-link", typed)).toBe(canonical("link", typed));
      }),
    );
  });

  test("is an http or https address after all, whatever was typed", () => {
    const piece = fc.constantFrom(...["a", "b1", "https://", "8080", "//"], ...".:/@?#-\u00e9\\");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const typed = pieces.join("");
        fc.pre(typed !== "" && passes("link", typed));
        const link = canonical("link", typed) as string;
        expect(["http:", "https:"]).toContain(new URL(link).protocol);
        expect(link.endsWith(typed)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("does not become too long by its scheme", () => {
    const typed = (length: number) => `x.example/${"a".repeat(length - 10)}`;
    expect(passes("link", typed(2_040))).toBe(true);
    expect(passes("link", typed(2_041))).toBe(false);
  });
});

describe("the canonical form", () => {
  test.each([
    ["line", "  a b\t", "a b"],
    ["name", " Ada ", "Ada"],
    ["iso-date", " 2030-05-01 ", "2030-05-01"],
    ["email", " Ada@X.Example ", "ada@x.example"],
    ["query-email", "Ada gala@x.example", "ada+gala@x.example"],
    ["text", " a\n", " a\n"],
    ["link", "linkedin.com/in/ada", "https://linkedin.com/in/ada"],
    ["link", "", ""],
    ["date-or-blank", " ", null],
    ["flag", "YES", true],
    ["flag", " no", false],
    ["flag", "", null],
  ])("as %s, %j is %j", (format, text, form) => expect(canonical(format, text)).toBe(form));

  test("of an accepted text is accepted, and does not change again", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.emailAddress(), fc.webUrl());
    const padded = fc.tuple(fc.constantFrom("", " ", "\t"), text).map(([pad, middle]) => pad + middle + pad);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(formats)), padded, (format, given) => {
        fc.pre(formatChecks[format]?.(given) ?? false);
        const form = canonical(format, given);
        if (typeof form !== "string") return;
        expect(formatChecks[format]?.(form)).toBe(true);
        expect(canonical(format, form)).toBe(form);
      }),
    );
  });
});
