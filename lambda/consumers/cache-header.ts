import type { EventBridgeEvent } from "aws-lambda";
import { afterUpload, maximumImageSize } from "#domain/images/store.ts";
import { log } from "#kit/log.ts";

/**
 * S3's event about an upload to the image bucket. This function writes by copying, and the rule excludes copies, so that
 * it does not trigger itself.
 */
type ObjectCreated = EventBridgeEvent<"Object Created", { readonly object: { readonly key: string } }>;

/** Idempotent. After an error Lambda retries. */
export async function handler({ id, detail }: ObjectCreated): Promise<void> {
  const done = await afterUpload(detail.object.key);
  const facts = { eventId: id, key: detail.object.key };
  if (done === "removed") log.warn("image removed, it is too large", { ...facts, maximum: maximumImageSize });
  else log.info("image uploaded", { ...facts, done });
}
