import type { EventBridgeEvent } from "aws-lambda";
import { addCacheHeader } from "#domain/images/store.ts";
import { log } from "#kit/log.ts";

/** An object was put into the image bucket. Copying does not come here: the rule asks for uploads only. */
type ObjectCreated = EventBridgeEvent<"Object Created", { readonly object: { readonly key: string } }>;

/** Safe to run again; an error makes Lambda try again. */
export async function handler({ id, detail }: ObjectCreated): Promise<void> {
  await addCacheHeader(detail.object.key);
  log.info("cache header", { eventId: id });
}
