/** Expressions that are parsed once for all requests with values of the same types. */
import { expect, test } from "@jest/globals";
import { type Parser, rememberParsed } from "../dynamodb/parsed-before.ts";

/** A parser that answers all values that it gets, and counts its work. */
function givenParser() {
  let parsed = 0;
  const parser: Parser = {
    parse: (_text, { context }) => {
      parsed += 1;
      for (const name of Object.keys(context.attrVals ?? {})) delete context.unusedAttrVals[name];
      return { type: "=", args: [["PK"], ...Object.values(context.attrVals ?? {})], parsed };
    },
  };
  rememberParsed(parser);
  const parse = (text: string, attrVals: Record<string, object>) => {
    const unusedAttrVals = Object.fromEntries(Object.keys(attrVals).map((name) => [name, true]));
    const { args, parsed: nth } = parser.parse(text, {
      context: { attrVals, unusedAttrNames: {}, unusedAttrVals },
    }) as {
      args: unknown[];
      parsed: number;
    };
    expect(unusedAttrVals).toEqual({});
    return [nth, ...args.slice(1)];
  };
  return parse;
}

test("each request has its own values, and another type is another expression", () => {
  const parse = givenParser();
  const text = "PK = :a";
  expect(parse(text, { ":a": { S: "one" } })).toEqual([1, { S: "one" }]);
  expect(parse(text, { ":a": { S: "two" } })).toEqual([1, { S: "two" }]);
  expect(parse(text, { ":a": { N: "2" } })).toEqual([2, { N: "2" }]);
  // The same object twice.
  const same = { S: "same" };
  expect(parse("PK = :a AND SK = :b", { ":a": same, ":b": same })).toEqual([3, same, same]);
  expect(parse("PK = :a AND SK = :b", { ":a": { S: "x" }, ":b": { S: "y" } })).toEqual([3, { S: "x" }, { S: "y" }]);
});

test.each(["n BETWEEN :a AND :b", "attribute_type(n, :a)"])("the parser looks at the values of %s itself", (text) => {
  const parse = givenParser();
  const values = { ":a": { S: "a" }, ":b": { S: "b" } };
  expect([parse(text, values)[0], parse(text, values)[0]]).toEqual([1, 2]);
});
