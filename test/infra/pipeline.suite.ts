/** What happened on its way from the table to those who react to it, and where it ends when it does not get there. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { consumers } from "#consumers/functions.ts";
import type { ConsumerDeclaration } from "#outbox/subscriptions.ts";
import type { StageName } from "../../lib/stages.ts";
import { broken, givenTemplates, ofType, type StageTemplate, stageNames, theOnly } from "./stage-templates.ts";
import { type Edit, set } from "./template-edits.ts";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

const attributeOf = (value: { "Fn::GetAtt": [string, string] }): string => value["Fn::GetAtt"][0];

const bundleOf = (template: StageTemplate, id: string): string =>
  template.Resources[id]?.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME;

const mappings = (template: StageTemplate) =>
  ofType(template, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties);

const onBus = (template: StageTemplate) =>
  ofType(template, "AWS::Events::Rule")
    .map(([, { Properties }]) => Properties)
    .filter(({ EventBusName }) => EventBusName !== undefined);

/** Bundle of the consumer behind a queue. */
function consumerOf(template: StageTemplate, queueId: string): string {
  const reading = mappings(template).filter(
    ({ EventSourceArn }) => JSON.stringify(EventSourceArn) === JSON.stringify({ "Fn::GetAtt": [queueId, "Arn"] }),
  );
  expect(reading).toHaveLength(1);
  return bundleOf(template, reading[0].FunctionName.Ref);
}

