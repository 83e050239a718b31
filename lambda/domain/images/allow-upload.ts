import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { auditRow } from "#outbox/audit.ts";
import { presignUpload } from "./store.ts";

/** The address for an upload, which the audit names. @throws Contended UnknownOutcome */
export async function allowUpload(key: string, contentType: string, context: RequestContext): Promise<string> {
  await writeOnce({ audit: auditRow({ action: "image.uploadAllowed", id: key }, context) }, context);
  return presignUpload(key, contentType);
}
