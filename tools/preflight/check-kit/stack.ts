/** The deployed stack of the stage. */
import {
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  type StackResourceSummary,
} from "@aws-sdk/client-cloudformation";
import { stackName } from "../../../lib/stage-names.ts";
import { isNoStack } from "../../kit/failures.ts";
import type { Account } from "./account.ts";
import { asking } from "./asking.ts";

/** @returns the stack; undefined when there is none */
export async function describedStack({ clients, stage }: Account): Promise<Stack | undefined> {
  const request = new DescribeStacksCommand({ StackName: stackName(stage.name) });
  try {
    const { Stacks = [] } = await asking("cloudformation:DescribeStacks", clients.stacks.send(request));
    return Stacks[0];
  } catch (error) {
    if (isNoStack(error)) return undefined;
    throw error;
  }
}

/** @returns an output of the stack; undefined before the first deploy */
export async function stackOutput(account: Account, name: string): Promise<string | undefined> {
  const outputs = (await describedStack(account))?.Outputs ?? [];
  return outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
}

/** @returns the resources of the stack; undefined when there is no stack */
export async function stackResources({ clients, stage }: Account): Promise<StackResourceSummary[] | undefined> {
  const pages = paginateListStackResources({ client: clients.stacks }, { StackName: stackName(stage.name) });
  try {
    const resources = await asking("cloudformation:ListStackResources", all(pages));
    return resources.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
  } catch (error) {
    if (isNoStack(error)) return undefined;
    throw error;
  }
}

/** All pages of a list. */
export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const page of pages) read.push(page);
  return read;
}
