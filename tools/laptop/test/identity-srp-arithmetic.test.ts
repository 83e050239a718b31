import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  claimSignature,
  createServerKeys,
  createVerifier,
  fromHex,
  g,
  matchesVerifier,
  N,
  paddedBytes,
  passwordKey,
  power,
  scrambler,
  serverSecret,
  sessionKey,
} from "../identity/srp.ts";
import { answerChallenge, N as clientN, publicValue, slowPower } from "./identity-srp-client.ts";

const number = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
// Two letters' worth of hexadecimal decide how a number is padded, so small numbers are worth as much as large ones.
const secret = fc.oneof(number(16), number(256)).filter((value) => value > 1n);

test("the group is the one that clients use", () => {
  expect(N).toBe(clientN);
  expect(g).toBe(2n);
});

describe("modular exponentiation", () => {
  test("agrees with square-and-multiply", () => {
    fc.assert(
      fc.property(number(3100), number(300), (base, exponent) => {
        expect(power(base, exponent)).toBe(slowPower(base, exponent));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [0n, 5n],
    [1n, 5n],
    [N - 1n, 2n],
    [N - 1n, 3n],
    [N, 7n],
    [2n, 0n],
    [2n, 1n],
    [2n, (N - 1n) / 2n],
    [2n, N - 1n],
    [3n, N + 5n],
  ])("at the edge %#", (base, exponent) => {
    expect(power(base, exponent)).toBe(slowPower(base, exponent));
  });
});

test("numbers are hashed as the shortest two's complement", () => {
  fc.assert(
    fc.property(fc.oneof(number(8), number(16), number(128)), (value) => {
      const bytes = paddedBytes(value);
      expect(BigInt(`0x${bytes.toString("hex")}`)).toBe(value);
      expect(bytes[0]).toBeLessThan(0x80);
      if (bytes.length > 1 && bytes[0] === 0) expect(bytes[1]).toBeGreaterThanOrEqual(0x80);
    }),
  );
});

test("a verifier matches its password, its person and nothing else", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.uuid(), (password, other, userId) => {
      const identity = { poolName: "Pool1", userId };
      const stored = createVerifier(identity, password);
      expect(matchesVerifier(identity, password, stored)).toBe(true);
      expect(matchesVerifier(identity, other, stored)).toBe(other === password);
      expect(matchesVerifier({ ...identity, poolName: "Pool2" }, password, stored)).toBe(false);
      expect(createVerifier(identity, password).verifier).not.toBe(stored.verifier);
    }),
    { numRuns: 30 },
  );
});

describe("a whole sign-in", () => {
  const identity = { poolName: "Pool1", userId: "5ab3c1de-0000-4000-a000-000000000001" };
  const secretBlock = Buffer.from("a block that only the server made").toString("base64");
  const timestamp = "Fri Nov 20 08:05:03 UTC 2026";

  /** The signature that the server expects and the one that the client sends, for the same numbers. */
  function bothSides(stored: string, typed: string, salt: bigint, a: bigint, b: bigint) {
    const verifier = power(g, passwordKey(identity, stored, salt));
    const keys = createServerKeys(verifier, b);
    const A = publicValue(a);
    const key = sessionKey(serverSecret(A, keys, verifier), scrambler(A, keys.public));
    return {
      expected: claimSignature(key, identity, Buffer.from(secretBlock, "base64"), timestamp).toString("base64"),
      sent: answerChallenge({
        ...identity,
        password: typed,
        a,
        salt: salt.toString(16),
        serverPublic: keys.public.toString(16),
        secretBlock,
        timestamp,
      }),
    };
  }

  test("both sides arrive at the same signature, for any salt and secrets", () => {
    const salts = fc.oneof(number(8), number(120), number(128));
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), salts, secret, secret, (password, salt, a, b) => {
        const { expected, sent } = bothSides(password, password, salt, a, b);
        expect(sent).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  test("a wrong password leads to another signature", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), number(128), secret, secret, (stored, typed, salt, a, b) => {
        fc.pre(stored !== typed);
        const { expected, sent } = bothSides(stored, typed, salt, a, b);
        expect(sent).not.toBe(expected);
      }),
      { numRuns: 20 },
    );
  });
});

test("only hexadecimal of the group's size is read", () => {
  expect(fromHex("Ff")).toBe(255n);
  for (const text of ["", "0x1", "g", "-1", " 1", "f".repeat(771)]) expect(fromHex(text)).toBeUndefined();
});