/** Queues that something gives up to: mappings, rules, functions, other queues. */
function deadLetterQueues(template: StageTemplate): Set<string> {
  const found = JSON.stringify(template.Resources).matchAll(
    /"(?:deadLetterTargetArn|DeadLetterConfig":\{"Arn|OnFailure":\{"Destination)":\{"Fn::GetAtt":\["(\w+)","Arn"\]/g,
  );
  return new Set([...found].map(([, id]) => id as string));
}

/** Queues of later tries: dead-letter queues that a function reads. */
function laterQueues(template: StageTemplate): string[] {
  const sources = mappings(template).map(({ EventSourceArn }) => attributeOf(EventSourceArn));
  return [...deadLetterQueues(template)].filter((id) => sources.includes(id));
}

/** Ways to a function on which something can get lost. */
function leaks(template: StageTemplate): string[] {
  const dead = deadLetterQueues(template);
  const sources = mappings(template).flatMap((mapping) => {
    const source = attributeOf(mapping.EventSourceArn);
    const isQueue = template.Resources[source]?.Type === "AWS::SQS::Queue";
    const at = isQueue
      ? template.Resources[source]?.Properties.RedrivePolicy?.deadLetterTargetArn
      : mapping.DestinationConfig?.OnFailure.Destination;
    return at && dead.has(attributeOf(at)) ? [] : [source];
  });
  const rules = ofType(template, "AWS::Events::Rule").flatMap(([id, { Properties }]) =>
    Properties.ScheduleExpression || Properties.Targets.every((target: object) => "DeadLetterConfig" in target)
      ? []
      : [id],
  );
  return [...sources, ...rules];
}

describe.each(stageNames)("pipeline, %s", (stage) => {
  test("every mail is sent under the configuration set, by the functions and by the user pool", () => {
    const template = templates[stage];
    const [setName] = ofType(template, "AWS::SES::ConfigurationSet")[0]!;
    const senders = ofType(template, "AWS::Lambda::Function").filter(
      ([id, { Properties }]) =>
        // Calendars only name the sender's domain.
        Properties.Environment.Variables.MAIL_SENDER !== undefined && bundleOf(template, id) !== "calendar",
    );
    expect(senders.map(([id]) => bundleOf(template, id)).sort()).toEqual(["send-campaign", "send-mail"]);
    for (const [, { Properties }] of senders) {
      expect(Properties.Environment.Variables.MAIL_CONFIGURATION_SET).toEqual({ Ref: setName });
    }
    expect(theOnly(template, "AWS::Cognito::UserPool").Properties.EmailConfiguration).toMatchObject({
      ConfigurationSet: { Ref: setName },
      From: expect.stringContaining('"Club Events" <'),
    });
  });

  test("every consumer has a queue of its own, patient and slow, and says which messages failed", () => {
    const template = templates[stage];
    const queues = onBus(template).map((rule) => {
      expect(rule).toMatchObject({ State: "ENABLED", EventBusName: { Ref: expect.any(String) } });
      expect(rule.Targets).toHaveLength(1);
      // The quota of an event pattern, in characters.
      expect(JSON.stringify(rule.EventPattern).length).toBeLessThanOrEqual(2_048);
      return attributeOf(rule.Targets[0].Arn);
    });
    const declared = Object.values<ConsumerDeclaration>(consumers);
    const ofMessages = declared.filter(({ subscribesTo }) => subscribesTo.some((one) => !("mailEvents" in one)));
    expect(new Set(queues).size).toBe(ofMessages.length);
    for (const id of new Set(queues)) {
      const mapping = mappings(template).find(({ EventSourceArn }) => attributeOf(EventSourceArn) === id);
      // A message about a campaign is many mails, and one about a refund is several calls to the provider.
      const fewer: Readonly<Record<string, number>> = { "send-campaign": 1, "keep-books": 5 };
      const name = bundleOf(template, mapping.FunctionName.Ref);
      const BatchSize = fewer[name] ?? 10;
      expect(mapping).toMatchObject({ BatchSize, FunctionResponseTypes: ["ReportBatchItemFailures"] });
      expect(mapping.ScalingConfig.MaximumConcurrency).toBeLessThanOrEqual(5);
      const queue = template.Resources[id]?.Properties;
      const consumer = template.Resources[mapping.FunctionName.Ref]?.Properties;
      expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * consumer.Timeout);
      // One failed try must not ring the alarm for late messages.
      if (name !== "send-campaign") expect([name, queue.VisibilityTimeout < 15 * 60]).toEqual([name, true]);
      expect(queue.SqsManagedSseEnabled).toBe(true);
      expect(queue.RedrivePolicy.maxReceiveCount).toBe(5);
    }
  });

  test("mails that failed are tried again every hour for three days, before they are given up", () => {
    const template = templates[stage];
    const later = laterQueues(template);
    expect(later.map((id) => consumerOf(template, id)).sort()).toEqual(["keep-books", "send-campaign", "send-mail"]);
    for (const id of later) {
      const { VisibilityTimeout, RedrivePolicy } = template.Resources[id]?.Properties ?? {};
      expect(VisibilityTimeout * RedrivePolicy.maxReceiveCount).toBe(3 * 86_400);
      expect(VisibilityTimeout).toBe(3_600);
      expect(laterQueues(template)).not.toContain(attributeOf(RedrivePolicy.deadLetterTargetArn));
      const reader = mappings(template).find(({ EventSourceArn }) => attributeOf(EventSourceArn) === id);
      expect(reader).toMatchObject({
        FunctionResponseTypes: ["ReportBatchItemFailures"],
        ScalingConfig: { MaximumConcurrency: 2 },
      });
    }
  });

  test("nothing is lost on the way: what fails ends in a queue, and every queue keeps it for two weeks", () => {
    expect(leaks(templates[stage])).toEqual([]);
    for (const [id] of ofType(templates[stage], "AWS::SQS::Queue")) {
      expect(templates[stage].Resources[id]?.Properties).toMatchObject({
        MessageRetentionPeriod: 14 * 86_400,
        SqsManagedSseEnabled: true,
      });
    }
  });
});

describe("would be noticed:", () => {
  test.each<[string, RegExp, Edit]>([
    ["a queue without redrive", /^MailQueue/, set("SQS::Queue", /^MailQueue/, "RedrivePolicy")],
    ["a rule without dead-letter queue", /^MailRule/, set("Events::Rule", /^MailRule/, "Targets.0.DeadLetterConfig")],
    [
      "a stream without failure destination",
      /^Table/,
      set("Lambda::EventSourceMapping", /^RelayStream/, "DestinationConfig"),
    ],
  ])("%s", (_, at, edit) => {
    expect(leaks(broken(templates.production, edit))).toEqual([expect.stringMatching(at)]);
  });
});
