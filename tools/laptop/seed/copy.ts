/**
 * A local stage that begins with the data of a copy. No stream tells of the items, so nothing that happened before is
 * relayed again: no mail, no chat message, no refund.
 */
import type { WholeCopy } from "../../kit/copy/whole-copy.ts";
import type { TableEngine } from "../dynamodb/index.ts";
import type { IdentityService } from "../identity/index.ts";
import type { Secrets } from "../secrets/index.ts";

interface Services {
  readonly engine: Pick<TableEngine, "load">;
  readonly tableName: string;
  readonly identity: Pick<IdentityService, "takeOver">;
  readonly secrets: Pick<Secrets, "put">;
}

/** @param ticketKeySecret the secret that seals tickets */
export async function takeOver(
  copy: WholeCopy,
  { engine, tableName, identity, secrets }: Services,
  ticketKeySecret: string,
): Promise<void> {
  secrets.put(ticketKeySecret, copy.ticketKey);
  identity.takeOver(copy.accounts);
  for await (const items of copy.items()) await engine.load(tableName, items);
}
