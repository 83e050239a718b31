/** The kinds of items: one list, which the table of `docs/design.md` follows. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { flagFields, textFields } from "#domain/people/members/form.ts";
import { viewableFields } from "#domain/people/profiles/profile.ts";
import { personalFieldsOf, storedKindOf, storedKinds } from "#outbox/stored-kinds.ts";
import { userFields } from "../../lambda/api/records/schemas.ts";
import { productSources, type Sources } from "../../tools/upkeep/repository/imports.ts";
import { expectKnownKind } from "../known-kinds.ts";

const keys = Object.fromEntries(Object.entries(storedKinds).map(([kind, facts]) => [kind, facts.keys]));

test("the table of docs/design.md has them all, with these keys; add the row that is missing", () => {
  const design = readFileSync(new URL("../../docs/design.md", import.meta.url), "utf8");
  const rows = [...design.matchAll(/^\| ([^|]+) \| `([A-Z][^`]*)` \/ `([^`]+)` \|/gm)];
  const listed = Object.fromEntries(rows.map(([, name, ...keys]) => [name, keys.slice(0, 2)]));
  expect(listed).toEqual(keys);
});

test.each(Object.entries(keys))("no name stands for two values in the key of: %s", (_kind, patterns) => {
  const names = patterns.flatMap((pattern) => pattern.match(/[a-z]+/g) ?? []);
  expect(names).toEqual([...new Set(names)]);
});

test("no pattern takes another's items", () => {
  const sample = (pattern: string) => pattern.replaceAll(/[a-z]+/g, "x");
  for (const [
    name,
    {
      keys: [partition, sort],
    },
  ] of Object.entries(storedKinds)) {
    expect([name, storedKindOf({ PK: sample(partition), SK: sample(sort) })]).toEqual([name, name]);
  }
});

test("all that people enter in accounts, memberships and profiles is personal", () => {
  expect(personalFieldsOf("account")).toEqual([...Object.keys(userFields), "favEvents"]);
  expect(personalFieldsOf("membership")).toEqual([...textFields, ...flagFields, "topics"]);
  expect(personalFieldsOf("profile")).toEqual(viewableFields);
});

test("a new kind is named with the places where it belongs", () => {
  expect(() => expectKnownKind({ PK: "LUNCH#gala#2030", SK: "a@x.example" })).toThrow(
    /LUNCH#gala#2030 .* lambda\/outbox\/stored-kinds\.ts .* docs\/design\.md/,
  );
  for (const PK of ["USER#a@x.example", "USER#"]) expect(() => expectKnownKind({ PK, SK: "LUNCH" })).toThrow();
});

test("an address is only in keys and in fields that the catalogue names, at any depth", () => {
  const rowWith = (data: object, metadata: object = {}) => {
    const detail = { metadata: { actor: "exec@club.example", ...metadata }, data: { email: "a@x.example", ...data } };
    return { PK: "OUT#2030010100#1", SK: "01", detailType: "btx.traded", detail };
  };
  const audit = { changes: [{ field: "refunds", after: [{ by: "exec@club.example" }] }] };
  for (const known of [{ fname: "a@x.example" }, { note: "@noon", at: "3 @ 2.50" }]) expectKnownKind(rowWith(known));
  expectKnownKind({ ...rowWith({}), audit });
  for (const unknown of [{ contact: "a@x.example" }, { holders: [{ who: "USER#a@x.example" }] }]) {
    expect(() => expectKnownKind(rowWith(unknown))).toThrow(/\(outbox row\) has an address in `(contact|who)`/);
  }
  expect(() => expectKnownKind(rowWith({}, { sentTo: "Ann <a@x.example>" }))).toThrow("`sentTo`");
  expect(() => expectKnownKind({ PK: "USER#a@x.example", SK: "USER", contact: "a@x.example" })).toThrow("(account)");
});

describe("keys are made and taken apart by the catalogue", () => {
  const patterned = Object.values(keys)
    .flat()
    .filter((pattern) => pattern.includes("#"));
  const words = new Set(patterned.map((pattern) => pattern.split("#")[0]));
  /** The files with the patterns, and lists of an index that begin with a word of a key. */
  const allowed: Readonly<Record<string, readonly string[]>> = {
    "lambda/kit/table/item.ts": ["REQ", "TOKEN"],
    "lambda/domain/game/store.ts": ["BTX"],
    "lambda/domain/payments/record/payment-store.ts": ["PAYMENTS"],
  };

  /** The literals that begin, or go on after another value, with a word of a key. */
  const literalsIn = (sources: Sources): string[] =>
    Object.entries(sources).flatMap(([path, source]) =>
      [...source.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "").matchAll(/["'`^/ ]([A-Z][A-Z -]*)#/g)]
        .map(([, word = ""]) => word)
        .filter((word) => words.has(word) && !allowed[path]?.includes(word))
        .map((word) => `${path}: ${word}#`),
    );
  const { "lambda/outbox/stored-kinds.ts": _, ...sources } = productSources();

  test("no other file has a word of a key; use keyOf, partitionOf, prefixOf, isOfKind or valuesIn", () => {
    expect(literalsIn(sources)).toEqual([]);
  });

  test.each([
    'item.SK.startsWith("REG#")',
    "`OUT#2030010100#0`",
    "/^USER#(.+)/.exec(PK)",
    String.raw`'{\"S\":\"OUT#$2\"}'`,
  ])("is found: %s", (source) => expect(literalsIn({ "tools/ops/planted.ts": source })).toHaveLength(1));

  test("every exception is needed", () => {
    const found = Object.keys(allowed).filter(
      (path) => literalsIn({ [`lambda/${path}`]: sources[path] ?? "" }).length > 0,
    );
    expect(found).toEqual(Object.keys(allowed));
  });
});
