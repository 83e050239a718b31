/**
 * The snapshot of a stage: its CloudFormation template as lines that a reviewer reads (`stage-summary.ts`). `npm test -- -u`
 * renews the snapshots, and git shows what a change of the stack does.
 */
import { expect, test } from "@jest/globals";
import type { StageName } from "../../lib/stages.ts";
import { leftOut, stageSummary } from "./stage-summary.ts";
import { givenTemplates, type StageTemplate, stageNames } from "./stage-templates.ts";
import { differenceText, summaryText } from "./summary-text.ts";

/** Headings of what watches a stage. The laptop has none of it, and its snapshot does not say so of each. */
const watching = /^(Alarms|Topics|Subscriptions|Keys|Metric filters|Saved queries|Dashboards|Budgets)\b/;

class StageToReview {
  readonly stage: StageName;
  readonly production: StageTemplate;
  readonly template: StageTemplate;

  constructor(stage: StageName, production: StageTemplate, template: StageTemplate) {
    this.stage = stage;
    this.production = production;
    this.template = template;
  }
}

/** Production as a whole. Of another stage what differs from production, so that a change is read once. */
function textOf({ stage, production, template }: StageToReview): string {
  const summary = stageSummary(production);
  if (stage !== "production") {
    const compared = stage === "local" ? summary.filter(({ place }) => !watching.test(place)) : summary;
    return [
      `Where the template of ${stage} differs from production's: "-" is production, "+" is ${stage}.`,
      "",
      differenceText(compared, stageSummary(template)),
    ].join("\n");
  }
  return [
    `\${Table} is the resource with that logical id, without the hash at its end. \${~} is the resource of the heading,`,
    `\${~Role} a resource whose id begins with that of the heading.\n`,
    "Not shown",
    ...leftOut.map(({ where, because }) => `  ${where}: ${because}`),
    "",
    summaryText(summary),
  ].join("\n");
}

expect.addSnapshotSerializer({
  test: (value: unknown) => value instanceof StageToReview,
  serialize: (value: unknown) => textOf(value as StageToReview),
});

test.each(stageNames)("%s deploys what was reviewed", async (stage) => {
  const templates = await givenTemplates();
  expect(new StageToReview(stage, templates.production, templates[stage])).toMatchSnapshot();
});
