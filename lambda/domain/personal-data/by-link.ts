/** Whose data a link opens (`docs/contract.md`, "A person's data"). */
import { ticketKey } from "#domain/registrations/tickets/codes.ts";
import { linkNotValid, sentLink } from "#domain/registrations/tickets/sent-link.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { openedExportLink } from "./link.ts";

/** Reads the `Authorization` header. @returns the person's email @throws Unauthenticated */
export async function personOf(header: string | undefined, { now }: RequestContext): Promise<string> {
  const link = openedExportLink(sentLink(header), await ticketKey());
  if (!link || link.until <= now) throw linkNotValid();
  return link.email;
}
