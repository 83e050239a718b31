/**
 * What a decision reads is consistent, through all functions that its `read` calls, and its message stands in its
 * transaction (`docs/design.md`, "The executor").
 */
import { dirname, join } from "node:path";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "@jest/globals";
import { type Sources, sourcesIn } from "../../tools/upkeep/repository/imports.ts";
import { loneMessage } from "../lone-messages.ts";
import { MemoryTable } from "../model/table.ts";

interface Declared {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

/** The declarations of a file, each up to the next one. */
const declarationsOf = (path: string, source: string): Declared[] =>
  source.split(/^(?=(?:export )?(?:async )?(?:function\*?|const|class|interface|type) \w)/m).flatMap((text) => {
    const [, name] = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/.exec(text) ?? [];
    return name === undefined ? [] : [{ path, name, text: text.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "") }];
  });

/** The path of the file from which each name of a file comes; `*` for those that are imported as one object. */
function originsOf(path: string, source: string): Map<string, string> {
  const imports = [...source.matchAll(/^import (?!type)(?:\{([^}]*)\}|\* as (\w+)) from "([#.][^"]+)";/gm)];
  return new Map(
    imports.flatMap(([, names = "", whole, from = ""]) => {
      const target = from.startsWith("#") ? `lambda/${from.slice(1)}` : join(dirname(path), from);
      if (whole !== undefined) return [[`${whole}.`, target] as const];
      return names.split(",").map((name) => [name.trim().split(" as ").at(-1) ?? "", target] as const);
    }),
  );
}

/** A read that may be old: by the word for it, of an index, or a query that does not ask for more. */
const isLate = (text: string): boolean =>
  /"eventual"|\bIndexName:/.test(text) ||
  (text.includes("KeyConditionExpression:") && !text.includes("ConsistentRead"));

/** Each operation whose `read` leads to one that may be old, with the way there. */
function lateDecisions(sources: Sources): string[] {
  const declared = Object.entries(sources).flatMap(([path, source]) => declarationsOf(path, source));
  const byName = new Map(declared.map((one) => [`${one.path} ${one.name}`, one]));
  const origins = new Map(Object.entries(sources).map(([path, source]) => [path, originsOf(path, source)]));
  const calledIn = (path: string, text: string): Declared[] =>
    [...text.matchAll(/(?:\b(\w+)\.)?\b(\w+)\b/g)].flatMap(([, object, name]) => {
      const from = origins.get(path);
      return byName.get(`${from?.get(`${object}.`) ?? from?.get(name ?? "") ?? path} ${name}`) ?? [];
    });
  const way = (path: string, text: string, seen: Set<Declared>): string[] | undefined => {
    if (isLate(text)) return [];
    for (const next of calledIn(path, text)) {
      if (seen.has(next)) continue;
      seen.add(next);
      const rest = way(next.path, next.text, seen);
      if (rest) return [next.name, ...rest];
    }
    return undefined;
  };
  return declared.flatMap(({ path, name, text }) =>
    [...text.matchAll(/\bread: (.*?)\bdecide\b/gs)].flatMap(([, read = ""]) => {
      const found = way(path, read, new Set());
      return found ? [`${path}: ${[name, ...found].join(" > ")}`] : [];
    }),
  );
}

const sources = sourcesIn("lambda");

test("no decision reads what may be old; read it with strong, or from its partition", () => {
  expect(lateDecisions(sources)).toEqual([]);
});

const planted: readonly (readonly [name: string, path: string, good: string, bad: string, way: string])[] = [
  [
    "its own read is eventual",
    "lambda/domain/game/reset-accounts.ts",
    "read: () => store.readAccount(email, eventId)",
    'read: () => getItem(key, "eventual")',
    "returnHoldings",
  ],
  [
    "so is one in a store",
    "lambda/domain/prizes/store.ts",
    'getRecord<PrizeRecord>(prizeKey(id), "strong")',
    'getRecord<PrizeRecord>(prizeKey(id), "eventual")',
    "deletePrize > readPrize",
  ],
  [
    "a query of a store does not ask for more",
    "lambda/domain/people/members/store.ts",
    "ConsistentRead: true",
    "Limit: 2",
    "changeMember > readMemberAndProfile > memberAndProfile",
  ],
];

test.each(planted)("is found: %s", (_, path, good, bad, way) => {
  expect(sources[path]).toContain(good);
  const found = lateDecisions({ ...sources, [path]: sources[path]?.replace(good, bad) ?? "" });
  expect(found.map((one) => one.split(": ")[1])).toContain(way);
});

describe("a transaction", () => {
  const row = (detailType: string) => ({ PK: "OUT#2030010112#0", SK: "01", detailType });

  test.each([
    ["of one message", [row("member.granted")]],
    ["of messages, one about a change", [row("campaign.batch"), row("event.updated")]],
  ])("is refused: %s", (_, items) => {
    const TransactItems = items.map((Item, n) => ({ Put: { TableName: "Unit", Item: { ...Item, SK: `0${n}` } } }));
    const commit = () => new MemoryTable().execute(new TransactWriteCommand({ TransactItems }), () => 0);
    expect(commit).toThrow(/is written alone/);
  });

  test.each([
    ["with the change", [row("member.granted"), { PK: "USER#a@unit.example", SK: "USER" }]],
    ["that removes something", [row("member.granted"), undefined]],
    ["of a message that tells of no change", [row("campaign.batch")]],
  ])("is right: %s", (_, items) => expect(loneMessage(items)).toBeUndefined());
});
