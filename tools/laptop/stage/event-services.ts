/**
 * Starts the services that carry messages to functions: queues, bus, mappings and schedules, each from its resources in
 * the template.
 */
import { type Bus, DeliveryRefused, RuleStates, startBus } from "../bus/index.ts";
import type { TableEngine } from "../dynamodb/index.ts";
import { type LocalFunctions, shortName } from "../functions/index.ts";
import { type DeadLetter, moveMessages, type Queues, startQueueMapping, startQueues } from "../queues/index.ts";
import { type Schedules, scheduleOfRule, startSchedules } from "../schedules/index.ts";
import { startStreamMapping } from "../stream/index.ts";
import { type Template, TemplateProblem } from "../template/index.ts";
import { checkMapping } from "./mapping-rights.ts";
import { folderIn } from "./request-services.ts";
import type { StageSetup } from "./setup.ts";

/** Hands a payload to the queue or function of this ARN. */
export type Deliver = (targetArn: string, payload: unknown) => Promise<unknown>;

const queueArn = (template: Template, logicalId: string): string =>
  template.arn("sqs", template.physicalName(logicalId));

/** SQS with the template's queues. */
export function startClubQueues(setup: StageSetup): Queues {
  const { options, template, disorder } = setup;
  const { visibility, clock } = options;
  return startQueues({
    ...(clock && { clock }),
    disorder: disorder?.of("queues"),
    directory: folderIn(setup, "queues"),
    queues: template.resourcesOf("AWS::SQS::Queue").map((resource) => ({
      name: template.physicalName(resource.logicalId),
      arn: queueArn(template, resource.logicalId),
      properties: { ...resource.all(), ...(visibility !== undefined && { VisibilityTimeout: visibility }) },
    })),
  });
}

/**
 * Delivers to a queue at once, and to a function as soon as the functions have started.
 * @throws DeliveryRefused when the template has neither
 */
export const deliverBy =
  (queues: Queues, started: Promise<Pick<LocalFunctions, "idOf" | "invoke">>): Deliver =>
  async (arn, payload) => {
    if (queues.has(arn)) return queues.of(arn).send(JSON.stringify(payload));
    const functions = await started;
    const id = functions.idOf(arn);
    if (id === undefined) throw new DeliveryRefused("NO_RESOURCE", `There is no ${arn}.`);
    return functions.invoke(id, payload);
  };

/** EventBridge with the template's buses and rules. */
export function startClubBus(setup: StageSetup, queues: Queues, deliver: Deliver): Promise<Bus> {
  const { options, template, ports, activity, disorder, permissions, ruleStates: states } = setup;
  const { retryDelay } = options;
  return startBus({
    states,
    port: ports.bus,
    directory: folderIn(setup, "bus"),
    region: template.place.region,
    accountId: template.place.accountId,
    buses: template.resourcesOf("AWS::Events::EventBus").map(({ logicalId }) => template.physicalName(logicalId)),
    rules: rulesOf(template),
    authorize: permissions.authorize,
    deliver,
    deadLetter: async (arn, body, attributes) => {
      const messageAttributes = Object.entries(attributes).map(([name, stringValue]) => [
        name,
        { dataType: "String", stringValue },
      ]);
      queues.of(arn).send(body, { messageAttributes: Object.fromEntries(messageAttributes) });
    },
    activity,
    disorder: disorder?.of("bus"),
    ...(retryDelay !== undefined && { retryDelay }),
  });
}

/** The rules of all buses, and those with a schedule. Their names are those in the stack. */
const rulesOf = (template: Template) =>
  template.resourcesOf("AWS::Events::Rule").map((rule) => ({
    name: shortName(rule.logicalId),
    arn: template.arn("events", `rule/${template.physicalName(rule.logicalId)}`),
    properties: rule.all(),
  }));

/** Which of them are on: as the template says. */
export const ruleStatesOf = (template: Template): RuleStates =>
  new RuleStates(
    template
      .resourcesOf("AWS::Events::Rule")
      .map((rule) => ({ name: shortName(rule.logicalId), properties: { State: rule.get("State") } })),
  );

