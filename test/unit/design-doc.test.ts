/** The table of consumers in `docs/design.md` says what the declarations say. */
import { expect, test } from "@jest/globals";
import { consumers } from "#consumers/functions.ts";
import { textOf } from "../../tools/upkeep/repository/files.ts";

test("the table of consumers has them all, with their descriptions; copy what differs into docs/design.md", () => {
  const [, table = ""] = /\| consumer \| does \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(textOf("docs/design.md")) ?? [];
  const rows = table.split("\n").map((row) => row.split(" | ").slice(0, 2).join(" | "));
  expect(rows.filter((row) => row !== "")).toEqual(
    Object.entries(consumers).map(([name, { description }]) => `| ${name} | ${description}`),
  );
});
