/** Downloads of lists: each leaves a row in the audit, or there is none (`docs/contract.md`, "Audit"). */
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { auditRow } from "./audit.ts";
import { outboxRow } from "./store.ts";

/** What a download was of, where it was limited to a person or an event. */
interface Downloaded {
  readonly email?: string | undefined;
  readonly eventID?: string | undefined;
  readonly year?: number | undefined;
}

/**
 * Notes that the caller downloads a list. Call it before the list is read.
 * @param list such as `registrations`
 */
export async function noteDownload(list: string, of: Downloaded, context: RequestContext): Promise<void> {
  const { email, eventID, year } = of;
  const subject = { ...(email && { email }), ...(eventID && { eventID }), ...(year && { year }) };
  await writeOnce({ download: auditRow({ action: `${list}.downloaded`, ...subject }, context) }, context);
}

/** Requests the mail with the link to an export. */
export async function requestExportLink(email: string, context: RequestContext): Promise<void> {
  await writeOnce({ message: outboxRow({ type: "export.requested", data: { email } }, context) }, context);
}
