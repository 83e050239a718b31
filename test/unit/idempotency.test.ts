import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { keyIn } from "#kit/request/idempotency.ts";
import { derived, seal, unseal } from "#kit/sealed.ts";
import { anyText } from "../any-text.ts";

describe("a sealed text", () => {
  const key = derived("the caller's key", "answer");

  test("opens with its key", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const wellFormed = Buffer.from(text, "utf8").toString("utf8");
        expect(unseal(seal(wellFormed, key), key)).toBe(wellFormed);
      }),
    );
  });

  test("does not open with another secret, nor with the same one in another use", () => {
    for (const other of [derived("another key", "answer"), derived("", "answer"), derived("the caller's key", "name")])
      expect(() => unseal(seal("text", key), other)).toThrow();
  });

  test("does not open when a byte was changed or the end is missing", () => {
    const sealed = Buffer.from(seal("text", key), "base64url");
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Buffer.from(sealed);
        changed[at] = (changed[at] as number) ^ by;
        expect(() => unseal(changed.toString("base64url"), key)).toThrow();
        expect(() => unseal(sealed.subarray(0, at).toString("base64url"), key)).toThrow();
      }),
    );
  });
});

describe("the key in the headers", () => {
  test.each([
    [{}, undefined],
    [{ "idempotency-key": "!,~" }, "!,~"],
    [{ "idempotency-key": "x".repeat(255) }, "x".repeat(255)],
  ])("%j: %j", (headers, key) => {
    expect(keyIn(headers)).toBe(key);
  });

  test.each(["", " ", "a b", " a", "a\t", "\u00a0a", "a, b", "x".repeat(256), "é", "a\u0000b", "a\nb", "a\u007fb"])(
    "%j is refused",
    (key) => {
      expect(() => keyIn({ "idempotency-key": key })).toThrow(
        "idempotency-key must have 1 to 255 visible ASCII characters.",
      );
    },
  );
});
