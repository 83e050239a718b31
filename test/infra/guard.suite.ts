/** The guard against dangerous deploys (`tools/delivery`): each small edit of the real template is named, and what a month brings is not. */
import { beforeAll, expect, test } from "@jest/globals";
import { differences, losses } from "../../tools/delivery/losses.ts";
import { refusals } from "../../tools/delivery/refusals.ts";
import type { DeliveredTemplate } from "../../tools/delivery/rules/rule.ts";
import { dangerousEdits, ordinaryEdits } from "./dangerous-edits.ts";
import { disguisedEdits } from "./disguised-edits.ts";
import { broken, givenTemplates, type StageTemplate } from "./stage-templates.ts";
import type { Edit } from "./template-edits.ts";

let production: StageTemplate;
beforeAll(async () => {
  production = (await givenTemplates()).production;
});

/** The names of all that the guard refuses of an edit. */
function refused(edit: Edit): string[] {
  const [deployed, wanted] = [production, broken(production, edit)] as unknown as DeliveredTemplate[];
  const diff = differences(deployed!, wanted!);
  return [
    ...losses(deployed!, diff).map(({ logicalId }) => logicalId),
    ...refusals(deployed!, wanted!, diff).map(({ name }) => name),
  ];
}

test.each(Object.entries({ ...dangerousEdits, ...disguisedEdits }))("named: %s", (_what, [edit, name]) => {
  expect(refused(edit)).toContainEqual(expect.stringMatching(name));
});

test.each(Object.entries(ordinaryEdits))("let through: %s", (_what, edit) => {
  expect(refused(edit)).toEqual([]);
});
