/** Paginated EventBridge lists, for which the client has no paginators. */
import {
  type Archive,
  EventBridgeClient,
  ListArchivesCommand,
  ListRulesCommand,
  type Rule,
  StartReplayCommand,
} from "@aws-sdk/client-eventbridge";

export { EventBridgeClient, StartReplayCommand };

export async function* paginateListArchives(client: EventBridgeClient): AsyncGenerator<readonly Archive[]> {
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListArchivesCommand({ ...(NextToken !== undefined && { NextToken }) }));
    yield page.Archives ?? [];
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
}

export async function* paginateListRules(client: EventBridgeClient, bus: string): AsyncGenerator<readonly Rule[]> {
  let NextToken: string | undefined;
  do {
    const command = new ListRulesCommand({ EventBusName: bus, ...(NextToken !== undefined && { NextToken }) });
    const page = await client.send(command);
    yield page.Rules ?? [];
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
}
