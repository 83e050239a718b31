/** What the second deploy of a rehearsal changes, besides the consumer that the synthesis leaves out. */
import { changeCode, type Resource, type Template, templateIn } from "./assembly.ts";

/** The function whose code changes: the smoke run calls it in nearly every step. */
const changed = /^Events[0-9A-F]{8}$/;

/** @throws Error when there is none */
function found(template: Template, what: string, is: (id: string, resource: Resource) => boolean): [string, Resource] {
  const entry = Object.entries(template.Resources).find(([id, resource]) => is(id, resource));
  if (entry === undefined) throw new Error(`The template has no ${what}.`);
  return entry;
}

/** The template with one more index of the table, the one that a deploy may add. Pure. */
export function withIndex(template: Template): Template {
  const [id, table] = found(template, "table", (_id, { Type }) => Type === "AWS::DynamoDB::Table");
  const { AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = table.Properties ?? {};
  const Properties = {
    ...table.Properties,
    AttributeDefinitions: [...AttributeDefinitions, { AttributeName: "rehearsed", AttributeType: "S" }],
    GlobalSecondaryIndexes: [
      ...GlobalSecondaryIndexes,
      {
        IndexName: "Rehearsed",
        KeySchema: [{ AttributeName: "rehearsed", KeyType: "HASH" }],
        Projection: { ProjectionType: "KEYS_ONLY" },
      },
    ],
  };
  return { ...template, Resources: { ...template.Resources, [id]: { ...table, Properties } } };
}

/** Changes the code of a function in the assembly. */
export async function changeFunction(folder: string, stack: string): Promise<void> {
  const template = await templateIn(folder, stack);
  const is = (id: string, { Type }: Resource) => Type === "AWS::Lambda::Function" && changed.test(id);
  const [, { Properties }] = found(template, "function of the events", is);
  await changeCode(folder, stack, String(Properties?.Code.S3Key).replace(/\.zip$/, ""));
}
