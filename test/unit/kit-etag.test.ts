/** Entity tags and `If-Match` (`docs/contract.md`, "Conditional edits"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { PreconditionFailed, ValidationFailed } from "#kit/errors.ts";
import { type Edited, entityTag, parseIfMatch, requireMatch, unedited } from "#kit/request/etag.ts";
import { holds } from "../model/expression.ts";

/** The characters of a tag (RFC 9110, 8.8.3): visible ones but the quote, and those above ASCII. */
const character = fc
  .integer({ min: 0x21, max: 0x2ff })
  .filter((code) => code !== 0x22 && code !== 0x7f)
  .map((code) => String.fromCharCode(code));
const tag = fc.array(character, { maxLength: 8 }).map((characters) => `"${characters.join("")}"`);
const space = fc.array(fc.constantFrom(" ", "\t"), { maxLength: 2 }).map((characters) => characters.join(""));

/** A tag, or an entry of the list that is empty. */
const entry = fc.oneof(
  tag.map((strong) => ({ text: strong, strong: [strong], isTag: true })),
  tag.map((weak) => ({ text: `W/${weak}`, strong: [], isTag: true })),
  fc.constant({ text: "", strong: [], isTag: false }),
);
const padded = fc.tuple(space, entry, space).map(([before, one, after]) => ({
  ...one,
  text: before + one.text + after,
}));

describe("a header", () => {
  test("is read as its strong tags, in their order, whatever stands in the quotes", () => {
    fc.assert(
      fc.property(fc.array(padded, { minLength: 1, maxLength: 6 }), (entries) => {
        fc.pre(entries.some(({ isTag }) => isTag));
        const header = entries.map(({ text }) => text).join(",");
        expect(parseIfMatch(header)).toEqual(entries.flatMap(({ strong }) => strong));
      }),
    );
  });

  test.each([
    ...["", " ", ",", "a", "'a'", '"a', 'a"', '"a" "b"', '"a""b"', '"a b"', '"a";"b"', '"a\u007f"', '"a\n"'],
    ...['*, "a"', '"a", *', "**", 'w/"a"', 'W/ "a"', 'W"a"'],
  ])("%j is malformed", (header) => {
    const refused = () => parseIfMatch(header);
    expect(refused).toThrow(ValidationFailed);
    expect(refused).toThrow(/^If-Match must be/);
  });
});

const record: Edited = { generation: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D1", version: 3, createdAt: 1_000 };
const records = fc.record(
  {
    generation: fc.constantFrom("g1", "g2"),
    version: fc.integer({ min: 1, max: 2 }),
    createdAt: fc.integer({ min: 1, max: 2 }),
  },
  { requiredKeys: ["version", "createdAt"] },
) as fc.Arbitrary<Edited>;

test("a tag differs with each edit and each creation of its record", () => {
  const others = [
    { ...record, version: 4 },
    { ...record, generation: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2" },
  ];
  const dated = [1, 2].flatMap((createdAt) => [1, 2].map((version) => ({ createdAt, version })));
  expect(new Set([record, ...others, ...dated].map(entityTag)).size).toBe(7);
});

test("a write for a record that was read is refused for every record with another tag", () => {
  fc.assert(
    fc.property(records, records, (read, stored) => {
      const { ConditionExpression, ExpressionAttributeValues: values } = unedited(read);
      const isFor = (record: Edited) => holds(ConditionExpression, { ...record } as never, { names: {}, values });
      expect(isFor(stored)).toBe(entityTag(stored) === entityTag(read));
      expect(isFor(read)).toBe(true);
    }),
  );
});

describe("the condition of a request", () => {
  const [fits, other, weak] = [entityTag(record), '"other"', `W/${entityTag(record)}`];
  const check = (header: string | undefined, of: Edited | undefined) => () => requireMatch(parseIfMatch(header), of);

  test.each([undefined, "*", fits, `${other}, ${fits}`])("%s fits the record", (header) =>
    expect(check(header, record)).not.toThrow(),
  );

  test.each([other, weak, `${weak}, ${other}`, '"*"', '""'])("%s does not, and the refusal has the tag", (header) => {
    expect(check(header, record)).toThrow(PreconditionFailed);
    expect(check(header, record)).toThrow(expect.objectContaining({ headers: { etag: fits } }));
  });

  test("of no record only an absent header fits, and the refusal has no tag", () => {
    expect(check(undefined, undefined)).not.toThrow();
    for (const header of ["*", fits])
      expect(check(header, undefined)).toThrow(expect.objectContaining({ headers: {} }));
  });
});
