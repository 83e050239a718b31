import fc from "fast-check";

const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/**
 * Texts of all code points, and names that objects inherit. `fc.string({ unit: "binary" })` draws the same, but takes two
 * seconds in each test file before the first text.
 */
export const anyText = (constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.array(codePoint, constraints).map((all) => all.join("")) },
    fc.string(constraints),
  );
