/** The table of kinds of damage: each has what resolves it, and what it names exists. */
import "../../../test/unit/environment.ts";

import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { commands } from "../command.ts";
import { type Kind, kinds, repairs, resolutionOf } from "../invariants/kinds.ts";

const all = Object.keys(kinds) as Kind[];

/** The routes of a text that the API does not have. */
const unknownRoutes = (text: string): string[] =>
  [...text.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w{}/-]+/g)].flatMap(([key]) =>
    routes.some(({ keys }) => keys.includes(key)) ? [] : [key],
  );

/** The commands of a text that there are not, and their flags that there are not. */
const unknownCommands = (text: string): string[] =>
  [...text.matchAll(/npm run ops -- ([a-z]+)([^;,]*)/g)].flatMap(([, name = "", rest = ""]) => {
    const command = commands[name];
    if (!command) return [name];
    return [...rest.matchAll(/--([a-z-]+)/g)].flatMap(([, flag = ""]) => (flag in (command.flags ?? {}) ? [] : [flag]));
  });

describe("the advice", () => {
  test.each(all)("of %s says something, and names only routes and commands that exist", (kind) => {
    const advice = resolutionOf(kind);
    expect(advice.length).toBeGreaterThan(20);
    expect([...unknownRoutes(advice), ...unknownCommands(advice)]).toEqual([]);
  });

  test("control: what does not exist is found", () => {
    expect(
      unknownRoutes("POST /events, then DELETE /event/{eventId}. PATCH /users/{id} and PUT /users/{email}."),
    ).toEqual(["DELETE /event/{eventId}", "PATCH /users/{id}", "PUT /users/{email}"]);
    expect(unknownCommands("npm run ops -- mend, npm run ops -- replay --from 1h --kind x --type y; --more")).toEqual([
      "mend",
      "kind",
    ]);
  });

  test("a kind has either a repair or advice, and each repair resolves some kind", () => {
    const both = all.filter((kind) => "repair" in kinds[kind] === "advice" in kinds[kind]);
    const used = new Set(all.flatMap((kind) => ("repair" in kinds[kind] ? kinds[kind].repair : [])));
    expect({ both, used: [...used].sort() }).toEqual({ both: [], used: Object.keys(repairs).sort() });
  });

  test("names a section of the runbook that is there", () => {
    expect(readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8")).toContain(
      "\n## Bring back data\n",
    );
  });
});
