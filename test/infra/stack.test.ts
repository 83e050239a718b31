/**
 * The stack of every stage. The suites share one synthesis, which takes longer than all of their assertions together;
 * `-t` picks one of them.
 */
import { expect, test } from "@jest/globals";
import "./functions.suite.ts";
import "./gateway.suite.ts";
import "./permissions.suite.ts";
import "./pipeline.suite.ts";
import "./storage.suite.ts";
import { givenTemplates, stageNames } from "./stage-templates.ts";

// Shows a reviewer what a change does to the stacks; what must hold is asserted in the suites.
test.each(stageNames)("template of %s", async (stage) => {
  expect((await givenTemplates())[stage]).toMatchSnapshot();
});