/**
 * Lambda's mappings from the table's stream and from queues.
 * @throws TemplateProblem when a mapping has an unknown source or function, or the function lacks a permission
 */
export async function startMappings(
  setup: StageSetup,
  { engine, queues }: { readonly engine: Pick<TableEngine, "stream">; readonly queues: Queues },
  functions: LocalFunctions,
): Promise<{ close(): Promise<void> }> {
  const { options, template, permissions, activity } = setup;
  const { retryDelay } = options;
  const disorder = setup.disorder?.of("mappings");
  const streams: { close(): Promise<void> }[] = [];
  const readers: { close(): Promise<void> }[] = [];
  for (const resource of template.resourcesOf("AWS::Lambda::EventSourceMapping")) {
    const properties = resource.all();
    const { EventSourceArn: source, FunctionName } = properties;
    const functionArn = FunctionName.startsWith("arn:")
      ? FunctionName
      : template.arn("lambda", `function:${FunctionName}`);
    const id = functions.idOf(functionArn);
    if (id === undefined) throw new TemplateProblem(`${resource.logicalId}: there is no function ${FunctionName}.`);
    checkMapping(permissions, resource.logicalId, id, properties);
    const invoke = (event: { readonly Records: readonly unknown[] }) => functions.invoke(id, event);
    if (queues.has(source)) {
      readers.push(
        startQueueMapping({
          properties,
          queue: queues.of(source),
          invoke,
          activity,
          disorder: disorder?.of(resource.logicalId),
        }),
      );
    } else if (source.includes(":dynamodb:")) {
      const mapping = await startStreamMapping({
        name: resource.logicalId,
        properties,
        stream: engine.stream,
        directory: folderIn(setup, "stream"),
        functionArn,
        invoke,
        onDiscarded: async (arn, batch) => void queues.of(arn).send(JSON.stringify(batch)),
        activity,
        disorder,
        ...(retryDelay !== undefined && { retryDelay }),
      });
      streams.push(mapping);
    } else {
      throw new TemplateProblem(`${resource.logicalId}: the local stage has no event source ${source}.`);
    }
  }
  return {
    close: async () => {
      for (const mapping of [...streams, ...readers]) await mapping.close();
    },
  };
}

/** The template's schedules, by their names in the stack. */
export function startClubSchedules(setup: StageSetup, deliver: Deliver): Schedules {
  const { options, template, activity, ruleStates } = setup;
  const schedules = rulesOf(template)
    .map((rule) => scheduleOfRule(rule, rule.properties, template.place))
    .filter((schedule) => schedule !== undefined);
  const isOn = (name: string) => options.schedules !== false && ruleStates.isOn(name);
  return startSchedules({ schedules, isOn, deliver, activity });
}

/** The value of a message in JSON, or its text. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The messages of every queue without a function. */
export function deadLettersOf(template: Template, queues: Queues): DeadLetter[] {
  const sources = template
    .resourcesOf("AWS::Lambda::EventSourceMapping")
    .map((mapping) => mapping.get("EventSourceArn"));
  return template.resourcesOf("AWS::SQS::Queue").flatMap(({ logicalId }) => {
    const arn = queueArn(template, logicalId);
    if (sources.includes(arn)) return [];
    return queues
      .of(arn)
      .list()
      .map(({ body, messageAttributes }) => ({
        queue: shortName(logicalId),
        body: bodyOf(body),
        attributes: Object.fromEntries(
          Object.entries(messageAttributes).map(([name, { stringValue }]) => [name, stringValue]),
        ),
      }));
  });
}

/** @param name the queue's name in the stack */
export function queueNamed(template: Template, queues: Queues, name: string) {
  const [found] = template.resourcesOf("AWS::SQS::Queue").filter(({ logicalId }) => shortName(logicalId) === name);
  if (!found) throw new Error(`There is no queue ${name}.`);
  return queues.of(queueArn(template, found.logicalId));
}

/**
 * Moves the messages of a dead-letter queue back to the queues that they came from.
 * @param name the queue's name in the stack
 */
export function redrive(template: Template, queues: Queues, name: string): void {
  moveMessages(queues, queueNamed(template, queues, name));
}
