/** What CloudFormation knows of a stage's stack; on the laptop its outputs file. */
import { readFile } from "node:fs/promises";
import { CloudFormationClient, GetTemplateCommand, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import type { Target } from "./target.ts";

/**
 * The name that AWS gave to a resource.
 * @param beginning of its logical id; empty where the stack has only one of the type
 * @throws Error the stack has none
 */
export async function nameOf(
  { region, stackName }: Pick<Target, "region" | "stackName">,
  type: string,
  beginning: string,
): Promise<string> {
  const client = new CloudFormationClient({ region });
  for await (const { StackResourceSummaries: some = [] } of paginateListStackResources(
    { client },
    { StackName: stackName },
  )) {
    for (const { ResourceType, LogicalResourceId, PhysicalResourceId } of some) {
      if (ResourceType === type && LogicalResourceId?.startsWith(beginning) && PhysicalResourceId) {
        return PhysicalResourceId;
      }
    }
  }
  throw new Error(`The stack ${stackName} has no ${type} ${beginning}.`);
}

/** A resource of a template. Its properties may have functions of CloudFormation. */
interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The properties of the resources of a type in the template of the last deploy, which the CDK writes as JSON. */
export async function deployedResources(target: Target, type: string): Promise<Readonly<Record<string, unknown>>[]> {
  const { Resources } = JSON.parse(await templateOf(target)) as { Resources: Readonly<Record<string, Resource>> };
  return Object.values(Resources).flatMap(({ Type, Properties = {} }) => (Type === type ? [Properties] : []));
}

async function templateOf({ isLaptop, text, region, stackName }: Target): Promise<string> {
  if (isLaptop) return readFile(text("templateFile"), "utf8");
  const client = new CloudFormationClient({ region });
  const { TemplateBody = "{}" } = await client.send(new GetTemplateCommand({ StackName: stackName }));
  return TemplateBody;
}
